import { hash as hashOf, randomUUID } from 'node:crypto';
import { toUSVString } from 'node:util';
import { crc32 } from 'node:zlib';
import type { Db } from '../../../../base/sqlite/db';
import { cutLongStrings, endOfString, type ItemTexts, idOf, isMark, readItems } from './piece-text';

/*
 * Stores text in pieces, so that repeated text is stored once. A text is compact JSON in which a run of characters may be
 * replaced by a mark: a newline, the number of the piece, a newline. JSON.stringify never writes a bare newline, so a mark
 * cannot be mistaken for text. A piece may contain marks itself. Pieces belong to one thread, are found by their hash, and
 * are deleted with their last mark: `piece_refs` counts the marks in pieces, checkpoints and writes.
 */

/** UTF-16 units below which a text stays inline. A piece costs about 100 extra bytes. */
export const SMALL = 64;
/** UTF-16 units from which a text is found by checksum and comparison, which costs a fraction of a cryptographic hash. */
const LARGE = 256 * 1_024;
/** UTF-16 units from which a string is stored as raw bytes. As JSON it would be written, searched and copied whole. */
const BYTES = LARGE;
/** List items joined to one piece, so that a list of n items costs n / 32 marks plus what changed. */
export const CHUNK = 32;

const MARK = /\n(\d+)\n/g;

/** JSON without its long strings. The `placeOf` of its index stands for each. */
interface CutJson<T> {
  json: string;
  strings: readonly T[];
}

/** To be stored. */
export type CutText = CutJson<LongString>;

/** A string that is stored as bytes, prepared before the transaction: nothing else can happen during both. */
interface LongString {
  bytes: Uint8Array;
  /** Tells most strings apart. */
  sum: string;
}

export function longString(value: string): LongString {
  const bytes = Buffer.from(value);
  return { bytes, sum: `bytes ${bytes.length} ${crc32(bytes)}` };
}

// No stored text can contain a random word created at process start.
const PLACE = `deepdesk ${randomUUID()} `;
const PLACES = new RegExp(`"${PLACE}(\\d+)"`, 'g');

/** The placeholder for a string; null if it is short or not valid in UTF-8. */
export const placeOf = (value: string, index: number): string | null =>
  value.length >= BYTES && toUSVString(value) === value ? `${PLACE}${index}` : null;

/** A parsed text, with its strings in their places. */
export function withStrings(parsed: unknown, strings: readonly string[]): unknown {
  const root: Record<string, unknown> = { parsed };
  const open: Record<string, unknown>[] = strings.length === 0 ? [] : [root];
  for (let part = open.pop(); part !== undefined; part = open.pop())
    for (const key of Object.keys(part)) {
      const item = part[key];
      if (typeof item === 'string') {
        if (item.startsWith(PLACE)) part[key] = strings[Number(item.slice(PLACE.length))] ?? item;
      } else if (typeof item === 'object' && item !== null) open.push(item as Record<string, unknown>);
    }
  return root.parsed;
}

/** A mark names a deleted piece. Code that cached it must write the text again. */
export class PieceGone extends Error {}

export interface Pieces {
  /** Returns `text`, or a mark if it is long enough. Its long strings become separate pieces. */
  put(text: string | CutText): string;
  /** Writes a JSON list or object. */
  putItems(items: ItemsToPut): PutItems;
  /** Notes that a row now holds the text. */
  hold(text: string): void;
  /** Notes that the row with that text is gone. */
  release(text: string): void;
  /**
   * Counts the marks in all texts noted since the last call, and deletes pieces without any remaining references. Throws
   * PieceGone if a held one is missing. Call this at the end of each write.
   */
  settle(): void;
  /** The full text. */
  expand(text: string): string;
  /** The text with its long strings apart, each read once and shared; null if its marks stand for more than strings. */
  cut(text: string): CutJson<string> | null;
  /** The texts of a list's or object's items, including marks; else null. `isItem` tells whether a mark is a single item. */
  items(text: string, isItem: (mark: string) => boolean): ItemTexts | null;
}

interface ItemsToPut {
  /** The brackets. */
  open: string;
  close: string;
  /** Marks of the chunks in which the first items were stored before. A few items must follow. */
  begins: readonly string[];
  /** The texts of the other items. */
  items: readonly string[];
}

