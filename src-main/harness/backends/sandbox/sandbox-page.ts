import type { Failure } from '../failure';
import type { ReadResult } from '../protocol';
import { decodeText, looksBinary, numbered, pastEnd } from '../text/text';
import { MAX_PAGE } from './sandbox-scripts';

/** A sandbox's answer to a request for a page. */
export interface BoxPage {
  /** Size of the whole file in bytes. */
  size: number;
  /** SHA-256 of the whole file, or null if the sandbox cannot compute it. */
  version: string | null;
  totalLines: number;
  /** Whether the start of the file looks like text. */
  isText: boolean;
  /** The requested lines, cut at `MAX_PAGE` and one byte. */
  bytes: Buffer;
}

/** Parses the answer of `pageScript` after its kind. Null if it is incomplete. */
export function parsePage(records: readonly string[]): BoxPage | null {
  const [facts = '', head, page] = records;
  const [, size, sum, ends, open, nuls] = /^(\d+) (\S+) (\d+) (\d) (\d)$/.exec(facts.trim()) ?? [];
  if (size === undefined || head === undefined || page === undefined) return null;
  return {
    size: Number(size),
    version: sum !== undefined && /^[0-9a-f]{64}$/.test(sum) ? sum : null,
    totalLines: Number(ends) + Number(open),
    isText: nuls === '0' && !looksBinary(Buffer.from(head, 'base64')),
    bytes: Buffer.from(page, 'base64'),
  };
}

export interface PageAsked {
  /** 0-based. */
  offset: number;
  limit: number;
  /** Bytes skipped in the first line. */
  column: number;
  /** Whether the text notes that a line is cut. */
  notesCut: boolean;
}

type Page = Pick<
  ReadResult,
  'content' | 'totalLines' | 'startLine' | 'endLine' | 'nextOffset' | 'nextColumn'
>;

/** The page as text, without line endings except between lines. Null if it is not UTF-8. */
export function textOfPage(page: BoxPage, asked: PageAsked): Page | Failure | null {
  const { offset, limit, column } = asked;
  const { totalLines } = page;
  if (offset > 0 && offset >= totalLines) return pastEnd(offset, totalLines);
  if (limit <= 0) return { content: '', totalLines, ...(offset < totalLines ? { nextOffset: offset } : {}) };
  const skipped = column > 0 ? restOfCharacter(page.bytes) : 0;
  let bytes = page.bytes.subarray(skipped);
  const isLong = page.bytes.length > MAX_PAGE;
  const lastEnd = isLong ? bytes.lastIndexOf(10, MAX_PAGE - 1) : -1;
  if (isLong && lastEnd < 0)
    return cutLine(bytes.subarray(0, MAX_PAGE), { ...asked, column: column + skipped }, totalLines);
  if (isLong) bytes = bytes.subarray(0, lastEnd + 1);
  const text = decodeText(bytes);
  if (text === null) return null;
  const lines = (offset === 0 && column === 0 ? text.replace(/^\uFEFF/, '') : text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  const next = isLong ? offset + lines.length : offset + limit;
  const shown: Page = {
    content: lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)).join('\n'),
    totalLines,
    ...(next < totalLines ? { nextOffset: next } : {}),
  };
  return numbered(shown, offset, lines.length);
}

/** The start of a line that is longer than a page. */
function cutLine(bytes: Buffer, { offset, column, notesCut }: PageAsked, totalLines: number): Page | null {
  let text: string;
  try {
    // Leaves a character that is cut at the end for the next page.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
  const kept = Buffer.byteLength(text);
  const shown = offset === 0 && column === 0 ? text.replace(/^\uFEFF/, '') : text;
  const note = notesCut ? `… [line ${offset + 1} is longer than ${MAX_PAGE} bytes and is cut here]` : '';
  const cut: Page = {
    content: shown + note,
    totalLines,
    nextOffset: offset + 1,
    nextColumn: column + kept,
  };
  return numbered(cut, offset, 1);
}

/** Bytes of a character whose start was skipped. */
function restOfCharacter(bytes: Buffer): number {
  let rest = 0;
  while (rest < 3 && ((bytes[rest] ?? 0) & 0xc0) === 0x80) rest += 1;
  return rest;
}
