import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { bundle } from '../../base/testing/bundle';
import type { DataProgress } from '../../contract/events/data';
import { openStorage, type Storage } from '../index';
import { message, project, thread } from '../testing/values';
import { sweepChecks } from './data-jobs';
import { doDataJob } from './data-service';

// The worker must find the packages that are not bundled.
const outDir = mkdtempSync(join(import.meta.dirname, '../../../node_modules/.data-worker-'));
const worker = join(outDir, 'data-worker.mjs');

beforeAll(async () => {
  await bundle({
    build: {
      ssr: join(import.meta.dirname, 'data-worker.ts'),
      target: 'node20.18',
      outDir,
      rolldownOptions: {
        external: ['better-sqlite3'],
        output: { format: 'es', entryFileNames: '[name].mjs' },
      },
    },
    ssr: { noExternal: true, external: ['better-sqlite3'] },
  });
}, 60_000);
afterAll(() => rmSync(outDir, { recursive: true, force: true }));

const { signal } = new AbortController();

function filled(messages: number) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-data-')));
  const file = join(folder, 'deepdesk.db');
  const opened = openStorage(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  const storage: Storage = opened.value;
  onTestFinished(() => {
    storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
  storage.projects.save(project());
  storage.threads.insert(thread());
  storage.transaction(() => {
    for (let at = 0; at < messages; at += 1)
      storage.messages.save(thread().id, message(`m${at}`, 'x'.repeat(1_000)));
  });
  return { folder, file, storage, to: join(folder, 'copy.backup') };
}

describe('a backup', () => {
  it('is a file that only its owner can read, contains one consistent state, and is verified before it is reported', async () => {
    const { folder, file, storage, to } = filled(5_000);
    const told: DataProgress[] = [];
    const making = doDataJob(
      { kind: 'backup', file, to, scratch: folder },
      {
        signal,
        tell: (one) => {
          told.push(one);
          // The app keeps writing.
          storage.messages.save(thread().id, message(`later${told.length}`));
        },
      },
    );
    const made = await making;
    expect(made).toEqual({
      ok: true,
      value: {
        path: to,
        bytes: statSync(to).size,
        counts: { projects: 1, threads: 1, messages: 5_000, memories: 0, requests: 0 },
      },
    });
    expect(statSync(to).mode & 0o777).toBe(0o600);
    expect(told.length).toBeGreaterThan(2);
    expect(told.at(-1)).toEqual({ step: 'checking', share: null });
    expect(readdirSync(folder).filter((name) => !name.startsWith('deepdesk.db'))).toEqual(['copy.backup']);
  });

  it('replaces no other file of the person, and takes a name as long as the system allows', async () => {
    const { folder, file } = filled(1);
    const to = join(folder, `${'x'.repeat(248)}.backup`);
    const [other, long] = [
      join(folder, 'a.backup.part'),
      { kind: 'backup', file, to, scratch: folder } as const,
    ];
    writeFileSync(other, 'a download');
    expect(await doDataJob({ ...long, to: join(folder, 'a.backup') }, { signal })).toMatchObject({
      ok: true,
    });
    expect(statSync(other).size).toBe('a download'.length);
    expect(await doDataJob(long, { signal })).toMatchObject({ ok: true, value: { path: to } });
  });

  it('leaves no file when canceled and keeps an existing file in its place', async () => {
    const { folder, file, to } = filled(5_000);
    writeFileSync(to, 'an older backup');
    const cancelling = new AbortController();
    const made = await doDataJob(
      { kind: 'backup', file, to, scratch: folder },
      { signal: cancelling.signal, tell: () => cancelling.abort() },
    );
    expect(made).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    expect(statSync(to).size).toBe('an older backup'.length);
    expect(readdirSync(folder).filter((name) => !name.startsWith('deepdesk.db'))).toEqual(['copy.backup']);
  });

  it('is removed at the next start if Deepdesk was killed while it was written, and nothing else is', async () => {
    const { folder, file, to } = filled(5_000);
    const there = mkdtempSync(join(tmpdir(), 'backups-'));
    const parts = () => readdirSync(there);
    const copies: string[] = [];
    const tell = () => {
      // What a kill leaves now.
      for (const from of [folder, there])
        for (const name of readdirSync(from).filter((one) => /unfinished|\.part/.test(one))) {
          copies.push(join(from, name));
          copyFileSync(join(from, name), `${join(from, name)}.kept`);
        }
      cancelling.abort();
    };
    const cancelling = new AbortController();
    const job = { kind: 'backup', file, to: join(there, basename(to)), scratch: folder } as const;
    await doDataJob(job, { signal: cancelling.signal, tell });
    expect(parts()).toHaveLength(copies.length - 1);
    for (const copy of copies) renameSync(`${copy}.kept`, copy);
    writeFileSync(join(there, 'mine.part'), 'mine');
    sweepChecks(folder);
    expect(parts()).toEqual(['mine.part']);
    expect(existsSync(join(folder, 'unfinished-backup'))).toBe(false);
    // A note with another name was not written by Deepdesk.
    writeFileSync(join(folder, 'unfinished-backup'), join(there, 'mine.part'));
    sweepChecks(folder);
    expect(parts()).toEqual(['mine.part']);
  });

  it('does not prevent a start if its place cannot be reached any more', () => {
    const { folder } = filled(1);
    const place = join(folder, 'disk');
    writeFileSync(place, 'not a folder any more');
    const note = join(folder, 'unfinished-backup');
    writeFileSync(note, join(place, `deepdesk-${randomUUID()}.part`));
    sweepChecks(folder);
    expect(existsSync(note)).toBe(false);
  });

  it('also runs in a worker, from the built file', async () => {
    const { folder, file, to } = filled(50);
    const made = await doDataJob({ kind: 'backup', file, to, scratch: folder }, { signal }, worker);
    expect(made).toMatchObject({ ok: true, value: { counts: { messages: 50 } } });
    expect(existsSync(to)).toBe(true);
  });

  it('reports a location that cannot be written', async () => {
    const { folder, file } = filled(1);
    const made = await doDataJob(
      { kind: 'backup', file, to: join(folder, 'no', 'folder'), scratch: folder },
      { signal },
    );
    expect(made).toMatchObject({ ok: false, error: { kind: 'not_found' } });
  });
});

describe('importing a backup', () => {
  const taking = (folder: string, from: string) =>
    doDataJob(
      { kind: 'take', from, into: join(folder, 'deepdesk.db.incoming'), scratch: folder },
      { signal },
    );

  it('leaves a tested copy that opens as the database', async () => {
    const { folder, file, to } = filled(20);
    await doDataJob({ kind: 'backup', file, to, scratch: folder }, { signal });
    expect(await taking(folder, to)).toMatchObject({
      ok: true,
      value: { counts: { messages: 20, threads: 1 } },
    });
    const opened = openStorage(join(folder, 'deepdesk.db.incoming'));
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    expect(opened.value.messages.all(thread().id)).toHaveLength(20);
    expect(opened.value.warnings).toEqual([]);
    opened.value.close();
  });

  it('takes what only the log of a database contains, as a killed Deepdesk leaves it', async () => {
    const { folder, file } = filled(20);
    const from = join(folder, 'old');
    for (const end of ['', '-wal']) copyFileSync(file + end, from + end);
    expect(await taking(folder, from)).toMatchObject({
      ok: true,
      value: { counts: { projects: 1, messages: 20, threads: 1 } },
    });
    expect(statSync(join(folder, 'deepdesk.db.incoming')).mode & 0o777).toBe(0o600);
    expect(existsSync(join(folder, 'deepdesk.db.incoming-wal'))).toBe(false);
  });

  it('leaves nothing behind when canceled', async () => {
    const { folder, file, to } = filled(5_000);
    await doDataJob({ kind: 'backup', file, to, scratch: folder }, { signal });
    const cancelling = new AbortController();
    const taken = await doDataJob(
      { kind: 'take', from: to, into: join(folder, 'deepdesk.db.incoming'), scratch: folder },
      { signal: cancelling.signal, tell: () => setImmediate(() => cancelling.abort()) },
    );
    expect(taken).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    expect(readdirSync(folder).filter((name) => !/^deepdesk\.db(-wal|-shm)?$/.test(name))).toEqual([
      'copy.backup',
    ]);
  });

  it('rejects a file that is not a backup or is damaged, and leaves nothing behind', async () => {
    const { folder, file, to } = filled(2_000);
    const text = join(folder, 'notes.txt');
    writeFileSync(text, 'no database');
    expect(await taking(folder, text)).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    await doDataJob({ kind: 'backup', file, to, scratch: folder }, { signal });
    const { openSync, writeSync, closeSync } = await import('node:fs');
    const handle = openSync(to, 'r+');
    writeSync(handle, Buffer.alloc(40_000, 0x41), 0, 40_000, 200_000);
    closeSync(handle);
    expect(await taking(folder, to)).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    expect(existsSync(join(folder, 'deepdesk.db.incoming'))).toBe(false);
  });
});

it('reports sizes by purpose, and counts rows', async () => {
  const { folder, file } = filled(100);
  writeFileSync(join(folder, 'deepdesk.db.corrupt-x'), 'x'.repeat(10));
  writeFileSync(join(folder, 'window.json'), '{}');
  const read = await doDataJob({ kind: 'sizes', folder, file }, { signal });
  expect(read).toMatchObject({ ok: true, value: { counts: { messages: 100, projects: 1 } } });
  if (!read.ok) return;
  expect(read.value.sizes).toMatchObject({ copies: 10, rest: 2, versions: 0, terminals: 0 });
  expect(read.value.sizes.database).toBeGreaterThan(100_000);
});
