import { createHash, hash } from 'node:crypto';
import { type Failure, failure } from '../failure';

/** Bytes checked to tell text from binary: about as many as in git and ripgrep. */
export const SNIFF_BYTES = 8192;

const BOM = '\uFEFF';

/** Whether bytes are not text: a NUL, or not UTF-8. A character cut at the end of `bytes` is not an error. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return false;
  } catch {
    return true;
  }
}

/** Decodes UTF-8 text and keeps its byte order mark as a character. Null if the bytes are not text. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** SHA-256 in hex: the version of a file's whole content, which may be passed in pieces. */
export function versionOf(content: string | Uint8Array | readonly Uint8Array[]): string {
  // In one call if possible: a quarter of the time for a small file.
  if (typeof content === 'string' || content instanceof Uint8Array) return hash('sha256', content, 'hex');
  const [only] = content;
  if (only !== undefined && content.length === 1) return hash('sha256', only, 'hex');
  const pieces = createHash('sha256');
  for (const piece of content) pieces.update(piece);
  return pieces.digest('hex');
}

/** The lines of a text. A final line ending starts no further line. CR LF counts as one line ending. */
function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = (text.startsWith(BOM) ? text.slice(1) : text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

function countLines(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** The result of a write. Its version is computed on demand: for many megabytes that takes as long as saving them. */
export function written<T extends object>(content: string | Uint8Array, result: T): T & { version: string } {
  return {
    ...result,
    get version() {
      return versionOf(content);
    },
  };
}

export interface TextPage {
  content: string;
  totalLines: number;
  nextOffset?: number;
  startLine?: number;
  endLine?: number;
}

/** Says which lines a page has: `lines` of them from `offset` (0-based). */
export function numbered<P extends { startLine?: number; endLine?: number }>(
  page: P,
  offset: number,
  lines: number,
): P {
  if (lines <= 0) return page;
  page.startLine = offset + 1;
  page.endLine = offset + lines;
  return page;
}

/**
 * At most `limit` lines from `offset` (0-based) of a text in memory. A limit of 0 returns none. Errors: `invalid` for an
 * offset past the end, except in an empty text.
 */
export function pageOf(text: string, offset: number, limit: number): TextPage | Failure {
  // A whole text with LF line endings is already the page, except for its last line ending.
  if (offset === 0 && text !== '' && !text.includes('\r') && !text.startsWith(BOM)) {
    const totalLines = countLines(text);
    if (totalLines <= limit) {
      const content = text.endsWith('\n') ? text.slice(0, -1) : text;
      return { content, totalLines, startLine: 1, endLine: totalLines };
    }
  }
  const lines = splitLines(text);
  const from = Math.max(0, Math.trunc(offset));
  if (from > 0 && from >= lines.length) return pastEnd(from, lines.length);
  const to = Math.min(lines.length, from + Math.max(0, Math.trunc(limit)));
  const page: TextPage = { content: lines.slice(from, to).join('\n'), totalLines: lines.length };
  if (to < lines.length) page.nextOffset = to;
  return numbered(page, from, to - from);
}

export const pastEnd = (offset: number, lines: number): Failure =>
  failure('invalid', `Line offset ${offset} exceeds file length (${lines} lines)`);

/**
 * Replaces exact text. If `oldString` has bare LF and the file has CR LF, they match, and the replacement takes the line
 * endings of the old text. Everything else is unchanged, including the byte order mark. Errors: `invalid` for empty, missing
 * or ambiguous `oldString`.
 */
export function replaceText(
  text: string,
  oldString: string,
  newString: string,
  replaceAll: boolean,
): { text: string; occurrences: number } | Failure {
  if (oldString === '') {
    if (text !== '') return failure('invalid', 'Error: oldString cannot be empty when file has content');
    return { text: newString, occurrences: 0 };
  }
  const found = findWithLineEnds(text, oldString);
  const refused = countRefused(found.at.length, oldString, replaceAll);
  if (refused !== null) return refused;
  const replacement = found.crlf ? newString.replace(/\r?\n/g, () => '\r\n') : newString;
  const parts: string[] = [];
  let from = 0;
  for (const at of found.at) {
    parts.push(text.slice(from, at), replacement);
    from = at + found.length;
  }
  parts.push(text.slice(from));
  return { text: parts.join(''), occurrences: found.at.length };
}

/** Why a text with this many occurrences is not replaced. */
export function countRefused(count: number, oldString: string, replaceAll: boolean): Failure | null {
  if (count === 0) return failure('invalid', `Error: String not found in file: '${oldString}'`);
  if (count === 1 || replaceAll) return null;
  return failure(
    'invalid',
    `Error: String '${oldString}' has multiple occurrences (appears ${count} times) in file. ` +
      'Use replace_all=True to replace all of them, or include more of the surrounding text to pick one.',
  );
}

/** The whole new text of a file, with the byte order mark and the line endings of the old: `encodeLike` without bytes. */
export function textLike(text: string, before: string): string {
  const mark = before.startsWith(BOM) ? BOM : '';
  const bare = mark !== '' && text.startsWith(BOM) ? text.slice(1) : text;
  const hasOnlyCrlf = before.includes('\n') && !/(?:^|[^\r])\n/.test(before);
  return mark + (hasOnlyCrlf ? bare.replace(/\r?\n/g, '\r\n') : bare);
}

/** Tries the text as given, then with CR LF for its LF, for files whose line endings the model does not see. */
function findWithLineEnds(text: string, wanted: string): { at: number[]; length: number; crlf: boolean } {
  const asGiven = occurrencesOf(text, wanted);
  if (asGiven.length > 0) {
    // A single line without a line ending gives no style: the replacement follows the file's first line ending.
    const crlf = !wanted.includes('\n') && /^[^\n]*\r\n/.test(text);
    return { at: asGiven, length: wanted.length, crlf };
  }
  if (!wanted.includes('\n') || !text.includes('\r\n')) return { at: [], length: 0, crlf: false };
  const widened = wanted.replace(/\r?\n/g, '\r\n');
  return { at: occurrencesOf(text, widened), length: widened.length, crlf: true };
}

function occurrencesOf(text: string, wanted: string): number[] {
  const at: number[] = [];
  for (let i = text.indexOf(wanted); i >= 0; i = text.indexOf(wanted, i + wanted.length)) at.push(i);
  return at;
}
