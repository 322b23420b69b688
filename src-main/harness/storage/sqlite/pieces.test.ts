import { expect, it } from 'vitest';
import { temporaryDatabase } from '../../../storage/testing/fixtures';
import { openPieces, type Pieces, withStrings } from './pieces';
import { plainText } from './plain-text';

function piecesOfThread(): Pieces {
  const db = temporaryDatabase();
  db.prepare("INSERT INTO saved_threads VALUES (1, 't')").run();
  return openPieces(db).of(1);
}

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
