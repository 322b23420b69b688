import { isUtf8 } from 'node:buffer';

/**
 * The encoding of a text file on disk. Every file is read as one of these or as binary. The first that fits wins: a byte
 * order mark, valid UTF-8, UTF-16 without a mark if nearly all of it is ASCII, else Windows-1252 (which includes Latin-1) if
 * there are no control characters. Decoding Windows-1252 is lossless whatever the bytes are, so the ASCII parts of a file in
 * another 8-bit encoding can be edited.
 */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Windows-1252 from 0x80 to 0x9F. Its five gaps stand for themselves, as on the web. */
const HIGH =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';
const BYTE_OF_HIGH = new Map(Array.from(HIGH, (character, n) => [character, 0x80 + n]));

/** Bytes without a byte order mark that are needed to recognize UTF-16. */
const ENOUGH_UTF16 = 8;

/** Bytes at the start that tell UTF-16 from other content, and text from binary. Even. UTF-8 is checked as a whole. */
const LOOKED_AT = 64 * 1024;

/** Bytes decoded in one go, so that a file of many megabytes does not block the process. */
const SLICE = 1024 * 1024;

const startsWith = (bytes: Uint8Array, ...mark: number[]): boolean =>
  mark.every((byte, n) => bytes[n] === byte);

/** Bytes of the byte order mark at the start of a file. */
export function bomLength(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding === 'utf-8') return startsWith(bytes, 0xef, 0xbb, 0xbf) ? 3 : 0;
  if (encoding === 'utf-16le') return startsWith(bytes, 0xff, 0xfe) ? 2 : 0;
  return encoding === 'utf-16be' && startsWith(bytes, 0xfe, 0xff) ? 2 : 0;
}

/**
 * Detects the encoding of bytes, or null if they are not text. With `isWhole` false they are only the start of a file, so a
 * character cut at the end is not an error.
 */
export function detectEncoding(bytes: Uint8Array, isWhole: boolean): Encoding | null {
  const head = bytes.subarray(0, LOOKED_AT);
  const isHeadWhole = isWhole && head.length === bytes.length;
  // The same two bytes start UTF-32, which nobody uses for files.
  if (startsWith(bytes, 0xff, 0xfe, 0, 0)) return null;
  if (startsWith(bytes, 0xff, 0xfe))
    return utf16Text(head, 'utf-16le', isHeadWhole) === null ? null : 'utf-16le';
  if (startsWith(bytes, 0xfe, 0xff))
    return utf16Text(head, 'utf-16be', isHeadWhole) === null ? null : 'utf-16be';
  if (bytes.includes(0)) return bareUtf16(head, isHeadWhole);
  if (isValidUtf8(bytes, isWhole)) return 'utf-8';
  return head.some(isControl) ? null : 'windows-1252';
}

function isValidUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  if (isWhole) return isUtf8(bytes);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Control characters that no text file has. Tab, line endings, form feed, backspace and escape are fine. */
const isControl = (code: number): boolean =>
  (code < 0x20 && !(code >= 8 && code <= 13) && code !== 27) || code === 0x7f;

/** The text of the first UTF-16 characters, or null if the bytes are not UTF-16. */
function utf16Text(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be', isWhole: boolean): string | null {
  try {
    const text = utf16Decoder().decode(littleEndian(bytes, encoding), { stream: !isWhole });
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** UTF-16 without a mark: nine of ten characters are ASCII, so one byte of each is 0, and no other byte is. */
function bareUtf16(bytes: Uint8Array, isWhole: boolean): Encoding | null {
  if (bytes.length < ENOUGH_UTF16 || (isWhole && bytes.length % 2 !== 0)) return null;
  const zeros = [0, 0];
  for (let n = 0; n < bytes.length; n += 1) if (bytes[n] === 0) zeros[n % 2] = (zeros[n % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const encoding = even === 0 ? 'utf-16le' : odd === 0 ? 'utf-16be' : null;
  if (encoding === null || Math.max(even, odd) < (bytes.length / 2) * 0.9) return null;
  const text = utf16Text(bytes, encoding, isWhole);
  if (text === null) return null;
  for (let n = 0; n < text.length; n += 1) if (isControl(text.charCodeAt(n))) return null;
  return encoding;
}

const utf16Decoder = () => new TextDecoder('utf-16le', { fatal: true, ignoreBOM: true });

function littleEndian(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): Uint8Array {
  if (encoding === 'utf-16le') return bytes;
  const even = bytes.length - (bytes.length % 2);
  // A copy, since it is byte-swapped in place. An odd byte at the end stays an error.
  const swapped = Buffer.from(bytes);
  swapped.subarray(0, even).swap16();
  return swapped;
}

/** Decodes bytes and keeps a byte order mark as the first character. Null if they are not in that encoding. */
export function decode(bytes: Uint8Array, encoding: Encoding): string | null {
  if (encoding === 'windows-1252')
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString('latin1')
      .replace(/[\x80-\x9f]/g, (character) => HIGH[character.charCodeAt(0) - 0x80] ?? character);
  try {
    return encoding === 'utf-8'
      ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
      : utf16Decoder().decode(littleEndian(bytes, encoding));
  } catch {
    return null;
  }
}

/** Encodes text, or returns the first character that the encoding lacks. Adds no byte order mark. */
export function encode(text: string, encoding: Encoding): Buffer | { unknown: string } {
  if (encoding === 'windows-1252') return encodeSingle(text);
  const half = /[\ud800-\udfff]/u.exec(text);
  if (half !== null) return { unknown: half[0] };
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

function encodeSingle(text: string): Buffer | { unknown: string } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are bytes like others here.
  if (/^[\x00-\x7f\xa0-\xff]*$/.test(text)) return Buffer.from(text, 'latin1');
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const byte = code < 0x80 || (code > 0x9f && code <= 0xff) ? code : BYTE_OF_HIGH.get(character);
    if (byte === undefined) return { unknown: character };
    bytes.push(byte);
  }
  return Buffer.from(bytes);
}

/** Converts a whole UTF-16 file to UTF-8, slice by slice. Null if it is not UTF-16 after all. */
export async function utf8OfUtf16(
  bytes: Uint8Array,
  encoding: 'utf-16le' | 'utf-16be',
  signal: AbortSignal | undefined,
): Promise<Buffer | null> {
  const decoder = utf16Decoder();
  const parts: Buffer[] = [];
  try {
    for (let at = 0; at < bytes.length; at += SLICE) {
      signal?.throwIfAborted();
      const slice = littleEndian(bytes.subarray(at, at + SLICE), encoding);
      parts.push(Buffer.from(decoder.decode(slice, { stream: at + SLICE < bytes.length }), 'utf8'));
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  } catch (thrown) {
    if (signal?.aborted || !(thrown instanceof TypeError)) throw thrown;
    return null;
  }
  return Buffer.concat(parts);
}
