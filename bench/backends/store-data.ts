// T3: memories, in an app database and in the simplest table that could hold them.
import { constants, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { toValue } from '../../src-main/harness/backends/store/stored-file';
import { openStorage, type Storage } from '../../src-main/storage';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { textOf } from '../text';

export const NAMESPACE = ['bench', 'filesystem'];
const FOLDERS = 10;
/** Items per transaction while the data is created. */
const BATCH_SIZE = 1_000;

export const RARE_MEMORY = 'the-rarest-memory';
const RARE_MEMORIES = 5;
/** Contained in every tenth memory. */
export const COMMON_MEMORY = 'often-remembered';
/** Matches every hundredth memory. */
export const GLOB = { pattern: '**/note-*77.md', like: '*/note-*77.md' };

const TIME = '2026-01-01T00:00:00.000Z';

/** Milliseconds between two looks at a store that still works, and how many of them without a change mean that it is done. */
const LOOK_EVERY = 200;
const QUIET_LOOKS = 5;

export const memoryKey = (number: number) =>
  `/topic-${number % FOLDERS}/note-${String(Math.floor(number / FOLDERS)).padStart(6, '0')}.md`;

function memoryText(number: number, of: number): string {
  const rare = number % (of / RARE_MEMORIES) === 7 ? `${RARE_MEMORY}\n` : '';
  // Not by the last digit, because that selects the folder.
  const common = Math.floor(number / FOLDERS) % 10 === 3 ? `${COMMON_MEMORY}\n` : '';
  return `# Note ${number}\n${rare}${textOf(number, 500)}\n${common}`;
}

const files = (folder: string) => ({
  ours: join(folder, 'deepdesk.sqlite'),
  plain: join(folder, 'plain.sqlite'),
});

function open(file: string): Storage {
  const opened = openStorage(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  return opened.value;
}

/** As durable as the app's own file. */
function openPlain(file: string): Database.Database {
  const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;
  const db = new Database(file, nativeBinding ? { nativeBinding } : {});
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  return db;
}

export function* memories(count: number): Generator<{ key: string; content: string }> {
  for (let number = 0; number < count; number += 1)
    yield { key: memoryKey(number), content: memoryText(number, count) };
}

/** The stored value of a memory, the same in every store. */
export const memoryValue = (content: string) =>
  toValue({ content, mimeType: 'text/markdown', created_at: TIME, modified_at: TIME }, {});

export async function makeStore(folder: string, count: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { ours, plain } = files(folder);
  const storage = open(ours);
  const db = openPlain(plain);
  db.exec(`CREATE TABLE items (
    id INTEGER PRIMARY KEY, ns TEXT NOT NULL, key TEXT NOT NULL, size INTEGER NOT NULL, modified_at TEXT NOT NULL,
    content TEXT NOT NULL, UNIQUE (ns, key)
  ) STRICT`);
  const insert = db.prepare('INSERT INTO items (ns, key, size, modified_at, content) VALUES (?, ?, ?, ?, ?)');
  let batch: { namespace: string[]; key: string; value: Record<string, unknown> }[] = [];
  const put = async () => {
    await storage.store.batch(batch);
    batch = [];
  };
  db.exec('BEGIN');
  for (const { key, content } of memories(count)) {
    insert.run(NAMESPACE.join('/'), key, Buffer.byteLength(content), TIME, content);
    batch.push({ namespace: NAMESPACE, key, value: memoryValue(content) });
    if (batch.length === BATCH_SIZE) await put();
  }
  await put();
  db.exec('COMMIT');
  db.close();
  await untilSettled(ours);
  storage.close();
}

/**
 * Waits until the store has indexed and merged everything, as it does in the app when no write comes for a moment. Otherwise
 * every search would read what is left, and how much that is depends on how busy the computer was.
 */
async function untilSettled(file: string): Promise<void> {
  const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;
  const db = new Database(file, { readonly: true, ...(nativeBinding ? { nativeBinding } : {}) });
  const commits = db.prepare<[], number>('PRAGMA data_version').pluck();
  for (let last = commits.get(), quiet = 0; quiet < QUIET_LOOKS; ) {
    await sleep(LOOK_EVERY);
    const now = commits.get();
    quiet = now === last ? quiet + 1 : 0;
    last = now;
  }
  db.close();
}

/** A private copy: opening a file of a newer or older version changes it. */
export function oursFrom(folder: string, own: string): Storage {
  const file = files(own).ours;
  copyFileSync(files(folder).ours, file, constants.COPYFILE_FICLONE);
  return open(file);
}

export function plainFrom(folder: string, own: string): Database.Database {
  const file = files(own).plain;
  copyFileSync(files(folder).plain, file, constants.COPYFILE_FICLONE);
  return openPlain(file);
}
