import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { optional } from '../../../contract/shared/optional';
import { mayBeNobody, noteOnNobody, noteOnRoot } from '../testing/bubblewrap';
import { keep } from './index';
import { base, eachTestHas, folder } from './testing/each-folder';
import { note, rehearsed, removeBundle, whyNoRehearsal, writeIn } from './testing/place';

const MB = 1024 * 1024;
const isRoot = process.getuid?.() === 0;
eachTestHas({ 'a.txt': 'a\n' });
afterAll(removeBundle);

const users = [
  ['this user', undefined, false],
  [`an ordinary user${noteOnNobody}`, 'nobody', !mayBeNobody],
] as const;

/** Reports which sockets answer; `\0` starts the name of a socket without a path. */
const connects = (paths: readonly string[]) => `node -e '
  const paths = ${JSON.stringify(paths)};
  const one = (path) => new Promise((resolve) => {
    const socket = require("net").connect(path, () => resolve("connected " + path));
    socket.on("error", (error) => resolve(error.code));
  });
  Promise.all(paths.map(one)).then((all) => console.log(all.join("\\n")))'`;

describe.skipIf(whyNoRehearsal !== null)(`a read-only command in a layer${note}`, () => {
  it('reaches no socket: in the folder, in a toolchain, outside, or without a path', async () => {
    mkdirSync(join(base, 'home/.cargo/bin'), { recursive: true });
    const paths = ['outside/s', 'home/pro:ject,1/s', 'home/.cargo/bin/s', 'home/s'].map((name) =>
      join(base, name),
    );
    const abstract = `\0deepdesk-${process.pid}`;
    const servers: Server[] = [];
    try {
      for (const path of [...paths, abstract]) {
        const server = createServer((socket) => socket.end());
        servers.push(server);
        await new Promise<void>((resolve) => server.listen(path, resolve));
      }
      const { output } = await rehearsed(base, connects([...paths, abstract]));
      expect(output.trim().split('\n')).toHaveLength(5);
      expect(output).not.toContain('connected');
      const own = `node -e 'const s = require("net").createServer((c) => c.end()).listen("own", () => require("net").connect("own", () => { console.log("answered"); s.close(); }))'`;
      expect((await rehearsed(base, own)).output).toBe('answered\n');
    } finally {
      for (const server of servers) server.close();
    }
  });

  for (const [who, as, isSkipped] of users)
    it.skipIf(isSkipped)(
      `cannot create namespaces or mounts, and has no privileges and no network, as ${who}`,
      async () => {
        const { output } = await rehearsed(
          base,
          'for kind in -U -m -n -p -i -u; do unshare $kind --fork true 2>/dev/null && echo "made $kind"; done; mount -t tmpfs x . 2>/dev/null && echo mounted; grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status; ls /sys/class/net 2>/dev/null; cat /proc/net/dev | grep -c :; kill -0 $(($(cat /proc/sys/kernel/pid_max) - 1)) 2>/dev/null; ls /proc | grep -c "^[0-9]"',
          { ...optional({ as }) },
        );
        expect(output).not.toMatch(/^made|^mounted/m);
        expect(output.match(/^Cap\w+:\s+0+$/gm)).toHaveLength(5);
        expect(output).toMatch(/NoNewPrivs:\s+1/);
        expect(output).toMatch(/Seccomp:\s+2/);
        const [interfaces, processes] = output.trim().split('\n').slice(-2).map(Number);
        expect(interfaces).toBe(1);
        expect(processes).toBeLessThan(12);
      },
    );

  it('cannot escape through a link that it leaves when that is kept', async () => {
    writeIn(base, { 'outside/f': 'outside\n' });
    const { manifest } = await rehearsed(
      base,
      `ln -s ${base}/outside away; echo x > away/f; ln -s ${base}/outside/f f; echo y > f; ls -la`,
    );
    await keep(manifest);
    expect(readFileSync(join(base, 'outside/f'), 'utf8')).toBe('outside\n');
    expect(manifest.changes.every(({ leadsOutside }) => leadsOutside === true)).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(['a.txt', 'away', 'f']);
  });

  it("writes nothing above or beside the folder, or in the app's data", async () => {
    const { exitCode } = await rehearsed(
      base,
      `echo x > ../up; echo x > ${base}/data/x; echo x > ${base}/data/layers/x; echo x > /usr/x; echo x > /etc/x; mkdir /new; echo x > /dev/x; ls -A ${base}/data`,
    );
    expect(exitCode).not.toBe(0);
    expect(readdirSync(join(base, 'data')).toSorted()).toEqual(expect.not.arrayContaining(['x']));
    expect(['/usr/x', '/etc/x', '/new', '/dev/x', join(base, 'home/up')].filter(existsSync)).toEqual([]);
  });

  it.each([
    ['bytes', 'head -c 1G /dev/zero > big', { bytes: 8 * MB }],
    ['bytes', 'i=0; while :; do head -c 1M /dev/zero > f$i; i=$((i+1)); done', { bytes: 8 * MB }],
    ['bytes', 'i=0; while :; do head -c 1M /dev/zero > ~/f$i; i=$((i+1)); done', { bytes: 8 * MB }],
    ['bytes', 'i=0; while :; do head -c 1M /dev/zero > /tmp/f$i; i=$((i+1)); done', { bytes: 8 * MB }],
    ['bytes', 'i=0; while :; do head -c 1M /dev/zero > /dev/shm/f$i; i=$((i+1)); done', { bytes: 8 * MB }],
    ['files', 'i=0; while [ $i -lt 5000 ]; do : > f$i; i=$((i+1)); done; sleep 600', { files: 300 }],
    [
      'memory',
      `node -e 'const all = []; setInterval(() => all.push(Buffer.alloc(8e6, 1)), 1)'`,
      { memory: 200 * MB },
    ],
    ['time', 'echo x > early; while :; do :; done', { time: 300 }],
  ] as const)('is killed if it exceeds a limit: %s, by %s', async (limit, command, limits) => {
    const run = await rehearsed(base, command, { limits });
    expect(run.limit).toBe(limit);
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  it('makes nobody read endless files with holes, which take no space', async () => {
    const command = 'for i in 1 2 3 4 5 6; do truncate -s 8M f$i; done; echo b > g';
    const { manifest, limit } = await rehearsed(base, command, { limits: { bytes: 8 * MB } });
    expect(limit).toBeUndefined();
    const hashed = manifest.changes.map(({ path, after }) => [path, after?.sha256 !== undefined]);
    expect(hashed.filter(([, is]) => is)).toHaveLength(4);
    expect(hashed).toHaveLength(7);
    expect((await keep(manifest)).conflicts).toEqual([]);
    expect(readFileSync(join(folder, 'f6')).equals(Buffer.alloc(8 * MB))).toBe(true);
  });

  it.skipIf(!isRoot)(`has a process limit, even as root${noteOnRoot}`, async () => {
    // Limited: the kernel does not limit root, and a fork bomb would block a slow machine for a while.
    const many = 'for i in $(seq 200); do sleep 1000 & done; wait';
    const { limit } = await rehearsed(base, many, { limits: { processes: 60 } });
    expect(limit).toBe('processes');
  });

  it.skipIf(isRoot && !mayBeNobody)(
    'has a process limit as an ordinary user, enforced by the kernel',
    async () => {
      // Bash would retry for a while.
      const bomb = `sh -c 'for i in $(seq 100); do sleep 1000 & done; echo all'`;
      const { output, exitCode, limit } = await rehearsed(base, bomb, {
        ...(isRoot ? { as: 'nobody' as const } : {}),
        limits: { processes: 60 },
      });
      expect(limit).toBe('processes');
      expect(output).toMatch(/Cannot fork|Resource temporarily unavailable/);
      expect(exitCode).not.toBe(0);
      expect(output).not.toMatch(/^all$/m);
    },
  );

  it('makes nothing ignored by writing to an ignore file', async () => {
    const { manifest } = await rehearsed(base, 'echo "*" > .gitignore; echo x > a.txt');
    expect(manifest.changes.map(({ path, ignored }) => [path, ignored])).toEqual([
      ['.gitignore', undefined],
      ['a.txt', undefined],
    ]);
  });
});
