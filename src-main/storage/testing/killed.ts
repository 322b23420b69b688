import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { expect } from 'vitest';
import { z } from 'zod';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { openDatabase } from '../database/open';
import { openStorage, type Storage } from '../index';
import { approval, thread } from './values';

/** Bundles `child.ts` into a folder that finds the native packages. */
export async function bundleWriter(outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      outDir,
      target: 'node20',
      rolldownOptions: {
        input: {
          writer: join(import.meta.dirname, 'child.ts'),
          'log-worker': join(import.meta.dirname, '../database/log-worker.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  });
}

export type IsEnough = (acknowledged: readonly unknown[]) => boolean;

export interface KilledWriter {
  /** Made by `bundleWriter`. */
  bundle: string;
  /** The job of `child.ts`. */
  what: string;
  file: string;
  isEnough: IsEnough;
  /** Milliseconds from then to the kill. */
  delay?: number;
  /** A job that may end before the kill. */
  ends?: boolean;
  env?: Record<string, string>;
}

/** Kills the child once `isEnough` accepts its acknowledgments. Returns all of them. */
export async function killWriter(options: KilledWriter): Promise<unknown[]> {
  const { bundle, what, file, isEnough, delay = 0, ends = false, env = {} } = options;
  const child = spawn(process.execPath, [join(bundle, 'writer.js'), what, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const closed = once(child, 'close');
  let complaint = '';
  child.stderr.on('data', (data) => {
    complaint += String(data);
  });
  const acknowledged: unknown[] = [];
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(JSON.parse(line));
    if (isDue || !isEnough(acknowledged)) continue;
    isDue = true;
    if (delay === 0) child.kill('SIGKILL');
    else timer = setTimeout(() => child.kill('SIGKILL'), delay);
  }
  const [code, signal] = await closed;
  clearTimeout(timer);
  if (signal !== 'SIGKILL' && !(ends && code === 0))
    throw new Error(`the child exited by itself: ${complaint}`);
  return acknowledged;
}

/** Reads the file after the kill and verifies that it is intact. */
export async function look<T>(file: string, see: (storage: Storage) => T | Promise<T>): Promise<T> {
  const opened = openDatabase(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  const { db, warnings } = opened.value;
  const whole = [db.pragma('integrity_check', { simple: true }), db.pragma('foreign_key_check'), warnings];
  db.close();
  expect(whole).toEqual(['ok', [], []]);
  const storage = openStorage(file);
  if (!storage.ok) throw new Error(inEnglish(storage.error));
  try {
    return await see(storage.value);
  } finally {
    storage.value.close();
  }
}

/** Every approval that the child acknowledged is pending, or decided if its decision was acknowledged. */
export function expectApprovals({ approvals, messages, threads }: Storage, acknowledged: unknown[]): void {
  const told = z.array(z.tuple([z.string(), z.number()])).parse(acknowledged);
  const rounds = (word: string) => told.filter(([one]) => one === word).map(([, round]) => round);
  const { id } = thread();
  const waiting = approvals.waiting(id);
  const taken = approvals.taken(id);
  const lost = rounds('decided').filter(
    (round) => !taken.some((one) => one.approval.id === approval(`a${round}`).id),
  );
  expect(lost).toEqual([]);
  const known = new Map([...waiting, ...taken.map((one) => one.approval)].map((one) => [one.id, one]));
  for (const round of rounds('asked')) {
    const one = approval(`a${round}`);
    expect(known.get(one.id)).toEqual(one);
  }
  // They were written in one transaction, so both exist.
  expect([messages.all(id).length, threads.get(id)?.seq ?? 0]).toEqual([known.size, known.size]);
  for (const { approval: one } of taken)
    expect(approvals.take(id, one.id, one.digest, { type: 'approve' }, 1).ok).toBe(false);
}

/** Every acknowledged version of the memory exists and is whole. */
export async function expectMemories({ store }: Storage, acknowledged: unknown[]): Promise<void> {
  const versions = await store.versions(['m'], '/k');
  expect(versions.length).toBeGreaterThanOrEqual(acknowledged.length);
  expect(versions.map((one) => one.value?.content)).toEqual(
    versions.map(({ version }) => `${version} ${'x'.repeat(version % 20_000)}`),
  );
  expect((await store.get(['m'], '/k'))?.value ?? null).toEqual(versions[0]?.value ?? null);
}
