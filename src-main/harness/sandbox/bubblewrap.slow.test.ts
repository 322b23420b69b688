import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxedCall } from '../../contract/shared/sandbox';
import type { SandboxAccess } from '../backends/commands';
import { findBridge } from './bridge';
import { createSandbox } from './index';
import {
  bubblewrap,
  folderForTest,
  mayBeNobody,
  removeTestFolder,
  runProgram,
  skippedNote,
  whySkipped,
} from './testing/bubblewrap';

const title = `a command in bubblewrap${skippedNote}`;

let base = '';
let folder = '';
let home = '';
let calls: [string, SandboxedCall][] = [];
beforeEach(() => {
  base = folderForTest();
  folder = join(base, 'project');
  home = join(base, 'home');
  calls = [];
  for (const path of ['project/src', 'project/.git/hooks', 'home/.ssh', 'home/.config/gh', 'data'])
    mkdirSync(join(base, path), { recursive: true });
  write('project/src/a.txt', 'a\n');
  write('project/.env', 'KEY=1');
  write('project/.git/config', '[core]\n\tbare = false\n');
  write('home/.ssh/id_ed25519', 'private');
  write('home/.netrc', 'password');
  write('home/notes.txt', 'notes');
  write('data/deepdesk.db', 'data');
  write('outside.txt', 'as it was');
});
afterEach(() => removeTestFolder(base));

const write = (path: string, text: string) => writeFileSync(join(base, path), text);
const read = (path: string) => readFileSync(join(base, path), 'utf8');

let found = bubblewrap;
const sandbox = (hosts: { allow: string[]; deny?: string[] } = { allow: [] }) =>
  createSandbox({
    found,
    folder,
    home,
    own: [join(base, 'data')],
    temporary: join(base, 'data/tmp'),
    isSecret: (path) => path.endsWith('/.env'),
    hosts: () => ({ deny: [], ...hosts }),
    onCommand: (callId, call) => calls.push([callId, call]),
  });

interface RunOptions {
  hosts?: Parameters<typeof sandbox>[0];
  as?: 'nobody';
  access?: SandboxAccess;
}

async function run(command: string, options: RunOptions = {}) {
  const { access = 'read-write' } = options;
  const box = await sandbox(options.hosts).enter({ cwd: folder, callId: 'c', access });
  const program = box.wrap({ file: '/bin/bash', args: ['-c', command] });
  const ended = await runProgram(program, options.as === undefined ? {} : { as: options.as });
  return { ...ended, ...(await box.leave(ended)) };
}

