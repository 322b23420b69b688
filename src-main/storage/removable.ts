import type { z } from 'zod';
import type { Db } from '../base/sqlite/db';
import { type OnUnreadable, readBodies } from './json-columns';

interface Entry {
  id: string;
  projectId: string | null;
  createdAt: number;
}

/** Entries that a person adds for one project or all, and that can be brought back after they were removed. */
export interface Removable<T extends Entry> {
  /** Those that are not removed, oldest first. */
  list(): readonly T[];
  /** Adds an entry or replaces the one with its id. */
  save(entry: T): void;
  /** Hides an entry; false if there is none. */
  remove(id: T['id'], at: number): boolean;
  /** A removed entry, which is kept until `forget`; null if there is none. */
  removed(id: T['id']): T | null;
  restore(id: T['id']): void;
  /** Erases entries that were removed before that time, and returns their ids. */
  forget(before: number): T['id'][];
}

/** Opens a table with the columns `id`, `project_id`, `created_at`, `removed_at` and `body`. */
export function openRemovable<T extends Entry>(
  db: Db,
  table: 'places' | 'remote_agents',
  schema: z.ZodType<T>,
  onUnreadable: OnUnreadable,
): Removable<T> {
  type Row = { id: string; body: string };
  const list = db.prepare<[], Row>(
    `SELECT id, body FROM ${table} WHERE removed_at IS NULL ORDER BY created_at, rowid`,
  );
  const save = db.prepare<[string, string | null, number, string]>(
    `INSERT INTO ${table} (id, project_id, created_at, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET project_id = excluded.project_id, body = excluded.body`,
  );
  const remove = db.prepare<[number, string]>(
    `UPDATE ${table} SET removed_at = ? WHERE id = ? AND removed_at IS NULL`,
  );
  const removed = db.prepare<[string], Row>(
    `SELECT id, body FROM ${table} WHERE id = ? AND removed_at IS NOT NULL`,
  );
  const restore = db.prepare<[string]>(`UPDATE ${table} SET removed_at = NULL WHERE id = ?`);
  const forget = db
    .prepare<[number], T['id']>(`DELETE FROM ${table} WHERE removed_at < ? RETURNING id`)
    .pluck();
  const read = (rows: Row[]) => readBodies(table, schema, rows, onUnreadable);
  /** Changes when another connection writes: a headless agent beside the app has one of its own. */
  const version = db.prepare<[], number>('PRAGMA data_version').pluck();
  /** Each step of a turn asks several times. */
  let known: readonly T[] | null = null;
  let knownAt: number | undefined;
  return {
    list: () => {
      const now = version.get();
      if (known === null || now !== knownAt) known = read(list.all());
      knownAt = now;
      return known;
    },
    save: (entry) => {
      known = null;
      save.run(entry.id, entry.projectId, entry.createdAt, JSON.stringify(entry));
    },
    remove: (id, at) => {
      known = null;
      return remove.run(at, id).changes === 1;
    },
    removed: (id) => read(removed.all(id))[0] ?? null,
    restore: (id) => {
      known = null;
      restore.run(id);
    },
    forget: (before) => forget.all(before),
  };
}
