import { hash as hashOf, randomUUID } from 'node:crypto';
import { toUSVString } from 'node:util';
import { crc32 } from 'node:zlib';
import type { Db } from '../../../base/sqlite/db';

/*
 * Text kept in pieces, so that what repeats is stored once. A text is compact JSON in which a run of characters may stand
 * elsewhere: a newline, the number of the piece, a newline. JSON.stringify never writes a bare newline, so a mark cannot
 * be mistaken for text. A piece may hold marks itself. Pieces belong to one thread, are found by their hash, and go when
 * the last mark of them goes: `piece_refs` counts the marks in pieces, checkpoints and writes.
 */

/** UTF-16 units of JSON from which a string is a piece of its own: a message and the state around it share its text. */
const LONG_STRING = 1_024;
/** Below this (UTF-16 units) a text stands where it is used: a piece costs about 100 bytes besides. */
const SMALL = 64;
/** UTF-16 units from which a text is found by a checksum and compared, which costs a part of a hash that needs no comparing. */
const LARGE = 256 * 1_024;
/** UTF-16 units from which a string is kept as its own bytes: as JSON it would be written, searched and copied whole. */
const BYTES = LARGE;
/** Items of a list joined to one piece, so that a list of n costs n / 32 marks and what changed. */
const CHUNK = 32;

const MARK = /\n(\d+)\n/g;

/** JSON in which long strings are left out: `placeOf` of their index stands for each. */
export interface CutText {
  json: string;
  strings: readonly string[];
}

// Nothing that is kept can hold a word made up when the process began.
const PLACE = `deepdesk ${randomUUID()} `;
const PLACES = new RegExp(`"${PLACE}(\\d+)"`, 'g');

/** What to write for a string in place of itself; null where it is short, or where UTF-8 cannot say it. */
export const placeOf = (value: string, index: number): string | null =>
  value.length >= BYTES && toUSVString(value) === value ? `${PLACE}${index}` : null;

/** A mark names a piece that was collected meanwhile: whoever remembered it must write the text again. */
export class PieceGone extends Error {}

export interface Pieces {
  /** `text`, or a mark where it is long enough; long strings in it become pieces of their own. */
  put(text: string | CutText): string;
  /** A JSON list or object from its items' texts: `open` and `close` are its brackets. */
  putItems(open: string, items: readonly string[], close: string): string;
  /** Counts the marks in a text that a row now holds. Throws PieceGone. */
  hold(text: string): void;
  /** The row with that text is gone; pieces that nothing holds any more go with it. */
  release(text: string): void;
  /** The text in full. */
  expand(text: string): string;
  /** The texts, marks among them, of the items of a list or object; else null. `isItem` is asked of marks that may be. */
  items(text: string, isItem: (mark: string) => boolean): ItemTexts | null;
}

interface ItemTexts {
  isList: boolean;
  /** Keys are null in a list. */
  items: { key: string | null; text: string }[];
}

export interface PieceTable {
  /** To be used for one reading or writing: it keeps what it has read. */
  of(thread: number): Pieces;
  /** Everything of one thread. */
  removeAll(thread: number): void;
}

/** All methods run synchronously and expect a surrounding transaction where they write. */
export function openPieces(db: Db): PieceTable {
  const statements = prepareStatements(db);
  return {
    of: (thread) => new ThreadPieces(statements, thread),
    removeAll: (thread) => {
      statements.removeAllRefs.run(thread);
      statements.removeAll.run(thread);
    },
  };
}

