import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox } from './index';
import {
  bubblewrap,
  folderForTest,
  giveToNobody,
  mayBeNobody,
  noteOnNobody,
  runProgram,
  whySkipped,
} from './testing/bubblewrap';

const title =
  whySkipped === null
    ? 'a command that nobody was asked about'
    : `a command that nobody was asked about (skipped: ${whySkipped})`;

let base = '';
let folder = '';
let home = '';
beforeEach(() => {
  base = folderForTest();
  folder = join(base, 'home/project');
  home = join(base, 'home');
  for (const path of ['home/project/src', 'home/other', 'home/.ssh', 'home/.cargo/bin', 'data', 'outside'])
    mkdirSync(join(base, path), { recursive: true });
  write('home/project/src/a.txt', 'a\n');
  write('home/project/package.json', '{"name":"p","version":"1.0.0"}');
  write('home/project/.env', 'KEY=s3cret');
  write('home/.ssh/id_ed25519', 's3cret');
  write('home/notes.txt', 's3cret');
  write('home/.gitconfig', '[alias]\n\tx = !echo s3cret\n');
  write('home/other/code.ts', 's3cret');
  write('home/.cargo/credentials.toml', 's3cret');
  write('data/deepdesk.db', 's3cret');
  write('outside/file', 's3cret');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const write = (path: string, text: string, mode = 0o644) => writeFileSync(join(base, path), text, { mode });

interface Options {
  as?: 'nobody';
  env?: Record<string, string>;
  in?: string;
}

function sandboxWith(options: Options) {
  return createSandbox({
    found: bubblewrap,
    folder: options.in ?? folder,
    home,
    own: [join(base, 'data')],
    temporary: join(base, 'data/tmp'),
    isSecret: (path) => basename(path) === '.env',
    hosts: () => ({ allow: ['*.example.com', 'localhost:80'], deny: [] }),
    env: { PATH: '/usr/bin:/bin', ...options.env },
  });
}

async function run(command: string, options: Options = {}) {
  const box = await sandboxWith(options).enter({ cwd: options.in ?? folder, access: 'read-only' });
  const program = box.wrap({ file: '/bin/bash', args: ['-c', command] });
  const ended = await runProgram(program, options.as === undefined ? {} : { as: options.as });
  return { ...ended, ...(await box.leave(ended)) };
}

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-C', folder, ...args], {
    env: { PATH: process.env.PATH, HOME: join(base, 'outside') },
    encoding: 'utf8',
  });
function makeRepository(): void {
  git('init', '-q', '-b', 'main');
  write('home/project/.gitignore', '.env\n');
  git('add', '.');
  git('commit', '-qm', 'first');
}

