import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeBackend } from './backend.contract';
import { isSandboxBackend } from './protocol';
import { SandboxBackend, type SandboxClient } from './sandbox';

/** A real shell of this machine in the place of a remote one. */
function localShell(shell: string, args: string[], asked: string[] = []): SandboxClient {
  return {
    id: `local-${shell}`,
    execute: (command) => {
      asked.push(command);
      return new Promise((resolve) =>
        execFile(shell, [...args, '-c', command], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
          resolve({
            output: stdout + stderr,
            exitCode: error === null ? 0 : typeof error.code === 'number' ? error.code : 1,
            truncated: false,
          }),
        ),
      );
    },
    uploadFiles: async (files) =>
      files.map(([path, content]) => {
        writeFileSync(path, content);
        return { path, error: null };
      }),
    downloadFiles: (paths) =>
      paths.map((path) =>
        existsSync(path) && statSync(path).isFile()
          ? { path, content: new Uint8Array(readFileSync(path)), error: null }
          : { path, content: null, error: 'file_not_found' as const },
      ),
  };
}

const hasBusybox = (() => {
  try {
    execFileSync('busybox', ['true']);
    return true;
  } catch {
    return false;
  }
})();

const shells: [string, string, string[]][] = [
  ['sh', '/bin/sh', []],
  ...(hasBusybox ? [['busybox sh', 'busybox', ['sh']] satisfies [string, string, string[]]] : []),
];

for (const [title, shell, args] of shells)
  describeBackend(`SandboxBackend on ${title}`, async () => {
    const root = mkdtempSync(join(tmpdir(), 'deepdesk-sandbox-'));
    return {
      backend: new SandboxBackend(localShell(shell, args), { root }),
      forgetsCreation: true,
      close: () => rmSync(root, { recursive: true, force: true }),
    };
  });

describe('SandboxBackend', () => {
  const setUp = () => {
    const root = mkdtempSync(join(tmpdir(), 'deepdesk-sandbox-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const asked: string[] = [];
    return { root, asked, backend: new SandboxBackend(localShell('/bin/sh', [], asked), { root }) };
  };

  it('H22 H23 runs commands as they are, with their status', async () => {
    const { backend } = setUp();
    expect(await backend.execute('echo out; echo err >&2; exit 42')).toEqual({
      output: 'out\nerr\n',
      exitCode: 42,
      truncated: false,
    });
    expect(isSandboxBackend(backend)).toBe(true);
  });

  it('H1 is no sandbox before it has an id', () => {
    expect(isSandboxBackend(new SandboxBackend({ ...localShell('/bin/sh', []), id: '' }))).toBe(false);
  });

  it('takes no path or pattern for a command', async () => {
    const { root, backend } = setUp();
    const names = ["/it's $(touch x) `touch x`", '/a\nb', '/-rf', '/"; touch x; "'];
    for (const name of names) {
      expect((await backend.write(name, `text of ${name}`)).error).toBeUndefined();
      expect((await backend.readRaw(name)).data?.content).toBe(`text of ${name}`);
    }
    expect((await backend.ls('/')).files?.map(({ path }) => path)).toEqual([...names].sort());
    expect((await backend.glob('*')).files?.map(({ path }) => path)).toEqual([...names].sort());
    expect((await backend.grep("'; touch x; '")).matches).toEqual([]);
    expect((await backend.grep("it's $(touch x)")).matches?.map(({ path }) => path)).toEqual([names[0]]);
    for (const name of names) expect((await backend.delete(name)).error).toBeUndefined();
    expect(existsSync(join(root, 'x'))).toBe(false);
    expect((await backend.ls('/')).files).toEqual([]);
  });

  it('leaves nothing beside a file, and deletes a link without what it leads to', async () => {
    const { root, backend } = setUp();
    await backend.write('/d/a', 'one');
    await backend.edit('/d/a', 'one', 'two');
    symlinkSync(join(root, 'd'), join(root, 'link'));
    await backend.delete('/link');
    expect((await backend.ls('/')).files?.map(({ path }) => path)).toEqual(['/d/']);
    expect((await backend.ls('/d')).files?.map(({ path }) => path)).toEqual(['/d/a']);
  });

  it('fetches only the files that hold what is searched', async () => {
    const { backend, root } = setUp();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), name === 'b' ? 'needle' : 'hay');
    const fetched: string[] = [];
    const client = localShell('/bin/sh', []);
    const counting = new SandboxBackend(
      {
        ...client,
        downloadFiles: (paths) => {
          fetched.push(...paths);
          return client.downloadFiles(paths);
        },
      },
      { root },
    );
    expect(await counting.grep('needle')).toEqual(await backend.grep('needle'));
    expect(fetched).toEqual([join(root, 'b')]);
  });
});