interface PutItems {
  text: string;
  /** The marks of all whole chunks of items. */
  chunks: readonly string[];
}

export interface PieceTable {
  /** Use it for one read or write: it caches what it reads. */
  of(thread: number): Pieces;
  /** Deletes all pieces of one thread. */
  removeAll(thread: number): void;
}

/** All methods are synchronous. Methods that write expect a surrounding transaction. */
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
    // One statement for all pieces whose count changes by the same: a step's list of messages has a mark for each.
    insert: db.prepare<[number, Uint8Array, string, Uint8Array | null]>(
      'INSERT INTO pieces (thread, hash, text, bytes) VALUES (?, ?, ?, ?)',
    ),
    insertRefs: db.prepare<[number, number]>('INSERT INTO piece_refs VALUES (?, ?)'),
    addRefs: db.prepare<[number, string]>(
      'UPDATE piece_refs SET refs = refs + ? WHERE id IN (SELECT value FROM json_each(?))',
    ),
    removeSomeRefs: db.prepare<[number, string], { id: number; refs: number }>(
      'UPDATE piece_refs SET refs = refs - ? WHERE id IN (SELECT value FROM json_each(?)) RETURNING id, refs',
    ),
    remove: db.prepare<[number], string>('DELETE FROM pieces WHERE id = ? RETURNING text').pluck(),
    removeRefs: db.prepare<[number]>('DELETE FROM piece_refs WHERE id = ?'),
    removeAllRefs: db.prepare<[number]>(
      'DELETE FROM piece_refs WHERE id IN (SELECT id FROM pieces WHERE thread = ?)',
    ),
    removeAll: db.prepare<[number]>('DELETE FROM pieces WHERE thread = ?'),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/** An existing piece, or the hash under which to store it. */
type Found = { id: number } | { hash: Uint8Array };

