import { z } from 'zod';
import type { Db } from '../base/sqlite/db';
import type { ThreadId } from '../contract/ids';
import { RedactedSecret } from '../contract/secrets';
import { type OnUnreadable, readBodies } from './json-columns';

/** Metadata of a redacted value: a keyed digest to recognize it, never the value. */
export const KeptSecret = RedactedSecret.extend({ digest: z.string() });
export type KeptSecret = z.infer<typeof KeptSecret>;

export interface RedactedSecrets {
  /** The secrets of one thread, by number. */
  list(threadId: ThreadId): KeptSecret[];
  /** Saves nothing if the thread is gone: its last output may come after that, or another window may still name it. */
  save(threadId: ThreadId, secret: KeptSecret): void;
  /** Copies the secrets of one thread to another, because its history uses the same numbers. */
  copy(from: ThreadId, to: ThreadId): void;
}

export function openRedactedSecrets(db: Db, onUnreadable: OnUnreadable): RedactedSecrets {
  const list = db.prepare<[string], { id: string; body: string }>(
    'SELECT CAST(number AS TEXT) AS id, body FROM withheld WHERE thread_id = ? ORDER BY number',
  );
  const save = db.prepare<[string, number, string, string]>(
    `INSERT INTO withheld (thread_id, number, body) SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM threads WHERE id = ?)
     ON CONFLICT (thread_id, number) DO UPDATE SET body = excluded.body`,
  );
  const copy = db.prepare<[string, string]>(
    'INSERT OR IGNORE INTO withheld (thread_id, number, body) SELECT ?, number, body FROM withheld WHERE thread_id = ?',
  );
  return {
    list: (threadId) => readBodies('withheld', KeptSecret, list.all(threadId), onUnreadable),
    save: (threadId, secret) => {
      save.run(threadId, secret.number, JSON.stringify(secret), threadId);
    },
    copy: (from, to) => {
      copy.run(to, from);
    },
  };
}
