import { isUtf8 } from 'node:buffer';
import type { Dir } from 'node:fs';
import { opendir, realpath } from 'node:fs/promises';

/*
 * File names as text. On Linux, a name consists of bytes; most are UTF-8 and stay as they are. A byte that is not part of
 * UTF-8 becomes `\xHH` (two lower-case hexadecimal digits). If a name contains `\xHH` literally, its backslash becomes
 * `\x5c`. So each name has one text and each text means one name:
 *
 *   bytes             text
 *   a 5c b            a\b          a backslash is an ordinary character
 *   b ff d            b\xffd       a byte that is not UTF-8
 *   b 5c x f f d      b\x5cxffd    the four characters `\xff`
 *   c3 a9             é            never `\xc3\xa9`, which is refused
 *   . . 5c b          ..\x5cb      no name has `..` before or after a bare backslash
 *
 * Windows has no such names, and a backslash separates names there.
 */

const ESCAPE = /\\x([0-9a-fA-F]{2})/g;
/** A backslash that must be escaped because it would look like the start of an escape. */
const AMBIGUOUS = /\\(?=x[0-9a-fA-F]{2})/g;
/** Half of a surrogate pair is not valid text, so no system accepts it in a name. */
const LONE = /\p{Surrogate}/u;

/** Whether a text can be written as UTF-8: it has no lone surrogates, which would become U+FFFD. */
export const isWellFormed = (text: string): boolean => !LONE.test(text);

/** The text of a name in valid UTF-8. */
function textOf(name: string): string {
  if (!name.includes('\\') || process.platform === 'win32') return name;
  return name.split('\\').includes('..') ? name.replaceAll('\\', '\\x5c') : name.replace(AMBIGUOUS, '\\x5c');
}

/** The text of a name or path in bytes. */
export function textOfBytes(bytes: Buffer): string {
  if (bytes.includes(SLASH)) return namesOf(bytes).map(textOfBytes).join('/');
  // Windows converts UTF-16 names to UTF-8 without loss.
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
  // Checks the whole name, since a part between invalid bytes need not start or end at a backslash.
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

/** Number of bytes of the UTF-8 character that starts there; 0 if none does. */
function sequenceAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

/**
 * The text of a name or path that the system returned in the lossless `latin1` encoding. Most names are ASCII and cost
 * nothing extra.
 */
export const textOfLatin1 = (told: string): string =>
  /^[\0-\x5b\x5d-\x7f]*$/.test(told) ? told : textOfBytes(Buffer.from(told, 'latin1'));

/** The bytes that a text means, whether or not it is their canonical form. */
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

/** The system's form of a name or path: a string whenever that is lossless. */
export function systemPath(text: string): string | Buffer {
  if (process.platform === 'win32' || !text.includes('\\x')) return text;
  const bytes = bytesOf(text);
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes;
}

/** The real path of a system path as text, with links followed. Throws system errors. */
export const realPathOf = async (path: string | Buffer): Promise<string> =>
  process.platform === 'win32' ? realpath(path) : textOfLatin1(await realpath(path, 'latin1'));

/** Opens a directory to read its names, which need `textOfLatin1`. */
export const openNames = (path: string | Buffer, bufferSize: number): Promise<Dir> =>
  // The types omit that it accepts bytes like every other function.
  opendir(path as string, { bufferSize, encoding: 'latin1' });

/** Length of a name on the disk, in bytes. */
export const byteLengthOf = (text: string): number =>
  text.includes('\\x') ? bytesOf(text).length : Buffer.byteLength(text);

/**
 * The canonical text of a name without `/`; null if it has an escape that is not needed, because then two texts would mean
 * one name.
 */
export function canonicalName(written: string): string | null {
  if (!written.includes('\\')) return written;
  const bytes = bytesOf(written);
  if (bytes.includes(SLASH) || bytes.includes(0)) return null;
  const text = textOfBytes(bytes);
  // `\x5c` may replace any backslash, and digits may be upper or lower case, since names are displayed that way.
  const spelled = (name: string) =>
    name.replaceAll(/\\x5c/gi, '\\').replace(ESCAPE, (all) => all.toLowerCase());
  return spelled(text) === spelled(written) ? text : null;
}

/** The text of a system path string, which cannot express bytes that are not UTF-8. */
export const textOfPath = (path: string): string =>
  process.platform === 'win32' || !path.includes('\\') ? path : path.split('/').map(textOf).join('/');

/** Whether a name goes up if a backslash counts as a separator. `..\x5cb` is a plain name. */
export const climbsByBackslash = (name: string): boolean =>
  name.includes('\\') && name.replace(ESCAPE, '_').split('\\').includes('..');

/**
 * The names of a path as written, without `.` and empty ones; null if one goes up or is not a name. Code that checks a path
 * uses the same text, and so the same file, as code that uses it.
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
