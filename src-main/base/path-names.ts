import { isUtf8 } from 'node:buffer';
import type { Dir } from 'node:fs';
import { opendir, realpath } from 'node:fs/promises';

/*
 * Names of files as text. On Linux a name is bytes; most are UTF-8 and are written as they read. A byte that is not part
 * of UTF-8 is written `\xHH` (two lower-case hexadecimal digits), and the backslash of a name in which `\xHH` stands
 * literally is written `\x5c`, so that each name has one text and each text means one name:
 *
 *   bytes             text
 *   a 5c b            a\b          a backslash is a character as any other
 *   b ff d            b\xffd       a byte that is not UTF-8
 *   b 5c x f f d      b\x5cxffd    the four characters `\xff`
 *   c3 a9             é            never `\xc3\xa9`, which is refused
 *   . . 5c b          ..\x5cb      no name has `..` before or after a bare backslash
 *
 * Windows has no such names, and there a backslash separates them.
 */

const ESCAPE = /\\x([0-9a-fA-F]{2})/g;
/** A backslash that has to be written as an escape, since it would be read as the beginning of one. */
const AMBIGUOUS = /\\(?=x[0-9a-fA-F]{2})/g;
/** Half of a pair: no text, so no system can be given it as a name. */
const LONE = /\p{Surrogate}/u;

/** Whether a text can be written as UTF-8: no half of a pair of surrogates, each of which would become U+FFFD. */
export const isWellFormed = (text: string): boolean => !LONE.test(text);

/** The text of a name that is valid UTF-8. */
function textOf(name: string): string {
  if (!name.includes('\\') || process.platform === 'win32') return name;
  return name.split('\\').includes('..') ? name.replaceAll('\\', '\\x5c') : name.replace(AMBIGUOUS, '\\x5c');
}

/** The text of the bytes of a name, or of a path. */
export function textOfBytes(bytes: Buffer): string {
  if (bytes.includes(SLASH)) return namesOf(bytes).map(textOfBytes).join('/');
  // Windows tells names of UTF-16 as UTF-8, of which it has all.
  if (isUtf8(bytes) || process.platform === 'win32') return textOf(bytes.toString('utf8'));
  let valid = '';
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at);
    if (length > 0) {
      valid += bytes.toString('utf8', at, at + length);
      at += length;
      continue;
    }
    parts.push(valid, `\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`);
    valid = '';
    at += 1;
  }
  parts.push(valid);
  // The name as a whole decides: a bare backslash may stand at the end of a part that begins none.
  const isClimbing = bytes.toString('latin1').split('\\').includes('..');
  return parts
    .map((part, index) =>
      index % 2 === 1 ? part : isClimbing ? part.replaceAll('\\', '\\x5c') : part.replace(AMBIGUOUS, '\\x5c'),
    )
    .join('');
}

const SLASH = 0x2f;

function namesOf(bytes: Buffer): Buffer[] {
  const names: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(SLASH); at >= 0; at = bytes.indexOf(SLASH, from)) {
    names.push(bytes.subarray(from, at));
    from = at + 1;
  }
  names.push(bytes.subarray(from));
  return names;
}

/** Bytes of the character of UTF-8 that begins there; 0 where none does. */
function sequenceAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

/**
 * The text of a name or path as the system told it with the encoding `latin1`, in which no byte is lost. Most names are
 * ASCII and cost nothing more.
 */
export const textOfLatin1 = (told: string): string =>
  /^[\0-\x5b\x5d-\x7f]*$/.test(told) ? told : textOfBytes(Buffer.from(told, 'latin1'));

/** The bytes that a text means, whether or not it is how they are written. */
function bytesOf(text: string): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const match of text.matchAll(ESCAPE)) {
    parts.push(
      Buffer.from(text.slice(from, match.index)),
      Buffer.from([Number.parseInt(match[1] ?? '', 16)]),
    );
    from = match.index + match[0].length;
  }
  parts.push(Buffer.from(text.slice(from)));
  return Buffer.concat(parts);
}

/** What to give to the system for the text of a name or path: a string wherever that says it all. */
export function systemPath(text: string): string | Buffer {
  if (process.platform === 'win32' || !text.includes('\\x')) return text;
  const bytes = bytesOf(text);
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes;
}

/** Where a path of the system leads when links are followed, as text. Throws system errors. */
export const realPathOf = async (path: string | Buffer): Promise<string> =>
  process.platform === 'win32' ? realpath(path) : textOfLatin1(await realpath(path, 'latin1'));

/** A directory for reading its names, which are for `textOfLatin1`. */
export const openNames = (path: string | Buffer, bufferSize: number): Promise<Dir> =>
  // The types forget that it takes bytes as every other function does.
  opendir(path as string, { bufferSize, encoding: 'latin1' });

/** Bytes of a name on the disk. */
export const byteLengthOf = (text: string): number =>
  text.includes('\\x') ? bytesOf(text).length : Buffer.byteLength(text);

/**
 * The one text of a name that somebody wrote, without `/`; null where it has an escape that stands for nothing that has
 * to be escaped: two texts would be one name.
 */
export function canonicalName(written: string): string | null {
  if (!written.includes('\\')) return written;
  const bytes = bytesOf(written);
  if (bytes.includes(SLASH) || bytes.includes(0)) return null;
  const text = textOfBytes(bytes);
  // `\x5c` may stand wherever a backslash does, and digits may be of either case: names are shown so.
  const spelled = (name: string) =>
    name.replaceAll(/\\x5c/gi, '\\').replace(ESCAPE, (all) => all.toLowerCase());
  return spelled(text) === spelled(written) ? text : null;
}

/** The text of a path of the system as a string, which cannot say what is not UTF-8. */
export const textOfPath = (path: string): string =>
  process.platform === 'win32' || !path.includes('\\') ? path : path.split('/').map(textOf).join('/');

/** Whether a name climbs for whoever takes a backslash for a separator; written as `..\x5cb` it is a name. */
export const climbsByBackslash = (name: string): boolean =>
  name.includes('\\') && name.replace(ESCAPE, '_').split('\\').includes('..');

/**
 * The names of a path as they are written, without `.` and empty ones; null where one climbs or is no name. For whoever
 * judges a path before it is used: the same text, and so the same file, as whoever uses it.
 */
export function namesOfPath(path: string): string[] | null {
  const names: string[] = [];
  for (const written of path.split(process.platform === 'win32' ? /[\\/]/ : '/')) {
    if (written === '' || written === '.') continue;
    const name = written === '..' || climbsByBackslash(written) ? null : canonicalName(written);
    if (name === null) return null;
    names.push(name);
  }
  return names;
}
