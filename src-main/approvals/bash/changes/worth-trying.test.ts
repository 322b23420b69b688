import { describe, expect, it } from 'vitest';
import { ORDINARY_COMMANDS } from '../../testing/ordinary-commands';
import type { KnownPlaces } from '../paths/places';
import { analyzeShell } from '../verdict/analyze';
import { isWorthRehearsing, isWorthTrying } from './worth-trying';

const places: KnownPlaces = {
  folder: '/home/me/project',
  cwd: '/home/me/project',
  home: '/home/me',
  dataDir: '/home/me/.config/deepdesk',
  resolveBinary: (name) => `/usr/bin/${name}`,
};
const tries = (line: string) => isWorthTrying(line, places);
const percent = (part: number) => Math.round((1_000 * part) / ORDINARY_COMMANDS.length) / 10;

describe('ordinary commands that only read', () => {
  const open = ORDINARY_COMMANDS.filter((line) => analyzeShell(line, places).verdict !== 'allow');
  const asked = open.filter((line) => !tries(line));
  it('ask in at most 5 % of cases if there is a sandbox [safety 1]', () => {
    const shares = `${percent(open.length)} % ask without a sandbox, ${percent(asked.length)} % with one`;
    expect(ORDINARY_COMMANDS.length).toBeGreaterThanOrEqual(200);
    expect(new Set(ORDINARY_COMMANDS).size).toBe(ORDINARY_COMMANDS.length);
    expect(asked.length / ORDINARY_COMMANDS.length, `${shares}: ${asked.join(' · ')}`).toBeLessThanOrEqual(
      0.05,
    );
  });
});

describe('commands that are not worth trying in a read-only sandbox', () => {
  it.each([
    'rm -rf build',
    'read -p "Your name: " name; echo "Hello, $name"',
    'IFS= read -rs secret; echo "$secret"',
    'echo go; mapfile lines; echo "$lines"',
    'ls && rm x',
    'mv a b',
    'git commit -m x',
    'git push',
    'git add .',
    'git checkout main',
    'git branch -D x',
    'git branch new',
    'git tag v1',
    'git stash',
    'git -C sub commit -m x',
    'git log --output=x',
    'git config user.name x',
    'git fetch',
    'npm install',
    'npm ci',
    'npm test',
    'npm run build',
    'npx vitest',
    'npx prettier --write .',
    'yarn',
    'pytest -q',
    'python3 -m pytest',
    'python3 -m http.server',
    'make',
    'make test',
    'cargo build',
    'go test ./...',
    'curl https://example.com',
    'ssh host',
    'docker ps',
    'kill 1',
    'sleep 5',
    'vim x',
    'less x',
    'tail -f log',
    'node',
    'python3',
    'pwsh',
    'yes',
    'ls > out',
    'ls >> out',
    'ls &> out',
    'ls >| out',
    'echo x | tee out',
    'sed -i s/a/b/ f',
    'eslint --fix src',
    'sort -o f g',
    'find . -delete',
    "find . -name '*.o' -exec rm {} +",
    'ls | xargs rm',
    "bash -c 'rm x'",
    'timeout 5 curl x',
    'sleep 100 &',
    'ls & ls',
    'cat .env',
    'cat config/prod.pem',
    'cat < .env',
    'grep x ~/.ssh/config',
    'cat ~/notes',
    'ls $HOME',
    'cat /etc/passwd',
    'ls /',
    'ls ..',
    'cat ../other/x',
    'cat a/../../x',
    'cd .. && ls',
    'cd src && cat ../../x',
    'cd src && rm x',
    'cat /dev/zero',
    'echo $API_KEY',
    'echo "$GITHUB_TOKEN"',
    'printenv',
    'env',
    'exec 3<>/dev/tcp/h/80',
    'echo "unfinished; rm x',
    'echo "unfinished > x',
    '',
  ])('%j', (line) => expect(tries(line)).toBe(false));
  it.each([
    'cat < in.txt',
    'read -r first < in.txt; echo "$first"',
    'git log --oneline | while read -r hash rest; do echo "$hash"; done',
    'while IFS= read -r line; do echo "$line"; done < in.txt',
    'mapfile -t lines < in.txt; echo "$lines"',
    'find src | { read -r first; echo "$first"; }',
    'ls 2>&1 >/dev/null',
    './x',
    'mytool check',
    'cat src/../README.md',
    'cd src && cat ../README.md',
    'env -C src cat ../README.md',
    '$c f',
    'ls "unterminated',
    "rg '/etc/passwd'",
    'curl --version',
    'env X=1 node x.js',
    'time ls',
    'cat .env.example',
    'head -c 1 /bin/ls',
    'ls /usr/include',
    'ls /usr/lib/python3*',
    'cat /etc/os-release',
    'source /etc/os-release; echo "$ID"',
    'grep -c processor /proc/cpuinfo',
    'tr -dc a-z < /dev/urandom | head -c 12',
    'od -An -N4 -tu4 /dev/urandom',
  ])('but %j is', (line) => expect(tries(line)).toBe(true));
});

const rehearses = (line: string) => isWorthRehearsing(line, places);

describe('commands that wait or print variables', () => {
  it.each(['sleep 1 && cat a', 'sleep 0.5s; echo done', 'printenv PATH'])(
    'are worth rehearsing: %j',
    (line) => expect(rehearses(line)).toBe(true),
  );
  it.each([
    'sleep 60',
    'sleep 5 5',
    'sleep 5m',
    'sleep $n',
    'until [ -e ready ]; do sleep 0.1; done',
    'while ! curl -s localhost; do sleep 1; done; echo up',
    'for i in $(seq 60); do sleep 1; done',
    'printenv',
    'printenv PATH GITHUB_TOKEN',
    'printenv -0',
  ])('are not if they wait for long or show secrets: %j', (line) => expect(rehearses(line)).toBe(false));
});

describe('commands that name places of the system', () => {
  it.each([
    'head -c 1 /bin/ls',
    'cp /usr/share/common-licenses/MIT LICENSE',
    'gcc -I/usr/include -o t t.c',
    'cmake -DCMAKE_PREFIX_PATH=/usr -S . -B build',
    'diff /usr/share/x/a.conf a.conf > changes.patch',
    'find /usr/include -name stdio.h | head -1 > found.txt',
    'cat < /etc/hosts',
    'head -c 16 /dev/urandom > seed',
  ])('are worth rehearsing if the layer shows them: %j', (line) => expect(rehearses(line)).toBe(true));

  it.each([
    'cp tool /usr/local/bin/',
    'cp -t /usr/local/bin tool',
    'install -m 755 tool /usr/local/bin/tool',
    'rm /usr/local/bin/tool',
    'echo x > /usr/local/bin/tool',
    'sed -i s/a/b/ /etc/hosts',
    'tar -xf a.tar -C /opt',
    'unzip a.zip -d /opt',
    'gcc -o /usr/local/bin/t t.c',
    'gcc -o/usr/local/bin/t t.c',
    'find /usr/lib -name x -delete',
    'cat /etc/passwd',
    'cat /etc/shadow',
    'cat /usr/share/app/prod.key',
    'cat /usr/../home/me/notes',
    'ls /',
    'ls /etc',
    'ls /proc',
    'cat /proc/1/environ',
    'cat /var/log/syslog',
    'cat /dev/urandom',
    'cat /dev/sda | head -c 1',
  ])('are not if it would fail or be wrong there: %j', (line) => expect(rehearses(line)).toBe(false));
});