describe.skipIf(whySkipped !== null)(title, () => {
  it('changes nothing in the folder, and its attempts are reported as data [safety 17]', async () => {
    const { output, refused, note } = await run(
      'echo x > src/a.txt; rm -r src; mkdir new; touch package.json',
    );
    expect(output).toContain('Read-only file system');
    expect(refused).toEqual(
      expect.arrayContaining([
        { what: 'write', name: 'src/a.txt' },
        { what: 'write', name: 'new' },
        { what: 'write', name: 'package.json' },
      ]),
    );
    expect(note).toContain('write only in /tmp');
    expect(readFileSync(join(folder, 'src/a.txt'), 'utf8')).toBe('a\n');
    expect(readdirSync(folder).sort()).toEqual(['.env', 'package.json', 'src']);
  });

  it('reads the folder but no secret in it, and gets no report if nothing was refused', async () => {
    expect(await run('cat src/a.txt; find . -name "*.txt"')).toMatchObject({
      output: 'a\n./src/a.txt\n',
      exitCode: 0,
      refused: [],
      note: null,
    });
    expect((await run('cat .env')).refused).toEqual([{ what: 'read', name: '.env' }]);
    expect((await run('grep -r s3cret . ; cp .env /tmp/x; cat /tmp/x')).output).not.toContain('s3cret');
  });

  it('sees nothing else of the person: home, other projects, data, mounted disks [safety 17]', async () => {
    const places = [
      join(home, '.ssh/id_ed25519'),
      join(home, 'notes.txt'),
      join(home, '.gitconfig'),
      join(home, 'other/code.ts'),
      join(home, '.cargo/credentials.toml'),
      join(base, 'data/deepdesk.db'),
      join(base, 'outside/file'),
    ];
    for (const path of places) {
      const { output, refused } = await run(`cat ${path}`);
      expect({ path, output, refused }).toMatchObject({
        output: expect.stringContaining('No such file'),
        refused: [{ what: 'read', name: path }],
      });
    }
    expect(
      (
        await run(
          `cat ../notes.txt ../other/*; grep -r s3cret /home /root /srv /mnt /var /etc /tmp ~ 2>/dev/null`,
        )
      ).output,
    ).not.toContain('s3cret');
  });

  it('sees what programs need of the system, but nothing private to services and other users', async () => {
    const { output } = await run(
      'for d in /mnt /media /srv /var/lib /var/log /root /boot /etc/shadow /etc/sudoers; do [ -e $d ] && ls $d; done; ls /home /etc',
    );
    const shown = new Set(output.split('\n'));
    for (const name of ['shadow', 'gshadow', 'sudoers', 'ssh', 'machine-id', 'hostname'])
      expect(shown).not.toContain(name);
    for (const name of ['passwd', 'ld.so.cache', 'alternatives']) expect(shown).toContain(name);
  });

  it("recognizes refusals whatever the person's language", async () => {
    const { refused } = await run(
      'unset LC_ALL; locale | grep -E "LC_MESSAGES|LC_CTYPE|LANGUAGE"; python3 -c "open(\'new\', \'w\')" || node -e "fs.writeFileSync(\'new\', \'\')"; echo "$LC_MESSAGES" > new',
    );
    expect(refused.map(({ what }) => what)).toContain('write');
    expect((await run('echo "$LC_MESSAGES <$LC_ALL$LANGUAGE>"')).output).toBe('C <>\n');
  });

  it('cannot list hidden folders, instead of finding them empty', async () => {
    for (const path of [home, base, dirname(base), '..']) {
      const { output, refused } = await run(`ls ${path}`);
      expect({ path, output, refused }).toMatchObject({
        output: expect.stringContaining('Permission denied'),
        refused: [{ what: 'read', name: path }],
      });
    }
  });

  it('reports the target of a link that leads out of the folder', async () => {
    execFileSync('ln', ['-s', join(home, 'notes.txt'), join(folder, 'link')]);
    expect((await run('cat link')).refused).toEqual([{ what: 'read', name: 'link' }]);
    expect((await run('cat missing; ls nowhere')).refused).toEqual([]);
  });

  it('reports a program that is missing inside but exists on this machine', async () => {
    mkdirSync(join(base, 'outside/bin'));
    mkdirSync(join(base, 'outside/lib'));
    write('outside/lib/theirs', '#!/bin/sh\necho theirs\n', 0o755);
    const program = join(base, 'outside/bin/theirs');
    execFileSync('ln', ['-s', '../lib/theirs', program]);
    const env = { PATH: `${join(base, 'outside/bin')}:/usr/bin:/bin` };
    for (const command of ['theirs', 'sh -c theirs', '/usr/bin/env theirs'])
      expect((await run(`PATH=${env.PATH}; ${command}`, { env })).refused).toEqual([
        { what: 'read', name: program },
      ]);
    expect((await run('nobodys; sh -c nobodys', { env })).refused).toEqual([]);
  });

  it('reports a missing permission, but not one that the person lacks too', async () => {
    write('home/project/plain.sh', 'echo x\n');
    write('home/project/odd.sh', `#!${join(base, 'outside/file')}\n`, 0o755);
    const lacked = [{ what: 'permission', name: '' }];
    expect((await run('unshare --user true')).refused).toEqual(lacked);
    expect((await run('./odd.sh')).refused).toEqual(lacked);
    expect((await run('echo "no: Permission denied"; false')).refused).toEqual(lacked);
    expect((await run('./plain.sh')).refused).toEqual([]);
    expect((await run('echo "no: Permission denied"')).refused).toEqual([]);
  });

  it('writes to its own /tmp and caches, and reports lost writes to the home folder', async () => {
    const { output, exitCode } = await run(
      'echo $HOME; mkdir -p ~/.cache/x ~/.npm/_logs && echo y > /tmp/deepdesk-own && cat /tmp/deepdesk-own',
    );
    expect({ output, exitCode }).toEqual({ output: `${home}\ny\n`, exitCode: 0 });
    expect(existsSync('/tmp/deepdesk-own')).toBe(false);
    expect(readdirSync(home).sort()).toEqual([
      '.cargo',
      '.gitconfig',
      '.ssh',
      'notes.txt',
      'other',
      'project',
    ]);
    expect((await run('echo x >> ~/.bashrc')).refused).toEqual([
      { what: 'write', name: join(home, '.bashrc') },
    ]);
  });

  it('finds toolchains in the home folder and on PATH unless they contain a secret', async () => {
    write('home/.cargo/bin/mytool', '#!/bin/sh\necho tool\n', 0o755);
    mkdirSync(join(base, 'outside/bin'));
    write('outside/bin/theirs', '#!/bin/sh\necho theirs\n', 0o755);
    mkdirSync(join(home, 'keys/bin'), { recursive: true });
    write('home/keys/bin/mine', '#!/bin/sh\necho mine\n', 0o755);
    write('home/keys/bin/.env', 's3cret');
    write('home/.cargo/bin/.env', 's3cret');
    const env = {
      PATH: [
        join(base, 'outside/bin'),
        join(home, 'keys/bin'),
        home,
        base,
        '/',
        '.',
        '/usr/bin',
        join(home, '.ssh'),
      ].join(':'),
    };
    const { output } = await run(
      `${join(home, '.cargo/bin/mytool')}; ${join(base, 'outside/bin/theirs')}; ${join(home, 'keys/bin/mine')}; echo x > ${join(home, '.cargo/bin/new')}; cat ${join(home, 'notes.txt')} ${join(home, '.cargo/bin/.env')}`,
      { env },
    );
    expect(output).toContain('tool\ntheirs\n');
    expect(output).not.toMatch(/mine\n|s3cret/);
    expect(existsSync(join(home, '.cargo/bin/new'))).toBe(false);
  });

  it('mounts no PATH folder that is inside the system folders', async () => {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' };
    for (const access of ['read-only', 'read-write'] as const) {
      const box = await sandboxWith({ env }).enter({ cwd: folder, access });
      const { args } = box.wrap({ file: '/bin/true', args: [] });
      const targets = args.flatMap((word, index) =>
        word === '--ro-bind-try' ? [args[index + 2] ?? ''] : [],
      );
      expect(targets).toContain('/usr');
      expect(targets.filter((path) => /bin$/.test(path) && path.startsWith('/usr/'))).toEqual([]);
      expect(new Set(targets).size).toBe(targets.length);
      await box.leave({ output: '' });
    }
    expect(await run('ls /bin/ls /usr/bin/ls && cat src/a.txt', { env })).toMatchObject({ exitCode: 0 });
  });

  it('reaches no network, whatever hosts are allowed, and reports it', async () => {
    const outside = await run('curl -sS https://www.example.com/');
    expect(outside.refused).toEqual([{ what: 'network', name: 'www.example.com' }]);
    const server = createServer((socket) => socket.end('in'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const { output, refused } = await run(`curl -sS http://127.0.0.1:${port}/`);
      expect(output).not.toBe('in');
      expect(refused).toEqual([{ what: 'network', name: '127.0.0.1' }]);
    } finally {
      server.close();
    }
  });

  it('runs the programs that people use for reading', async () => {
    makeRepository();
    write('home/project/src/a.txt', 'b\n');
    const node = realpathSync(process.execPath);
    const env = { PATH: `${dirname(node)}:/usr/bin:/bin` };
    const index = readFileSync(join(folder, '.git/index'));
    const { output, exitCode } = await run(
      'set -e; git status --short; git log --format=%s; git diff --stat | tail -1; npm ls --all; node --version; awk \'{print $1}\' src/a.txt; find . -name a.txt -not -path "./.git/*"; (ls -la; sort src/a.txt; wc -l src/a.txt; git blame src/a.txt; git show --stat; git branch -a; git ls-files) > /dev/null',
      { env },
    );
    expect({ output, exitCode }).toEqual({
      output: ` M src/a.txt\nfirst\n 1 file changed, 1 insertion(+), 1 deletion(-)\np@1.0.0 ${folder}\n└── (empty)\n\n${process.version}\nb\n./src/a.txt\n`,
      exitCode: 0,
    });
    expect(readFileSync(join(folder, '.git/index')).equals(index)).toBe(true);
    for (const tool of ['jq', 'rg'].filter((name) => existsSync(join('/usr/bin', name))))
      expect((await run(`${tool} --version`)).exitCode).toBe(0);
  });

  it('works in a worktree with an external repository, and exposes that to no folder that only claims it', async () => {
    makeRepository();
    const worktree = join(base, 'copies/one');
    git('worktree', 'add', '-q', worktree);
    expect(await run('git status --short && git log --format=%s', { in: worktree })).toMatchObject({
      output: 'first\n',
      exitCode: 0,
    });
    expect(
      (await run(`cat ${join(folder, 'src/a.txt')}; git commit --allow-empty -m x`, { in: worktree }))
        .refused,
    ).toHaveLength(2);
    const claims = join(base, 'claims');
    mkdirSync(claims);
    write('claims/.git', `gitdir: ${join(folder, '.git')}\n`);
    expect((await run(`git log; ls ${join(folder, '.git')}`, { in: claims })).output).toContain(
      'No such file',
    );
  });

  it.skipIf(!mayBeNobody)(`works for a person who is not root${noteOnNobody}`, async () => {
    makeRepository();
    giveToNobody(base);
    const { output, refused } = await run(
      `id -u; git status --short; git log --format=%s; cat ${join(home, 'notes.txt')} .env; echo x > new; grep CapEff /proc/self/status`,
      { as: 'nobody' },
    );
    expect(output).toMatch(/^65534\nfirst\n/);
    expect(output).toMatch(/CapEff:\s+0+\n/);
    expect(output).not.toContain('s3cret');
    expect(refused).toHaveLength(3);
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });

  it.skipIf(!mayBeNobody)(`lets git read another user's folder${noteOnNobody}`, async () => {
    makeRepository();
    giveToNobody(folder);
    expect(await run('git status --short && git log --format=%s')).toMatchObject({
      output: 'first\n',
      exitCode: 0,
    });
  });
});
