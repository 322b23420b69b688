import { type Failure, failure } from '../failure';
import { bomLength, type Encoding, encode } from './encoding';
import { countRefused } from './text';

/** Steps between two checks of the clock. Milliseconds after which the loop yields. */
const BETWEEN_LOOKS = 1_024;
const TURN = 6;
/** Up to this many occurrences, the pieces are passed on as they are. For more, one new buffer is built. */
const MAX_OCCURRENCES = 32;

export interface ByteEdit {
  /** The new content, in order: views of the old bytes and of the replacement. */
  pieces: Uint8Array[];
  occurrences: number;
}

/**
 * `replaceText` on a file's bytes, with the same meaning. Everything else is not even decoded, so it stays byte for byte,
 * and a file of many megabytes is edited without a pause. `bytes` must be valid in `encoding`. Errors: `invalid` for empty,
 * missing or ambiguous `oldString`, and for text that the encoding cannot represent.
 */
export async function replaceBytes(
  bytes: Buffer,
  encoding: Encoding,
  edit: { oldString: string; newString: string; replaceAll: boolean },
): Promise<ByteEdit | Failure> {
  const { oldString, newString, replaceAll } = edit;
  const mark = bytes.subarray(0, bomLength(bytes, encoding));
  if (oldString === '') {
    if (bytes.length > mark.length)
      return failure('invalid', 'Error: oldString cannot be empty when file has content');
    const text = encode(newString, encoding);
    return 'unknown' in text
      ? notInEncoding(text.unknown, encoding)
      : { pieces: [mark, text], occurrences: 0 };
  }
  const found = await find(bytes, encoding, oldString);
  const refused = countRefused(found.at.length, oldString, replaceAll);
  if (refused !== null) return refused;
  const replacement = encode(found.crlf ? newString.replace(/\r?\n/g, '\r\n') : newString, encoding);
  if ('unknown' in replacement) return notInEncoding(replacement.unknown, encoding);
  const occurrences = found.at.length;
  if (occurrences > MAX_OCCURRENCES) return { pieces: [await join(bytes, found, replacement)], occurrences };
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const at of found.at) {
    pieces.push(bytes.subarray(from, at), replacement);
    from = at + found.length;
  }
  pieces.push(bytes.subarray(from));
  return { pieces, occurrences };
}

/** Builds the new content of an edit in many places. */
async function join(
  bytes: Buffer,
  found: { at: readonly number[]; length: number },
  replacement: Buffer,
): Promise<Buffer> {
  const joined = Buffer.allocUnsafeSlow(bytes.length + found.at.length * (replacement.length - found.length));
  const turns = new Turns();
  let [from, to] = [0, 0];
  for (const at of found.at) {
    to += bytes.copy(joined, to, from, at);
    to += replacement.copy(joined, to);
    from = at + found.length;
    if (turns.isOver()) await turns.next();
  }
  bytes.copy(joined, to, from);
  return joined;
}

/** Yields to the event loop in long loops. */
class Turns {
  private steps = 0;
  private since = performance.now();

  isOver(): boolean {
    this.steps += 1;
    return this.steps % BETWEEN_LOOKS === 0 && performance.now() - this.since >= TURN;
  }

  async next(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.since = performance.now();
  }
}

/** Encodes the whole new content of a file, with the byte order mark and the line endings of the old content. */
export function encodeLike(text: string, before: Buffer, encoding: Encoding): Buffer | Failure {
  const mark = before.subarray(0, bomLength(before, encoding));
  const bare = mark.length > 0 && text.startsWith('\ufeff') ? text.slice(1) : text;
  const bytes = encode(hasOnlyCrlf(before, encoding) ? bare.replace(/\r?\n/g, '\r\n') : bare, encoding);
  if ('unknown' in bytes) return notInEncoding(bytes.unknown, encoding);
  return mark.length === 0 ? bytes : Buffer.concat([mark, bytes]);
}

function notInEncoding(character: string, encoding: Encoding): Failure {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return failure(
    'invalid',
    `Error: the new text has U+${code}, which the file's encoding (${encoding}) cannot hold. Nothing was changed. ` +
      (encoding === 'windows-1252'
        ? 'Use other characters, or delete the file and write it again as UTF-8.'
        : 'It is half of a character: write the whole character.'),
  );
}

const widthOf = (encoding: Encoding): number => (encoding.startsWith('utf-16') ? 2 : 1);

/** Encodes short ASCII text. */
function ascii(text: string, encoding: Encoding): Buffer {
  const bytes = encode(text, encoding);
  return 'unknown' in bytes ? Buffer.alloc(0) : bytes;
}

async function find(
  bytes: Buffer,
  encoding: Encoding,
  wanted: string,
): Promise<{ at: number[]; length: number; crlf: boolean }> {
  const nothing = { at: [], length: 0, crlf: false };
  const width = widthOf(encoding);
  const needle = encode(wanted, encoding);
  if ('unknown' in needle) return nothing;
  const asGiven = await places(bytes, needle, width);
  if (asGiven.length > 0) {
    // A single line without a line ending gives no style: the replacement follows the file's first line ending.
    const crlf = !wanted.includes('\n') && firstLineEndIsCrlf(bytes, encoding);
    return { at: asGiven, length: needle.length, crlf };
  }
  if (!wanted.includes('\n')) return nothing;
  const widened = encode(wanted.replace(/\r?\n/g, '\r\n'), encoding);
  if ('unknown' in widened) return nothing;
  return { at: await places(bytes, widened, width), length: widened.length, crlf: true };
}

function next(bytes: Buffer, needle: Buffer, width: number, from: number): number {
  let at = bytes.indexOf(needle, from);
  while (at >= 0 && at % width !== 0) at = bytes.indexOf(needle, at + 1);
  return at;
}

async function places(bytes: Buffer, needle: Buffer, width: number): Promise<number[]> {
  const at: number[] = [];
  const turns = new Turns();
  for (let i = next(bytes, needle, width, 0); i >= 0; i = next(bytes, needle, width, i + needle.length)) {
    at.push(i);
    if (turns.isOver()) await turns.next();
  }
  return at;
}

function firstLineEndIsCrlf(bytes: Buffer, encoding: Encoding): boolean {
  const width = widthOf(encoding);
  const end = next(bytes, ascii('\n', encoding), width, 0);
  return end >= width && bytes.subarray(end - width, end).equals(ascii('\r', encoding));
}

/** Whether there is a line ending, and none is a bare LF. */
function hasOnlyCrlf(bytes: Buffer, encoding: Encoding): boolean {
  const width = widthOf(encoding);
  const [lf, cr] = [ascii('\n', encoding), ascii('\r', encoding)];
  let end = next(bytes, lf, width, 0);
  if (end < 0) return false;
  for (; end >= 0; end = next(bytes, lf, width, end + width))
    if (end < width || !bytes.subarray(end - width, end).equals(cr)) return false;
  return true;
}
