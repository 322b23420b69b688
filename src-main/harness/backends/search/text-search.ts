import { isFailure } from '../failure';
import type { GrepMatch, GrepOptions, GrepResult } from '../protocol';
import { runSearch } from './search';
import { LineRecords, shownLine } from './search-records';

export interface TextFile {
  path: string;
  text: string;
}

/**
 * Matching lines in texts in memory. Regular expressions go to ripgrep here too (all texts in one process), so that a
 * pattern means the same on every backend and none can block the event loop.
 */
export async function searchTexts(
  files: TextFile[],
  search: { pattern: string; cap: number } & GrepOptions,
): Promise<GrepResult> {
  search.signal?.throwIfAborted();
  // As in ripgrep with files on disk: a byte order mark is not part of the first line.
  const texts = files.map((file) =>
    file.text.startsWith('\uFEFF') ? { path: file.path, text: file.text.slice(1) } : file,
  );
  return search.regex ? searchRegex(texts, search) : searchLiteral(texts, search.pattern, search.cap);
}

function searchLiteral(files: TextFile[], pattern: string, cap: number): GrepResult {
  const matches: GrepMatch[] = [];
  for (const { path, text } of files) {
    let line = 1;
    let counted = 0;
    for (let at = text.indexOf(pattern); at >= 0; ) {
      if (matches.length >= cap) return { matches, truncated: true };
      for (let end = text.indexOf('\n', counted); end >= 0 && end < at; end = text.indexOf('\n', counted)) {
        line += 1;
        counted = end + 1;
      }
      const end = text.indexOf('\n', at);
      const whole = text.slice(counted, end < 0 ? undefined : end);
      matches.push({ path, line, text: shownLine(whole) });
      if (end < 0) break;
      at = text.indexOf(pattern, end + 1);
    }
  }
  return { matches, truncated: false };
}

async function searchRegex(
  files: TextFile[],
  search: { pattern: string; cap: number } & GrepOptions,
): Promise<GrepResult> {
  const searched = files.filter((file) => file.text !== '');
  // Number of the line before each text's first line, if all texts are concatenated.
  const starts: number[] = [];
  let lines = 0;
  for (const { text } of searched) {
    starts.push(lines);
    lines += countLines(text);
  }
  const matches: GrepMatch[] = [];
  let over = false;
  let file = 0;
  const records = new LineRecords({
    onMatch: (_, line, text) => {
      while (file + 1 < starts.length && (starts[file + 1] ?? 0) < line) file += 1;
      if (matches.length >= search.cap) {
        over = true;
        return true;
      }
      matches.push({ path: searched[file]?.path ?? '', line: line - (starts[file] ?? 0), text });
      return false;
    },
    // Texts are never binary, whatever they contain.
    onBinary: () => undefined,
  });
  const end = await runSearch({
    find: { kind: 'lines', pattern: search.pattern, regex: true },
    where: { kind: 'texts', texts: () => ended(searched) },
    onChunk: (chunk) => records.take(chunk),
    timeoutMs: search.timeoutMs,
    signal: search.signal,
  });
  return isFailure(end) ? end : { matches, truncated: over || end.timedOut };
}

function* ended(files: TextFile[]): Generator<string> {
  for (const { text } of files) yield text.endsWith('\n') ? text : `${text}\n`;
}

function countLines(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lines += 1;
  return lines;
}
