import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../base/sqlite/db';
import { CallId, PlaceId, ThreadId } from '../contract/ids';
import { openDatabase } from './database/open';
import { migrations } from './migrations';
import { openPlaceCalls } from './place-calls';
import { openProjects } from './projects';
import { temporaryDatabase, temporaryFolder } from './testing/fixtures';
import { project, thread } from './testing/values';
import { openThreads } from './threads';

const docs = PlaceId.parse('docs');
const other = PlaceId.parse('other');
const t1 = ThreadId.parse('t1');

const fill = (db: Db) => {
  openProjects(db, () => undefined).save(project());
  openThreads(db, () => undefined).insert(thread('t1'));
};
const call = (number: number) => ({
  threadId: t1,
  callId: CallId.parse(`c${number}`),
  at: number,
  operation: 'read' as const,
  target: `/docs/${number}.md`,
  result: 'allowed' as const,
});

let db: Db;
beforeEach(() => {
  db = temporaryDatabase();
  fill(db);
});

describe('the calls of places', () => {
  it('are listed newest first, each place with its own', () => {
    const calls = openPlaceCalls(db);
    calls.add(docs, call(1));
    calls.add(docs, { ...call(2), result: 'denied' });
    calls.add(other, call(3));
    expect(calls.list(docs).map(({ target, result }) => [target, result])).toEqual([
      ['/docs/2.md', 'denied'],
      ['/docs/1.md', 'allowed'],
    ]);
    expect(calls.list(other)).toMatchObject([{ threadId: 't1', at: 3 }]);
  });

  it('are bounded: the oldest of the same place are dropped', () => {
    const calls = openPlaceCalls(db, 3);
    calls.add(other, call(0));
    for (const number of [1, 2, 3, 4, 5]) calls.add(docs, call(number));
    expect(calls.list(docs).map(({ at }) => at)).toEqual([5, 4, 3]);
    expect(calls.list(other)).toHaveLength(1);
  });

  it('stay one line for a call that ends again, and go with their thread', () => {
    const calls = openPlaceCalls(db);
    calls.add(docs, call(1));
    calls.add(docs, { ...call(1), result: 'failed' });
    expect(calls.list(docs)).toMatchObject([{ result: 'failed' }]);
    db.prepare('DELETE FROM threads').run();
    expect(calls.list(docs)).toEqual([]);
  });

  it('begin with the update of older data', () => {
    const file = `${temporaryFolder()}/deepdesk.db`;
    const open = (list?: readonly string[]) => {
      const opened = openDatabase(file, list === undefined ? {} : { migrations: list });
      if (!opened.ok) throw new Error('not opened');
      return opened.value.db;
    };
    const old = open(migrations.slice(0, 17));
    fill(old);
    old.close();
    const updated = open();
    const calls = openPlaceCalls(updated);
    expect(calls.list(docs)).toEqual([]);
    calls.add(docs, call(1));
    expect(calls.list(docs)).toHaveLength(1);
    updated.close();
  });
});
