import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as published from 'deepagents';
import {
  LangSmithResourceNotFoundError,
  LangSmithSandboxError,
  type Sandbox,
  SandboxClient,
} from 'langsmith/experimental/sandbox';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeBackend } from './backend.contract';
import { LangSmithSandbox } from './langsmith-sandbox';
import { SandboxBackend } from './sandbox';

/** A sandbox of LangSmith's client that is this machine. */
function fakeSandbox(calls: unknown[] = []): Sandbox {
  return {
    name: 'box-1',
    run: (command: string, { timeout }: { timeout: number }) =>
      new Promise((resolve) => {
        calls.push(['run', timeout]);
        execFile('/bin/sh', ['-c', command], { maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
          resolve({ stdout, stderr, exit_code: error === null ? 0 : Number(error.code) }),
        );
      }),
    read: async (path: string) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined) throw new LangSmithResourceNotFoundError('not there', 'file');
      if (stats.isDirectory()) throw new LangSmithSandboxError(`${path} is a directory`);
      return new Uint8Array(readFileSync(path));
    },
    write: async (path: string, content: Uint8Array) => {
      if (path.startsWith('/proc/')) throw new LangSmithSandboxError('read-only');
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    },
    delete: async () => void calls.push('delete'),
    start: async (options: object) => void calls.push(['start', options]),
    stop: async () => void calls.push('stop'),
    captureSnapshot: async (name: string) => ({ id: 'snapshot-1', name }),
  } as unknown as Sandbox;
}

describeBackend('LangSmithSandbox', async () => {
  const root = mkdtempSync(join(tmpdir(), 'deepdesk-langsmith-'));
  return {
    backend: new SandboxBackend(new LangSmithSandbox({ sandbox: fakeSandbox() }), { root }),
    forgetsCreation: true,
    close: () => rmSync(root, { recursive: true, force: true }),
  };
});

describe.each([
  ['the published package', published.LangSmithSandbox],
  ['ours', LangSmithSandbox as unknown as typeof published.LangSmithSandbox],
])('LangSmithSandbox of %s', (_name, Class) => {
  afterEach(() => vi.restoreAllMocks());

  it('runs commands with its time limit, or that of the call', async () => {
    const calls: unknown[] = [];
    const sandbox = new Class({ sandbox: fakeSandbox(calls), defaultTimeout: 60 });
    expect(await sandbox.execute('echo out; echo err >&2; exit 3')).toEqual({
      output: 'out\n\nerr\n',
      exitCode: 3,
      truncated: false,
    });
    await sandbox.execute('true', { timeout: 5 });
    await new Class({ sandbox: fakeSandbox(calls) }).execute('true');
    expect(calls).toEqual([
      ['run', 60],
      ['run', 5],
      ['run', 1_800],
    ]);
    expect(sandbox.id).toBe('box-1');
  });

  it('transfers bytes, and says what is missing, a directory, or refused', async () => {
    const root = mkdtempSync(join(tmpdir(), 'deepdesk-langsmith-'));
    const sandbox = new Class({ sandbox: fakeSandbox() });
    const bytes = Uint8Array.of(0, 255, 10, 13);
    const path = join(root, 'a.bin');
    const uploads: [string, Uint8Array][] = [
      [path, bytes],
      ['/proc/no', bytes],
    ];
    expect(await sandbox.uploadFiles(uploads)).toEqual([
      { path, error: null },
      { path: '/proc/no', error: 'permission_denied' },
    ]);
    const missing = join(root, 'no');
    expect(await sandbox.downloadFiles([path, missing, root])).toEqual([
      { path, content: bytes, error: null },
      { path: missing, content: null, error: 'file_not_found' },
      { path: root, content: null, error: 'is_directory' },
    ]);
    rmSync(root, { recursive: true });
  });

  it('stops, starts, takes snapshots and closes', async () => {
    const calls: unknown[] = [];
    const sandbox = new Class({ sandbox: fakeSandbox(calls) });
    expect(sandbox.isRunning).toBe(true);
    await sandbox.stop();
    expect(sandbox.isRunning).toBe(false);
    await sandbox.start({ timeout: 9 });
    expect(sandbox.isRunning).toBe(true);
    expect(await sandbox.captureSnapshot('mine')).toMatchObject({ id: 'snapshot-1', name: 'mine' });
    await sandbox.close();
    expect(sandbox.isRunning).toBe(false);
    expect(calls).toEqual(['stop', ['start', { timeout: 9 }], 'delete']);
  });

  it('is created from a snapshot, or from a template', async () => {
    const create = vi.spyOn(SandboxClient.prototype, 'createSandbox').mockResolvedValue(fakeSandbox());
    const sandbox = await Class.create({ snapshotId: 's-1', apiKey: 'key', vCpus: 2 });
    expect(sandbox.id).toBe('box-1');
    await Class.create({ templateName: 'small', apiKey: 'key' });
    expect(create.mock.calls).toEqual([
      ['s-1', { vCpus: 2 }],
      [undefined, { snapshotName: 'small' }],
    ]);
    await expect(Class.create({ apiKey: 'key' })).rejects.toThrow('snapshotId');
    await expect(Class.create({ apiKey: 'key', snapshotId: 'a', templateName: 'b' })).rejects.toThrow(
      'snapshotId',
    );
  });
});
