import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanups } from '../../../base/testing/cleanups';
import { PermissionBackend } from '../policy/permissions';
import { RemoteBackend } from './remote-backend';
import { RemoteError, type RemoteTransport } from './remote-transport';
import { RemoteTree } from './remote-tree';

class Missing extends RemoteError {
  override readonly way = 'test';
  override readonly kind = 'network';
}

/** A shell of this computer whose start files print something. */
const greeting = (text: string): RemoteTransport => ({
  id: 'greeting',
  name: 'greeting',
  start: async (command) => spawn('/bin/sh', ['-c', `${text}\n${command}`], { stdio: 'pipe' }),
  terminal: async () => (command) => ({ file: '/bin/sh', args: ['-c', command] }),
  failure: async () => null,
  unstarted: () => null,
  unable: (printed) => new Missing(printed),
  missing: ({ message }) => new Missing(message),
  drop: async () => undefined,
  close: async () => undefined,
});

it.each([
  ['nothing', ':'],
  ['a greeting', 'echo Welcome'],
  ['more than fits in memory', 'head -c 300000 /dev/zero'],
])('works with a shell that starts with %s', async (_name, text) => {
  const root = mkdtempSync(join(tmpdir(), 'remote-'));
  cleanups.push(() => rmSync(root, { recursive: true, force: true }));
  const backend = new RemoteBackend(greeting(text), { root });
  expect(await backend.write('/a.txt', 'one\ntwo\n')).not.toHaveProperty('error');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  expect((await backend.ls('/')).files?.map(({ path }) => path)).toEqual(['/a.txt']);
  expect((await backend.read('/a.txt')).content).toBe('one\ntwo');
  const [file] = await backend.downloadFiles(['/a.txt']);
  expect(Buffer.from(file?.content ?? []).toString()).toBe('one\ntwo\n');
  expect((await backend.grep('two')).matches).toMatchObject([{ path: '/a.txt', line: 2 }]);
  expect(await backend.execute('pwd; exit 3')).toMatchObject({ output: `${root}\n`, exitCode: 3 });
});

it.each([0, 1])('says what came instead of a command that never started, with status %i', async (status) => {
  const backend = new RemoteBackend(greeting(`echo No shell.; echo Go away. >&2; exit ${status}`), {});
  const error = 'Error: no test. No shell.\nGo away.';
  await expect(backend.probe('true')).rejects.toThrow('No shell.');
  expect(await backend.execute('true')).toMatchObject({ output: error, exitCode: 1 });
  expect(await backend.write('/a', 'x')).toEqual({ error, kind: 'network' });
});

