import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { Db } from '../../base/sqlite/db';
import { bundle as bundleProgram } from '../../base/testing/bundle';
import { openDatabase } from './open';
import { openWriteBack } from './write-back';

let folder: string;
let file: string;
let db: Db;
/** Below node_modules, so that it finds SQLite. */
const bundle = join(import.meta.dirname, `../../../node_modules/.cache/deepdesk-log-worker-${process.pid}`);

beforeAll(async () => {
  await bundleProgram({
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      outDir: bundle,
      target: 'node20.18',
      rolldownOptions: {
        input: { 'log-worker': join(import.meta.dirname, 'log-worker.ts') },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  });
}, 60_000);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deepdesk-write-back-'));
  file = join(folder, 'data.sqlite');
  const opened = openDatabase(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  db = opened.value.db;
  db.exec('CREATE TABLE large (bytes BLOB)');
});
afterEach(() => {
  if (db.open) db.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (bytes: number) => db.prepare('INSERT INTO large VALUES (zeroblob(?))').run(bytes);
const waiting = () => {
  const [{ log, checkpointed }] = db.pragma('wal_checkpoint(NOOP)') as [
    { log: number; checkpointed: number },
  ];
  return log - checkpointed;
};

describe('writing the log back', () => {
  it('moves a long log into the database without a commit doing so, and leaves a short one', async () => {
    const writeBack = openWriteBack(db, file, join(bundle, 'log-worker.js'));
    write(100_000);
    writeBack.wrote();
    const short = waiting();
    expect(short).toBeGreaterThan(20);
    // More than the size at which a commit writes it back without a worker.
    write(20_000_000);
    write(100);
    expect(waiting()).toBeGreaterThan(4_000);
    await vi.waitFor(() => expect(waiting()).toBe(0), { timeout: 10_000 });
    expect(statSync(file).size).toBeGreaterThan(20_000_000);
    // The next write starts the log over.
    write(100);
    writeBack.wrote();
    expect(waiting()).toBeLessThan(short);
    writeBack.close();
  });

  it('lets the log start over while writes continue', async () => {
    const writeBack = openWriteBack(db, file, join(bundle, 'log-worker.js'));
    write(8_000_000);
    let longest = 0;
    await vi.waitFor(
      () => {
        write(100);
        writeBack.wrote();
        const [{ log }] = db.pragma('wal_checkpoint(NOOP)') as [{ log: number }];
        longest = Math.max(longest, log);
        expect(log).toBeLessThan(longest);
      },
      { timeout: 10_000, interval: 1 },
    );
    expect(longest).toBeGreaterThan(1_900);
    writeBack.close();
  });

  it('finishes before closing, so that no log is left', async () => {
    const writeBack = openWriteBack(db, file, join(bundle, 'log-worker.js'), 60_000);
    const before = statSync(file).size;
    write(40_000_000);
    writeBack.wrote();
    await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(before), {
      timeout: 10_000,
      interval: 1,
    });
    writeBack.close();
    db.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    expect(openDatabase(file).ok).toBe(true);
  });

  it('is left to SQLite when the worker cannot start', async () => {
    const writeBack = openWriteBack(db, file, join(folder, 'absent.js'));
    write(10_000_000);
    writeBack.wrote();
    await vi.waitFor(() => expect(db.pragma('wal_autocheckpoint', { simple: true })).toBe(4_000), {
      timeout: 10_000,
    });
    expect(waiting()).toBeGreaterThan(2_000);
    write(10_000_000);
    expect(waiting()).toBe(0);
    writeBack.wrote();
    writeBack.close();
  });
});
