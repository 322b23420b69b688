import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as published from 'deepagents';
import { SandboxClient } from 'langsmith/experimental/sandbox';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeBackend } from '../backend.contract';
import { langSmithBox } from '../testing/langsmith-box';
import { LangSmithSandbox } from './langsmith-sandbox';
import { SandboxBackend } from './sandbox';

describeBackend('LangSmithSandbox', async () => {
  const root = mkdtempSync(join(tmpdir(), 'deepdesk-langsmith-'));
  return {
    backend: new SandboxBackend(new LangSmithSandbox({ sandbox: langSmithBox() }), { root }),
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
    const sandbox = new Class({ sandbox: langSmithBox(calls), defaultTimeout: 60 });
    expect(await sandbox.execute('echo out; echo err >&2; exit 3')).toEqual({
      output: 'out\n\nerr\n',
      exitCode: 3,
      truncated: false,
    });
    await sandbox.execute('true', { timeout: 5 });
    await new Class({ sandbox: langSmithBox(calls) }).execute('true');
    expect(calls).toEqual([
      ['run', 60],
      ['run', 5],
      ['run', 1_800],
    ]);
    expect(sandbox.id).toBe('box-1');
  });

  it('transfers bytes, and says what is missing, a directory, or refused', async () => {
    const root = mkdtempSync(join(tmpdir(), 'deepdesk-langsmith-'));
    const sandbox = new Class({ sandbox: langSmithBox() });
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
    const sandbox = new Class({ sandbox: langSmithBox(calls) });
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
    const create = vi.spyOn(SandboxClient.prototype, 'createSandbox').mockResolvedValue(langSmithBox());
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

it('gives a command of LangSmithSandbox the time of its call, even above its own limit', async () => {
  const calls: unknown[] = [];
  const sandbox = new LangSmithSandbox({ sandbox: langSmithBox(calls), defaultTimeout: 60 });
  for (const timeoutMs of [1_000, 90_500, Number.POSITIVE_INFINITY])
    expect(await sandbox.execute('echo hi', { timeoutMs })).toMatchObject({ output: 'hi\n' });
  expect(calls).toEqual([
    ['run', 60],
    ['run', 91],
    ['run', 0],
  ]);
});