it('keeps the output of a command whose connection broke, and says that how it ended is unknown', async () => {
  const cut = (text: string): RemoteTransport => ({
    ...greeting(text),
    failure: async (exitCode) => (exitCode === null ? new Missing('It broke.') : null),
  });
  const backend = new RemoteBackend(cut(':'), { root: tmpdir() });
  // The local program ends with the connection.
  const { output, exitCode } = await backend.execute('echo half; kill -9 $PPID; sleep 1');
  expect(output).toMatch(
    /^half\n\n\[The connection to greeting was lost, so how the command ended is unknown\./,
  );
  expect(exitCode).toBeNull();
  await expect(backend.probe('kill -9 $PPID; sleep 1')).rejects.toThrow('It broke.');
  const never = new RemoteBackend(cut('kill -9 $$'), { root: tmpdir() });
  expect(await never.execute('echo half')).toMatchObject({
    output: 'Error: no test. It broke.',
    exitCode: 1,
  });
});

it('answers under rules that the connection is lost, not that access is denied', async () => {
  const rules = [{ operations: ['read'], paths: ['/private/**'], mode: 'deny' }] as const;
  const gone = new RemoteBackend(
    { ...greeting('kill -9 $$'), failure: async () => new Missing('It broke.') },
    { root: tmpdir() },
  );
  const answer = { kind: 'network', error: 'Error: no test. It broke.' };
  await expect(gone.realPath('/a.txt')).rejects.toMatchObject({ failure: answer });
  expect(await new PermissionBackend(gone, rules).read('/a.txt')).toEqual(answer);
});

it('starts nothing if the call is cancelled just before', async () => {
  let starts = 0;
  const { start, ...rest } = greeting(':');
  const transport: RemoteTransport = {
    ...rest,
    start: (command) => {
      starts += 1;
      return start(command);
    },
  };
  const stop = new AbortController();
  const running = new RemoteBackend(transport, { root: tmpdir() }).execute('echo hi', {
    signal: stop.signal,
    beforeStart: async () => stop.abort(new Error('stopped')),
  });
  await expect(running).rejects.toThrow('stopped');
  expect(starts).toBe(0);
});

/** Bytes of names in `latin1`, and their text form. */
const NAMES: readonly [bytes: string, text: string][] = [
  ['b\xffd.txt', 'b\\xffd.txt'],
  ['b\\xffd.txt', 'b\\x5cxffd.txt'],
  ["\nit's \xe9\xe8 $(touch x)", "\nit's \\xe9\\xe8 $(touch x)"],
];

it.skipIf(process.platform !== 'linux')(
  'reads, changes, moves and deletes files whose names are not UTF-8',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'remote-'));
    cleanups.push(() => rmSync(root, { recursive: true, force: true }));
    const onDisk = (name: string) => Buffer.from(`${root}/d\xe4/${name}`, 'latin1');
    mkdirSync(onDisk(''));
    for (const [name] of NAMES) writeFileSync(onDisk(name), 'needle');
    const backend = new RemoteBackend(greeting(':'), { root });
    const tree = new RemoteTree((command) => backend.probe(command), root);
    const paths = NAMES.map(([, text]) => `/d\\xe4/${text}`).sort();
    const listed = (found: { files?: { path: string }[]; matches?: { path: string }[] }) =>
      (found.files ?? found.matches)?.map(({ path }) => path).sort();
    expect(listed(await backend.ls('/'))).toEqual(['/d\\xe4/']);
    expect(listed(await backend.ls('/d\\xe4'))).toEqual(paths);
    expect(listed(await backend.glob('**'))).toEqual(paths);
    expect(listed(await backend.grep('needle'))).toEqual(paths);
    for (const [name, text] of NAMES) {
      const path = `/d\\xe4/${text}`;
      expect((await backend.read(path)).content).toBe('needle');
      expect(await backend.realPath(path)).toBe(path);
      expect(await backend.edit(path, 'needle', 'thread')).toMatchObject({ path, occurrences: 1 });
      expect(readFileSync(onDisk(name), 'utf8')).toBe('thread');
      expect(await tree.move(path, `${path}-moved`)).toBeNull();
      expect(existsSync(onDisk(`${name}-moved`))).toBe(true);
      expect(await backend.delete(`${path}-moved`)).toMatchObject({ path: `${path}-moved` });
    }
    const large = new Uint8Array(60_000).fill(0xe9);
    expect(await backend.uploadFiles([['/d\\xe4/\\xff', large]])).toMatchObject([{ error: null }]);
    expect((await backend.downloadFiles(['/d\\xe4/\\xff']))[0]?.content).toEqual(large);
    expect(readdirSync(onDisk(''), 'latin1')).toEqual(['\xff']);
  },
);

it.each([
  [
    'download',
    'head',
    (backend: RemoteBackend, signal: AbortSignal) => backend.readRaw('/a.txt', { signal }),
  ],
  [
    'upload',
    'cat',
    (backend: RemoteBackend, signal: AbortSignal) =>
      backend.write('/a.txt', 'x'.repeat(60_000), { signal, createOnly: false }),
  ],
])('ends a %s as soon as it is stopped', async (_name, program, work) => {
  const root = mkdtempSync(join(tmpdir(), 'remote-'));
  cleanups.push(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'a.txt'), 'one');
  // The program never ends, as on a line that no longer moves.
  const { start, ...rest } = greeting(`${program}() { exec sleep 3600; }`);
  const children: ChildProcess[] = [];
  const backend = new RemoteBackend(
    {
      ...rest,
      start: async (command) => {
        const child = await start(command);
        children.push(child);
        return child;
      },
    },
    { root },
  );
  const controller = new AbortController();
  const working = work(backend, controller.signal);
  await expect.poll(() => children.length).toBe(2);
  controller.abort(new Error('stopped'));
  await expect(working).rejects.toThrow('stopped');
  await expect.poll(() => children[1]?.signalCode).toBe('SIGKILL');
  await expect.poll(() => readdirSync(root)).toEqual(['a.txt']);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one');
});