describe.skipIf(whySkipped !== null)(title, () => {
  it('writes in the folder and in a private /tmp, which the next command finds', async () => {
    expect(await run('echo new > src/b.txt; echo kept > /tmp/deepdesk-kept; echo $TMPDIR')).toMatchObject({
      output: '/tmp\n',
      exitCode: 0,
      note: null,
    });
    expect(read('project/src/b.txt')).toBe('new\n');
    expect(existsSync('/tmp/deepdesk-kept')).toBe(false);
    expect((await run('cat /tmp/deepdesk-kept')).output).toBe('kept\n');
  });

  it('keeps its exit code or signal', async () => {
    expect((await run('exit 7')).exitCode).toBe(7);
    expect((await run('kill -KILL $$')).exitCode).toBe(137);
  });

  it('writes nowhere else, and the report says so', async () => {
    const { output, note } = await run(
      `echo x > ${join(base, 'outside.txt')}; echo x > ${join(home, 'new')}`,
    );
    expect(output).toContain('Read-only file system');
    expect(note).toContain(`did not let it write ${join(base, 'outside.txt')}; write ${join(home, 'new')}.`);
    expect(note).not.toContain('outside_sandbox');
    expect(read('outside.txt')).toBe('as it was');
    expect(existsSync(join(home, 'new'))).toBe(false);
    expect(calls).toEqual([
      ['c', { refused: [] }],
      [
        'c',
        {
          refused: [
            { what: 'write', name: join(base, 'outside.txt') },
            { what: 'write', name: join(home, 'new') },
          ],
        },
      ],
    ]);
  });

  it('finds only system, home and folder on the disk, and cannot list the rest [safety 17]', async () => {
    const neighbor = join(base, 'neighbor');
    mkdirSync(neighbor);
    const { output, refused } = await run(
      `cat ${join(base, 'outside.txt')}; ls ${base}; ls ${neighbor} /var/lib /mnt`,
    );
    expect(output).not.toContain('as it was');
    expect(refused).toEqual(
      expect.arrayContaining(
        [join(base, 'outside.txt'), base, neighbor].map((name) => ({ what: 'read', name })),
      ),
    );
  });

  it('writes nothing outside through a link in the folder', async () => {
    symlinkSync(join(base, 'outside.txt'), join(folder, 'link'));
    expect((await run('echo x > link')).exitCode).not.toBe(0);
    expect(read('outside.txt')).toBe('as it was');
  });

  it("finds the person's keys hidden and the rest of the home folder visible", async () => {
    const secrets = [join(home, '.ssh/id_ed25519'), join(home, '.netrc'), join(folder, '.env')];
    for (const path of secrets) {
      const { output, exitCode, note } = await run(`cat ${path}`);
      expect({ path, exitCode, output }).toMatchObject({
        exitCode: 1,
        output: expect.stringContaining('Permission denied'),
      });
      expect(note).toContain(`read ${path}`);
    }
    expect((await run(`ls ${join(home, '.config/gh')} ${join(base, 'data')}`)).exitCode).not.toBe(0);
    expect((await run(`cat ${join(home, 'notes.txt')}`)).output).toBe('notes');
  });

  it('finds a secret hidden even if its folder is a link', async () => {
    mkdirSync(join(base, 'elsewhere'));
    write('elsewhere/key', 'private');
    symlinkSync(join(base, 'elsewhere'), join(home, '.aws'));
    expect((await run(`cat ${join(home, '.aws/key')} ${join(base, 'elsewhere/key')}`)).output).not.toContain(
      'private',
    );
  });

  it('works in a folder inside a hidden place', async () => {
    folder = join(base, 'data/sample');
    mkdirSync(folder);
    expect(await run(`echo x > a; cat a ${join(base, 'data/deepdesk.db')}`)).toMatchObject({
      output: expect.stringMatching(/^x\n.*No such file/),
    });
    expect(read('data/sample/a')).toBe('x\n');
    expect((await run(`echo x > ${join(base, 'data/new')}`)).output).toMatch(/Read-only|Permission denied/);
  });

  it('cannot change git hooks or configuration, even in a nested repository, but can commit', async () => {
    mkdirSync(join(folder, 'lib/inner/.git/hooks'), { recursive: true });
    mkdirSync(join(folder, '.vscode'));
    write('project/.envrc', 'as it was');
    const { output } = await run(
      [
        'echo x > .git/hooks/pre-commit',
        'echo x >> .git/config',
        'echo x > lib/inner/.git/hooks/post-checkout',
        'echo x > .vscode/tasks.json',
        'echo x > .envrc',
        'rm -rf .git/hooks',
        'mv .git .git-aside',
        'echo x > .git/ORIG_HEAD && echo written',
      ].join('; '),
    );
    expect(output).toContain('written');
    expect(existsSync(join(folder, '.git/hooks/pre-commit'))).toBe(false);
    expect(existsSync(join(folder, 'lib/inner/.git/hooks/post-checkout'))).toBe(false);
    expect(existsSync(join(folder, '.vscode/tasks.json'))).toBe(false);
    expect(read('project/.git/config')).toBe('[core]\n\tbare = false\n');
    expect(read('project/.envrc')).toBe('as it was');
  });

  it('cannot create hooks if git has no hooks folder yet', async () => {
    rmSync(join(folder, '.git/hooks'), { recursive: true });
    await run('mkdir -p .git/hooks; echo x > .git/hooks/pre-commit');
    expect(existsSync(join(folder, '.git/hooks/pre-commit'))).toBe(false);
  });

  it('is reported for hooks in a repository that it created', async () => {
    expect((await run('git init -q plain')).note).toBeNull();
    const { note } = await run('git init -q sub && echo x > sub/.git/hooks/post-checkout');
    expect(note).toContain('It created sub/.git, which other programs run');
  });

  it('commits with git, and hooks and configuration stay unchanged', async () => {
    rmSync(join(folder, '.git'), { recursive: true });
    const git = 'git -c user.name=a -c user.email=a@b.c';
    const { exitCode } = await runProgram({ file: 'git', args: ['init', '-q', folder] });
    expect(exitCode).toBe(0);
    const { output } = await run(
      `git init -q other; ${git} add src && ${git} commit -qm first && git log --format=%s && git checkout -q -b next && git branch --show-current; git config a.b c`,
    );
    expect(output).toContain('first\nnext\n');
    expect(output).toMatch(/config.*(Device or resource busy|Read-only)/);
  });

  it('cannot escape through its own namespaces', async () => {
    const { output } = await run(
      `unshare -Urm sh -c 'umount ${join(home, '.ssh')}; umount /run; mount -o remount,rw,bind / ; mount -o remount,rw,bind ${join(folder, '.git/hooks')}; cat ${join(home, '.ssh/id_ed25519')}; echo x > .git/hooks/a; echo x > ${join(base, 'outside.txt')}'; ls /proc/1/root${home}/.ssh`,
    );
    expect(output).not.toContain('private');
    expect(existsSync(join(folder, '.git/hooks/a'))).toBe(false);
    expect(read('outside.txt')).toBe('as it was');
  });

  it("preserves the hooks folder from git's configuration", async () => {
    write('project/.git/config', '[core]\n\thooksPath = .husky/_\n');
    mkdirSync(join(folder, '.husky/_'), { recursive: true });
    await run('echo x > .husky/_/pre-commit');
    expect(existsSync(join(folder, '.husky/_/pre-commit'))).toBe(false);
  });

  it('is reported for new files that other programs load', async () => {
    const { note } = await run('mkdir .vscode && echo {} > .vscode/tasks.json');
    expect(note).toContain('It created .vscode');
    expect(calls.at(-1)).toEqual(['c', { refused: [], made: ['.vscode'] }]);
  });

  it('reaches no server of this machine with any program', async () => {
    let reached = 0;
    const server = createServer((socket) => {
      reached += 1;
      socket.on('error', () => undefined).end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const node = `${process.execPath} -e "require('net').connect(${port},'127.0.0.1').on('data',d=>console.log(''+d)).on('error',e=>console.log(e.code))"`;
      const { output } = await run(
        `(echo hi > /dev/tcp/127.0.0.1/${port}); curl -sS http://127.0.0.1:${port}/; ${node}`,
      );
      expect(output).toContain('Connection refused');
      expect(reached).toBe(0);
    } finally {
      server.close();
    }
  });

  it('reaches no host name, and the report names it', async () => {
    const { exitCode, note } = await run('curl -sS https://registry.example.com/');
    expect(exitCode).not.toBe(0);
    expect(note).toContain('reach registry.example.com');
  });

  it('finds no socket of system services', async () => {
    const socket = '/run/deepdesk-test.sock';
    if (!mayBeNobody) return;
    const server = createServer((connection) => connection.end('in'));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    try {
      const connect = `${process.execPath} -e "require('net').connect('${socket}').on('data',d=>console.log(''+d)).on('error',e=>console.log(e.code))"`;
      expect((await run(`ls /run /run/docker.sock; ${connect}`)).output).not.toContain('in\n');
    } finally {
      server.close();
    }
  });

  it('cannot type into the terminal or see other processes', async () => {
    const { output } = await run(
      'echo x > /dev/tty; ls -d /proc/[0-9]* | wc -l; hostname > /dev/null; id -u',
    );
    expect(output).toContain('No such device');
    expect(Number(output.split('\n').find((line) => /^\d+$/.test(line)))).toBeLessThan(10);
    expect((await run('grep CapEff /proc/self/status')).output).toMatch(/CapEff:\s+0+\n/);
    expect((await run('grep NoNewPrivs /proc/self/status')).output).toMatch(/1\n/);
  });

  it('cannot change settings of the machine, even as root', async () => {
    const settings = ['acpi', 'bus', 'driver', 'fs', 'irq', 'pressure', 'scsi', 'sys/vm', 'sysrq-trigger'];
    const places = settings.map((name) => `/proc/${name}`).join(' ');
    for (const access of ['read-write', 'read-only'] as const) {
      // Writes what is there already, should it succeed.
      const setting = '/proc/sys/kernel/core_pattern';
      const { output } = await run(
        `find ${places} -type f -writable 2>/dev/null; (cat ${setting} > ${setting}) 2>/dev/null && echo changed; cat /proc/sys/kernel/ostype`,
        { access },
      );
      expect(output).toBe('Linux\n');
    }
  });

  it('gets no descriptor that this process inherited from the program that started it', async () => {
    const box = await sandbox().enter({ cwd: folder });
    const { file, args } = box.wrap({ file: '/bin/ls', args: ['/proc/self/fd'] });
    const opening = `exec 5<"$1" 9<"$1" 11<"$1" 251<"$1"; shift; exec "$@"`;
    const own = ['-c', opening, 'bash', join(base, 'outside.txt'), file, ...args];
    const { output } = await runProgram({ file: '/bin/bash', args: own });
    expect(output).toBe('0\n1\n2\n3\n');
  });

  it.skipIf(!mayBeNobody)(
    `works for a person who is not root${mayBeNobody ? '' : ' (skipped: no other user can be taken on here)'}`,
    async () => {
      for (const path of ['', 'project', 'project/src', 'home', 'home/.ssh', 'data', 'data/tmp']) {
        mkdirSync(join(base, path), { recursive: true });
        chmodSync(join(base, path), 0o777);
      }
      for (const path of ['home/.ssh/id_ed25519', 'home/.netrc', 'project/.env', 'outside.txt'])
        chmodSync(join(base, path), 0o666);
      const { output, note } = await run(
        `id -u; echo x > b; cat ${join(home, '.ssh/id_ed25519')} ${join(home, '.netrc')} .env; echo x > ${join(base, 'outside.txt')}; grep CapEff /proc/self/status`,
        { as: 'nobody' },
      );
      expect(output).toContain('65534');
      expect(output).toMatch(/CapEff:\s+0+\n/);
      expect(output).not.toMatch(/private|password|KEY=1/);
      expect(read('outside.txt')).toBe('as it was');
      expect(read('project/b')).toBe('x\n');
      expect(note).toContain('did not let it');
    },
  );
});

describe.skipIf(whySkipped !== null || bubblewrap.bridge === null)(
  `hosts that the sandbox allows${skippedNote || (bubblewrap.bridge === null ? ' (skipped: neither perl nor python3 is installed)' : '')}`,
  () => {
    let server: Server;
    let port = 0;
    let asked: string[] = [];
    beforeEach(async () => {
      asked = [];
      server = createHttpServer((request, response) => {
        asked.push(`${request.method} ${request.url} ${request.headers.host}`);
        response.end(`answer to ${request.url}`);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
    });
    afterEach(() => server.close());
    /** Uses a host that commands do not take for their own loopback. */
    const curl = (url: string, more = '') => `curl -sS --noproxy '' ${more} ${url}`;

    it('are reached through the proxy, both plain and through a tunnel', async () => {
      const hosts = { allow: [`localhost:${port}`] };
      const url = `http://localhost:${port}/a?b=1`;
      expect(await run(`${curl(url)}; ${curl(url, '-p')}`, { hosts })).toMatchObject({
        output: 'answer to /a?b=1answer to /a?b=1',
        exitCode: 0,
        note: null,
      });
      expect(asked).toEqual([`GET /a?b=1 localhost:${port}`, `GET /a?b=1 localhost:${port}`]);
    });

    it('include ports of this computer, which programs reach without a proxy', async () => {
      const other = createHttpServer((_request, response) => response.end('no'));
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const closed = (other.address() as AddressInfo).port;
      try {
        const hosts = { allow: [`localhost:${port}`, 'example.com'] };
        const command = `curl -sS http://localhost:${port}/a; curl -sS http://127.0.0.1:${port}/b; curl -s http://127.0.0.1:${closed}/; echo " $?"`;
        expect(await run(command, { hosts })).toMatchObject({
          output: 'answer to /aanswer to /b 7\n',
          note: null,
        });
        expect(asked).toEqual([`GET /a localhost:${port}`, `GET /b 127.0.0.1:${port}`]);
      } finally {
        other.close();
      }
    });

    it('are the only ones reached, and others that were requested are reported', async () => {
      const hosts = { allow: [`localhost:${port}`], deny: ['no.example.com'] };
      const { output, note } = await run(
        `${curl(`http://127.0.0.1:${port}/`)}; curl -sS https://other.example.com/; curl -sS http://no.example.com/`,
        { hosts },
      );
      expect(output).toContain('does not let commands reach');
      expect(note).toContain('other.example.com');
      expect(note).toContain('no.example.com');
      expect(note).toContain(`reach only localhost:${port}`);
      expect(asked).toEqual([]);
    });

    it('carry a large body completely in both directions', async () => {
      const sized = createHttpServer((request, response) => request.pipe(response));
      await new Promise<void>((resolve) => sized.listen(0, '127.0.0.1', resolve));
      const at = (sized.address() as AddressInfo).port;
      try {
        const command = `head -c 3000000 /dev/zero | tr '\\0' 'x' > big; ${curl(`http://localhost:${at}/`, '-p --data-binary @big -o back')}; cmp big back && wc -c < back`;
        expect((await run(command, { hosts: { allow: [`localhost:${at}`] } })).output.trim()).toBe('3000000');
      } finally {
        sized.close();
      }
    });

    const python = findBridge((path) => path.endsWith('python3') && existsSync(path));
    it.skipIf(python === null)(
      `are reached with python3 if perl is missing${python === null ? ' (skipped: python3 is not installed)' : ''}`,
      async () => {
        found = { ...bubblewrap, bridge: python };
        const hosts = { allow: [`localhost:${port}`] };
        const direct = `curl -sS http://localhost:${port}/b`;
        expect(await run(`${curl(`http://localhost:${port}/a`, '-p')}; ${direct}`, { hosts })).toMatchObject({
          output: 'answer to /aanswer to /b',
          exitCode: 0,
        });
        found = bubblewrap;
      },
    );

    it('leave nothing behind', async () => {
      const box = await sandbox({ allow: [`localhost:${port}`] }).enter({ cwd: folder });
      const program = box.wrap({ file: '/bin/bash', args: ['-c', 'ls /run/deepdesk-net'] });
      const socketFolder = program.args[program.args.indexOf('/run/deepdesk-net') - 1] ?? '';
      expect(existsSync(socketFolder)).toBe(true);
      const ended = await runProgram(program);
      await box.leave(ended);
      expect(ended.output).toBe(`local-${port}\nproxy\n`);
      expect(existsSync(socketFolder)).toBe(false);
    });
  },
);
