import type { FilePage } from '@contract/app';
import type { ErrorInWords } from '@contract/result';

/** Lines per request: a few screenfuls, and few enough that a page of long lines arrives in a frame or two. */
export const PAGE_LINES = 500;

/** What is known of an open file. `pages` holds the lines of page n, which starts at line n * PAGE_LINES (0-based). */
export type OpenFile =
  | { phase: 'loading' }
  | { phase: 'failed'; error: ErrorInWords }
  | { phase: 'binary'; size: number | null; mimeType: string }
  | {
      phase: 'text';
      pages: ReadonlyMap<number, readonly string[]>;
      /** The number of lines in the file, as far as known. */
      count: number;
      /** Whether `count` is the end of the file. */
      isWhole: boolean;
      /** Size in bytes, if known. */
      size: number | null;
      mimeType: string;
    };

/** The file with a new page. Pure. Drops pages past the (new) end of the file. */
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

/** Line `index` (0-based); undefined until its page has loaded. */
export function lineAt(file: Extract<OpenFile, { phase: 'text' }>, index: number): string | undefined {
  return file.pages.get(Math.floor(index / PAGE_LINES))?.[index % PAGE_LINES];
}

/** The pages that the lines `first`..`last` (0-based) need and that have not loaded. */
export function missingPages(file: OpenFile, first: number, last: number): number[] {
  if (file.phase !== 'text') return [];
  const missing: number[] = [];
  for (let page = Math.floor(first / PAGE_LINES); page <= Math.floor(last / PAGE_LINES); page++) {
    if (!file.pages.has(page) && page * PAGE_LINES < file.count) missing.push(page);
  }
  return missing;
}

/** The whole text, if every page has loaded. */
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
