import { join } from 'node:path';
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Db } from '../../../base/sqlite/db';
import { temporaryDatabase, temporaryFolder } from '../../../storage/testing/fixtures';
import { SqliteSaver } from './checkpointer/checkpointer';
import { SqliteStore } from './store/store';

/** An unprepared database, as users of the library open it. */
function bareDatabase(file = join(temporaryFolder(), 'bare.sqlite')): Db {
  const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;
  const db = new Database(file, nativeBinding ? { nativeBinding } : {});
  onTestFinished(() => {
    db.close();
  });
  return db;
}

const OURS =
  /^(saved_threads|pieces|piece_refs|checkpoints|checkpoint_writes|store_(items|log|state|vectors|text))(_|$)/;

/** Tables and indexes with their columns, without comments and formatting. */
function schemaOf(db: Db) {
  const rows = db
    .prepare<[], { name: string; sql: string }>(
      'SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name',
    )
    .all();
  return rows
    .filter(({ name }) => OURS.test(name))
    .map(({ name, sql }) => {
      const columns = db.prepare<[string], unknown>('SELECT * FROM pragma_table_xinfo(?)').all(name);
      const keys = db.prepare<[string], unknown>('SELECT * FROM pragma_foreign_key_list(?)').all(name);
      const flags = sql.slice(sql.lastIndexOf(')'));
      return { name, columns, keys, flags };
    });
}

describe('an unprepared database', () => {
  it("gets the same tables as from the app's migrations", () => {
    const db = bareDatabase();
    new SqliteSaver(db);
    new SqliteStore(db);
    expect(schemaOf(db)).toEqual(schemaOf(temporaryDatabase()));
    expect(schemaOf(db).length).toBeGreaterThan(12);
  });

  it('keeps checkpoints and items when opened again', async () => {
    const file = join(temporaryFolder(), 'again.sqlite');
    const thread = { configurable: { thread_id: 'a', checkpoint_ns: '' } };
    const first = bareDatabase(file);
    const saver = new SqliteSaver(first);
    const saved = await saver.put(
      thread,
      { ...emptyCheckpoint(), channel_values: { said: 'hello' }, channel_versions: { said: 1 } },
      { source: 'input', step: -1, parents: {} },
      { said: 1 },
    );
    await saver.putWrites(saved, [['said', 'more']], 'task');
    await new SqliteStore(first).put(['notes'], 'a', { text: 'kept' });
    first.close();

    const second = bareDatabase(file);
    const tuple = await new SqliteSaver(second).getTuple(thread);
    expect(tuple?.checkpoint.channel_values).toEqual({ said: 'hello' });
    expect((await new SqliteStore(second).get(['notes'], 'a'))?.value).toEqual({ text: 'kept' });
  });
});
