import { describe, expect, it } from 'vitest';
import { downloadsIn } from './downloads';

describe('what the commands of a line download', () => {
  it.each([
    ['curl https://docs.example.org/guide', ['docs.example.org']],
    ['curl -sSL -o page.html --url=http://a.example:8080/x', ['a.example:8080']],
    ['curl docs.example.org/guide', ['curl']],
    ['curl "$ADDRESS"', ['curl']],
    ['cd src && wget -q https://a.example/a https://b.example/b', ['a.example', 'b.example']],
    ["sh -c 'curl https://a.example/x | tee x'", ['a.example']],
    ['echo "$(curl -s https://a.example/x)"', ['a.example']],
    ['timeout 5 /usr/bin/curl https://a.example/x', ['a.example']],
    ['git clone https://code.example/x.git', ['code.example']],
    ['git clone git@code.example:me/x.git', ['code.example']],
    ['rsync -a me@server.example:notes/ .', ['server.example']],
    ['ssh server.example cat notes.txt', ['ssh']],
    ['gh issue view 12', ['gh']],
    ['if curl x; then echo (', ['curl']],
    ['xargs curl < list.txt', ['curl']],
    ['wget --input-file=list.txt', ['wget']],
    ['dig TXT a.example +short', ['dig']],
    ['kubectl logs pod', ['kubectl']],
    ['sshpass -p x ssh server.example', ['sshpass']],
    ['exec 3<>/dev/tcp/a.example/80; cat <&3', ['a.example']],
    [
      'python3 -c "import urllib.request as u; print(u.urlopen(\'https://a.example/x\').read())"',
      ['a.example'],
    ],
    ['tsx -e "fetch(\'https://a.example/\')"', ['a.example']],
    ['node -e "fetch(\'https://a.example:8443/\')"', ['a.example:8443']],
    ['deno run https://a.example/x.ts', ['a.example']],
  ])('%s: %j', (line, expected) => {
    expect(downloadsIn(line)).toEqual(expected);
  });

  it.each([
    'ls',
    'npm install',
    'git pull',
    'git push origin main',
    'rsync -a src/ copy/',
    'curl --version',
    'curl http://localhost:3000/api',
    'curl -s http://127.0.0.1:8080/',
    'curl localhost:3000',
    'curl "http://[::1]:3000/"',
    'echo curl https://a.example',
    'grep -r curl .',
    'curl -V',
    'python3 -c "print(1)"',
    'node -e "fetch(\'http://localhost:3000\')"',
    'cat < /dev/tcp/127.0.0.1/80',
    'git commit -m GET',
  ])('%s: nothing', (line) => {
    expect(downloadsIn(line)).toEqual([]);
  });
});
