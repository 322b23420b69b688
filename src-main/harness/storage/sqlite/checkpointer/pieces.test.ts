import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../base/sqlite/db';
import { temporaryDatabase } from '../../../../storage/testing/fixtures';
import { openPieces, PieceGone, type Pieces, withStrings } from './pieces';
import { plainText } from './plain-text';

function databaseWithThread(): Db {
  const db = temporaryDatabase();
  db.prepare("INSERT INTO saved_threads VALUES (1, 't')").run();
  return db;
}

const piecesOfThread = (): Pieces => openPieces(databaseWithThread()).of(1);

const stored = (value: unknown) => {
  const pieces = piecesOfThread();
  const text = pieces.put(plainText(value) ?? 'null');
  return { pieces, text, cut: pieces.cut(text) };
};

const long = 'line "one"\nline two\n'.repeat(200);
const large = 'æøå '.repeat(100_000);

it.each([
  ['short values', { a: [1, null, 'x'] }],
  ['long strings, repeated and nested', { a: long, b: [{ c: long, d: 'x' }], e: large }],
  ['a long string alone', long],
])('reads %s with their long strings apart', (_, value) => {
  const { pieces, text, cut } = stored(value);
  expect(withStrings(JSON.parse(cut?.json ?? ''), cut?.strings ?? [])).toEqual(value);
  expect(JSON.parse(pieces.expand(text))).toEqual(value);
});

it('keeps long strings out of the text to parse', () => {
  const { cut } = stored({ a: long, b: long, c: large });
  expect(cut?.json.length).toBeLessThan(300);
  expect(cut?.strings).toEqual([long, long, large]);
});

it('leaves a long key in the text, which is read as a whole', () => {
  const value = { [long]: 1 };
  const { pieces, text, cut } = stored(value);
  expect(cut).toBeNull();
  expect(JSON.parse(pieces.expand(text))).toEqual(value);
});

describe('counts of marks', () => {
  const count = (db: Db) =>
    db
      .prepare<[], { pieces: number; refs: number }>(
        'SELECT (SELECT count(*) FROM pieces) AS pieces, (SELECT coalesce(sum(refs), 0) FROM piece_refs) AS refs',
      )
      .get();

  it('keep a piece while a row holds it, and delete it with what only it holds', () => {
    const db = databaseWithThread();
    const pieces = openPieces(db).of(1);
    const [inner, other] = [pieces.put(JSON.stringify(long)), pieces.put(JSON.stringify(`${long}!`))];
    const outer = pieces.putItems({ open: '[', close: ']', begins: [], items: [inner, other] }).text;
    for (const held of [outer, inner]) pieces.hold(held);
    pieces.settle();
    const before = count(db);
    // Another row takes over the outer text in the same write.
    pieces.release(outer);
    pieces.hold(outer);
    pieces.settle();
    expect(count(db)).toEqual(before);
    pieces.release(outer);
    pieces.settle();
    expect(pieces.expand(inner)).toBe(JSON.stringify(long));
    expect(() => pieces.settle()).not.toThrow();
    pieces.release(inner);
    pieces.settle();
    expect(count(db)).toEqual({ pieces: 0, refs: 0 });
  });

  it('fail if a held piece is gone', () => {
    const db = databaseWithThread();
    const table = openPieces(db);
    const mark = table.of(1).put(JSON.stringify(long));
    const pieces = table.of(1);
    pieces.hold(mark);
    expect(() => pieces.settle()).toThrow(PieceGone);
  });
});