function prepareStatements(db: Db) {
  return {
    find: db.prepare<[number, Uint8Array], { id: number }>(
      'SELECT id FROM pieces WHERE thread = ? AND hash = ?',
    ),
    get: db.prepare<[number, number], { text: string; bytes: Buffer | null }>(
      'SELECT text, bytes FROM pieces WHERE id = ? AND thread = ?',
    ),
    bytesOf: db.prepare<[number], { bytes: Buffer | null }>('SELECT bytes FROM pieces WHERE id = ?'),
    textOf: db.prepare<[number], { text: string }>('SELECT text FROM pieces WHERE id = ?'),
    insert: db.prepare<[number, Uint8Array, string, Uint8Array | null]>(
      'INSERT INTO pieces (thread, hash, text, bytes) VALUES (?, ?, ?, ?)',
    ),
    insertRefs: db.prepare<[number | bigint]>('INSERT INTO piece_refs VALUES (?, 0)'),
    addRefs: db.prepare<[number, number]>('UPDATE piece_refs SET refs = refs + ? WHERE id = ?'),
    refsOf: db.prepare<[number], { refs: number }>('SELECT refs FROM piece_refs WHERE id = ?'),
    remove: db.prepare<[number]>('DELETE FROM pieces WHERE id = ?'),
    removeRefs: db.prepare<[number]>('DELETE FROM piece_refs WHERE id = ?'),
    removeAllRefs: db.prepare<[number]>(
      'DELETE FROM piece_refs WHERE id IN (SELECT id FROM pieces WHERE thread = ?)',
    ),
    removeAll: db.prepare<[number]>('DELETE FROM pieces WHERE thread = ?'),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/** A piece that is there, or the hash under which to store it. */
type Found = { id: number } | { hash: Uint8Array };

class ThreadPieces implements Pieces {
  readonly #statements: Statements;
  readonly #thread: number;
  /** Long ones that were read: a file's text stands in the call that wrote it, too. */
  readonly #read = new Map<number, string>();

  constructor(statements: Statements, thread: number) {
    this.#statements = statements;
    this.#thread = thread;
  }

  put(text: string | CutText): string {
    const { json, strings } = typeof text === 'string' ? { json: text, strings: [] } : text;
    const short = cutLongStrings(json, (long) => this.#store(long));
    const cut =
      strings.length === 0
        ? short
        : short.replace(PLACES, (_, index: string) => this.#storeBytes(strings[Number(index)] ?? ''));
    return cut.length < SMALL ? cut : this.#store(cut);
  }

  putItems(open: string, items: readonly string[], close: string): string {
    let level = [...items];
    while (level.length > CHUNK) {
      const joined: string[] = [];
      // The last, unfinished group stays as it is: appending then writes nothing twice.
      const whole = level.length - (level.length % CHUNK);
      for (let at = 0; at < whole; at += CHUNK)
        joined.push(this.#store(level.slice(at, at + CHUNK).join(',')));
      const rest = level.slice(whole);
      if (joined.length <= CHUNK) {
        level = [...joined, ...rest];
        break;
      }
      // Groups of groups; what is left over joins as one so that every round shrinks.
      level = rest.length > 0 ? [...joined, this.#store(rest.join(','))] : joined;
    }
    const text = open + level.join(',') + close;
    return text.length < SMALL ? text : this.#store(text);
  }

  hold(text: string): void {
    for (const [id, times] of countMarks(text)) {
      if (this.#statements.addRefs.run(times, id).changes === 0) throw new PieceGone(`piece ${id} is gone`);
    }
  }

  release(text: string): void {
    const { addRefs, refsOf, textOf, remove, removeRefs } = this.#statements;
    const dead: string[] = [text];
    for (let next = dead.pop(); next !== undefined; next = dead.pop()) {
      for (const [id, times] of countMarks(next)) {
        addRefs.run(-times, id);
        if ((refsOf.get(id)?.refs ?? 1) > 0) continue;
        dead.push(textOf.get(id)?.text ?? '');
        remove.run(id);
        removeRefs.run(id);
      }
    }
  }

  expand(text: string): string {
    return text.includes('\n')
      ? text.replace(MARK, (_, id: string) => this.expand(this.#load(Number(id))))
      : text;
  }

  items(text: string, isItem: (mark: string) => boolean): ItemTexts | null {
    return readItems(text, (id) => this.#load(id), isItem);
  }

  #store(text: string): string {
    return this.#storeFound(this.#findText(text), text, null);
  }

  #storeBytes(value: string): string {
    const bytes = Buffer.from(value);
    const isSame = (id: number) => this.#statements.bytesOf.get(id)?.bytes?.equals(bytes) === true;
    return this.#storeFound(this.#findSum(`bytes ${bytes.length} ${crc32(bytes)}`, isSame), '', bytes);
  }

  #storeFound(found: Found, text: string, bytes: Uint8Array | null): string {
    if ('id' in found) return `\n${found.id}\n`;
    const { lastInsertRowid } = this.#statements.insert.run(this.#thread, found.hash, text, bytes);
    this.#statements.insertRefs.run(lastInsertRowid);
    this.hold(text);
    return `\n${lastInsertRowid}\n`;
  }

  #findText(text: string): Found {
    const { find, textOf } = this.#statements;
    if (text.length >= LARGE)
      return this.#findSum(`${text.length} ${crc32(text)}`, (id) => textOf.get(id)?.text === text);
    const hash = hashOf('sha256', text, 'buffer').subarray(0, 20);
    return find.get(this.#thread, hash) ?? { hash };
  }

  /** The piece of that checksum that `is` what is looked for, or the hash that no piece has yet. */
  #findSum(sum: string, is: (id: number) => boolean): Found {
    for (let other = 0; ; other += 1) {
      const hash = hashOf('sha256', `${sum} ${other}`, 'buffer').subarray(0, 20);
      const found = this.#statements.find.get(this.#thread, hash);
      if (found === undefined) return { hash };
      if (is(found.id)) return found;
    }
  }

  #load(id: number): string {
    const known = this.#read.get(id);
    if (known !== undefined) return known;
    const row = this.#statements.get.get(id, this.#thread);
    if (!row) throw new PieceGone(`piece ${id} is gone`);
    const text = row.bytes === null ? row.text : JSON.stringify(row.bytes.toString('utf8'));
    if (text.length >= LONG_STRING) this.#read.set(id, text);
    return text;
  }
}

function countMarks(text: string): Map<number, number> {
  const counts = new Map<number, number>();
  if (!text.includes('\n')) return counts;
  for (const match of text.matchAll(MARK)) {
    const id = Number(match[1]);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Replaces each string literal of `LONG_STRING` and more, quotes included. Text before the first mark is compact JSON. */
function cutLongStrings(json: string, store: (text: string) => string): string {
  if (json.length < LONG_STRING) return json;
  let out = '';
  let copied = 0;
  for (let open = json.indexOf('"'); open !== -1; ) {
    const close = endOfString(json, open);
    if (close - open >= LONG_STRING) {
      out += json.slice(copied, open) + store(json.slice(open, close + 1));
      copied = close + 1;
    }
    open = json.indexOf('"', close + 1);
  }
  return out + json.slice(copied);
}

/** Index of the quote that ends the string literal beginning at `open`. */
function endOfString(json: string, open: number): number {
  for (let close = json.indexOf('"', open + 1); close !== -1; close = json.indexOf('"', close + 1)) {
    let slashes = 0;
    while (json.charCodeAt(close - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return close;
  }
  throw new Error('not JSON: a string does not end');
}

/**
 * Items of a list or object that stands alone or in a piece; null for any other text, and for what the serializer has a
 * word of its own for. A mark for which `isItem` says so is not looked into; any other may be a chunk: a piece that holds
 * several items side by side.
 */
function readItems(
  text: string,
  load: (id: number) => string,
  isItem: (mark: string) => boolean,
): ItemTexts | null {
  const whole = text.startsWith('\n') ? load(idOf(text)) : text;
  const isList = whole.startsWith('[');
  if (!isList && (!whole.startsWith('{') || whole.startsWith('{"lc":'))) return null;
  const items: ItemTexts['items'] = [];
  const visit = (part: string, from: number, to: number): void => {
    for (let at = from; at < to; ) {
      const keyEnd = !isList && part[at] === '"' ? endOfString(part, at) + 1 : null;
      const begin = keyEnd === null ? at : keyEnd + 1;
      const end = endOfValue(part, begin);
      const item = part.slice(begin, end);
      const chunk = keyEnd === null && item.startsWith('\n') && !isItem(item) ? load(idOf(item)) : null;
      // An item is one value, and a chunk of an object begins with a key.
      if (chunk !== null && (!isList || endOfFirst(chunk) < chunk.length)) visit(chunk, 0, chunk.length);
      else
        items.push({ key: keyEnd === null ? null : String(JSON.parse(part.slice(at, keyEnd))), text: item });
      // After the comma.
      at = end + 1;
    }
  };
  visit(whole, 1, whole.length - 1);
  return { isList, items };
}

const idOf = (mark: string): number => Number(mark.slice(1, -1));

/** Messages are long, and never in the middle of a chunk without a mark. */
const endOfFirst = (text: string): number =>
  text.startsWith('{"lc":1,') ? text.length : endOfValue(text, 0);

/** Index after the JSON value, or the mark, that begins at `at`. */
function endOfValue(text: string, at: number): number {
  const first = text[at];
  if (first === '\n') return text.indexOf('\n', at + 1) + 1;
  if (first === '"') return endOfString(text, at) + 1;
  let depth = 0;
  for (let end = at; end < text.length; end++) {
    const letter = text[end];
    if (letter === '"') end = endOfString(text, end);
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') {
      depth -= 1;
      if (depth === 0) return end + 1;
      if (depth < 0) return end;
    } else if (letter === ',' && depth === 0) return end;
  }
  return text.length;
}