class ThreadPieces implements Pieces {
  readonly #statements: Statements;
  readonly #thread: number;
  /** Pieces already read: a piece's kind is looked at before its value, and a file's text is in the call that wrote it, too. */
  readonly #read = new Map<number, string>();
  /** The strings of pieces that are one. */
  readonly #strings = new Map<number, string>();
  /** Marks that came and went since the last `settle`, by piece. Most of a step's marks come with one row and go with another. */
  #changes = new Map<number, number>();
  /** New pieces, which are not counted yet. */
  #added = new Set<number>();

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
        : short.replace(PLACES, (place, index: string) => {
            const long = strings[Number(index)];
            return long === undefined ? place : this.#storeBytes(long);
          });
    return cut.length < SMALL ? cut : this.#store(cut);
  }

  putItems({ open, close, begins, items }: ItemsToPut): PutItems {
    let level = [...items];
    let chunks: readonly string[] = [];
    for (let before = begins; before.length > 0 || level.length > CHUNK; before = []) {
      const joined = [...before];
      // The last, incomplete group stays inline, so that appending writes nothing twice.
      const whole = level.length - (level.length % CHUNK);
      for (let at = 0; at < whole; at += CHUNK)
        joined.push(this.#store(level.slice(at, at + CHUNK).join(',')));
      const rest = level.slice(whole);
      if (chunks.length === 0) chunks = [...joined];
      if (joined.length <= CHUNK) {
        level = [...joined, ...rest];
        break;
      }
      // Groups of groups. The remainder is joined too, so that every round shrinks.
      level = rest.length > 0 ? [...joined, this.#store(rest.join(','))] : joined;
    }
    const text = open + level.join(',') + close;
    return { text: text.length < SMALL ? text : this.#store(text), chunks };
  }

  hold(text: string): void {
    this.#count(text, 1);
  }

  release(text: string): void {
    this.#count(text, -1);
  }

  settle(): void {
    const { insertRefs, addRefs, removeSomeRefs } = this.#statements;
    while (this.#changes.size > 0 || this.#added.size > 0) {
      const [changes, added] = [this.#changes, this.#added];
      this.#changes = new Map();
      this.#added = new Set();
      for (const id of added) insertRefs.run(id, changes.get(id) ?? 0);
      const byChange = new Map<number, number[]>();
      for (const [id, change] of changes) {
        if (added.has(id)) {
          if (change <= 0) this.#remove(id);
        } else if (change !== 0) {
          const ids = byChange.get(change);
          if (ids === undefined) byChange.set(change, [id]);
          else ids.push(id);
        }
      }
      for (const [change, ids] of byChange) {
        const list = JSON.stringify(ids);
        if (change > 0) {
          const counted = addRefs.run(change, list).changes;
          if (counted < ids.length) throw new PieceGone(`some of the pieces ${ids.join(', ')} are gone`);
        } else for (const { id, refs } of removeSomeRefs.all(-change, list)) if (refs <= 0) this.#remove(id);
      }
    }
  }

  #count(text: string, by: 1 | -1): void {
    if (!text.includes('\n')) return;
    for (const match of text.matchAll(MARK)) {
      const id = Number(match[1]);
      this.#changes.set(id, (this.#changes.get(id) ?? 0) + by);
    }
  }

  #remove(id: number): void {
    const { remove, removeRefs } = this.#statements;
    this.release(remove.get(id) ?? '');
    removeRefs.run(id);
  }

  expand(text: string): string {
    return text.includes('\n')
      ? text.replace(MARK, (_, id: string) => this.expand(this.#load(Number(id))))
      : text;
  }

  cut(text: string): CutJson<string> | null {
    const whole = isMark(text) ? this.#load(idOf(text)) : text;
    if (!whole.includes('\n')) return { json: whole, strings: [] };
    const strings: string[] = [];
    let isCut = true;
    const json = whole.replace(MARK, (mark, id: string, at: number) => {
      const string = whole[at + mark.length] === ':' ? null : this.#stringAt(Number(id));
      if (string === null) isCut = false;
      else strings.push(string);
      return `"${PLACE}${strings.length - 1}"`;
    });
    return isCut ? { json, strings } : null;
  }

  items(text: string, isItem: (mark: string) => boolean): ItemTexts | null {
    return readItems(text, (id) => this.#load(id), isItem);
  }

  #store(text: string): string {
    return this.#storeFound(this.#findText(text), text, null);
  }

  #storeBytes({ bytes, sum }: LongString): string {
    const isSame = (id: number) => this.#statements.bytesOf.get(id)?.bytes?.equals(bytes) === true;
    return this.#storeFound(this.#findSum(sum, isSame), '', bytes);
  }

  #storeFound(found: Found, text: string, bytes: Uint8Array | null): string {
    if ('id' in found) return `\n${found.id}\n`;
    const { lastInsertRowid } = this.#statements.insert.run(this.#thread, found.hash, text, bytes);
    this.#added.add(Number(lastInsertRowid));
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

  /** The piece with that checksum that `is` accepts, or a hash that no piece has yet. */
  #findSum(sum: string, is: (id: number) => boolean): Found {
    for (let other = 0; ; other += 1) {
      const hash = hashOf('sha256', `${sum} ${other}`, 'buffer').subarray(0, 20);
      const found = this.#statements.find.get(this.#thread, hash);
      if (found === undefined) return { hash };
      if (is(found.id)) return found;
    }
  }

  /** The string that a piece consists of, or null. */
  #stringAt(id: number): string | null {
    const known = this.#strings.get(id);
    if (known !== undefined) return known;
    const { text, bytes } = this.#row(id);
    const isString = bytes === null && text.startsWith('"') && endOfString(text, 0) === text.length - 1;
    if (bytes === null && !isString) return null;
    const string = bytes === null ? (JSON.parse(text) as string) : bytes.toString('utf8');
    this.#strings.set(id, string);
    return string;
  }

  #row(id: number): { text: string; bytes: Buffer | null } {
    const row = this.#statements.get.get(id, this.#thread);
    if (!row) throw new PieceGone(`piece ${id} is gone`);
    return row;
  }

  #load(id: number): string {
    const known = this.#read.get(id);
    if (known !== undefined) return known;
    const row = this.#row(id);
    const text = row.bytes === null ? row.text : JSON.stringify(row.bytes.toString('utf8'));
    this.#read.set(id, text);
    return text;
  }
}
