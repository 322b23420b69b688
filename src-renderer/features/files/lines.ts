import type { FilePage } from '@contract/app';
import type { ErrorInWords } from '@contract/result';

/** Lines asked for at once. Some screens' worth, and small enough that a page of long lines arrives in a frame or two. */
export const PAGE_LINES = 500;

/** What is known of an open file. `pages` holds the lines of page n, which begins at line n * PAGE_LINES (0-based). */
export type OpenFile =
  | { phase: 'loading' }
  | { phase: 'failed'; error: ErrorInWords }
  | { phase: 'binary'; size: number | null; mimeType: string }
  | {
      phase: 'text';
      pages: ReadonlyMap<number, readonly string[]>;
      /** Lines in the file, or as many as are known of so far. */
      count: number;
      /** Whether `count` is the end of the file. */
      isWhole: boolean;
      /** Bytes, where known. */
      size: number | null;
      mimeType: string;
    };

/** The file after a page of it came. Pure. Pages that lie behind the (new) end of the file are dropped. */
export function withPage(file: OpenFile, page: FilePage): OpenFile {
  if (page.kind === 'binary') return { phase: 'binary', size: page.size, mimeType: page.mimeType };
  const end = page.offset + page.lines.length;
  const before = file.phase === 'text' ? file : undefined;
  const { nextOffset } = page;
  const isEnd = nextOffset === null;
  const count = page.totalLines ?? (isEnd ? end : Math.max(before?.count ?? 0, nextOffset + 1));
  const isWhole = page.totalLines !== null || isEnd || (before?.isWhole === true && before.count === count);
  const pages = new Map(before?.pages).set(Math.floor(page.offset / PAGE_LINES), page.lines);
  for (const index of pages.keys()) if (index > 0 && index * PAGE_LINES >= count) pages.delete(index);
  return { phase: 'text', pages, count, isWhole, size: page.size, mimeType: page.mimeType };
}

/** Line `index` (0-based); undefined while its page has not come. */
export function lineAt(file: Extract<OpenFile, { phase: 'text' }>, index: number): string | undefined {
  return file.pages.get(Math.floor(index / PAGE_LINES))?.[index % PAGE_LINES];
}

/** Pages that the lines `first`..`last` (0-based) need and that have not come. */
export function missingPages(file: OpenFile, first: number, last: number): number[] {
  if (file.phase !== 'text') return [];
  const missing: number[] = [];
  for (let page = Math.floor(first / PAGE_LINES); page <= Math.floor(last / PAGE_LINES); page++) {
    if (!file.pages.has(page) && page * PAGE_LINES < file.count) missing.push(page);
  }
  return missing;
}

/** The whole text, when every page is here. */
export function wholeText(file: OpenFile): string | undefined {
  if (file.phase !== 'text' || !file.isWhole) return undefined;
  const pages = Math.ceil(file.count / PAGE_LINES);
  const lines: string[] = [];
  for (let index = 0; index < pages; index++) {
    const page = file.pages.get(index);
    if (page === undefined) return undefined;
    lines.push(...page);
  }
  return lines.join('\n');
}
