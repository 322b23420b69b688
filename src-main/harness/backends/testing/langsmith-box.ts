import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  LangSmithResourceNotFoundError,
  LangSmithSandboxError,
  type Sandbox,
} from 'langsmith/experimental/sandbox';

/** A sandbox of LangSmith's client that is this machine. `calls`: what was asked of it. */
export function langSmithBox(calls: unknown[] = []): Sandbox {
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
