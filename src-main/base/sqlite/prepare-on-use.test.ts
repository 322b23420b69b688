import { expect, it } from 'vitest';
import { temporaryDatabase } from '../../storage/testing/fixtures';
import { prepareOnUse } from './prepare-on-use';

it('prepares a statement when it first runs, and returns the same', () => {
  const db = temporaryDatabase();
  const onUse = prepareOnUse(db);
  // The table does not exist yet.
  const insert = onUse.prepare('INSERT INTO things (id, name) VALUES (?, ?)');
  const find = onUse.prepare('SELECT id, name FROM things WHERE id > @from ORDER BY id');
  onUse.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)');
  expect(insert.run(1, 'one').changes).toBe(1);
  expect(onUse.transaction(() => insert.run(2, 'two').lastInsertRowid).immediate()).toBe(2);
  const rows = [
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
  ];
  const from = { from: 0 };
  expect(find.all(from)).toEqual(rows);
  expect([...find.iterate(from)]).toEqual(rows);
  expect(find.get(from)).toEqual(rows[0]);
  expect(onUse.prepare('SELECT name FROM things').pluck().all()).toEqual(['one', 'two']);
  expect(onUse.prepare('SELECT id, name FROM things').raw().get()).toEqual([1, 'one']);
  expect(onUse.inTransaction).toBe(false);
});
