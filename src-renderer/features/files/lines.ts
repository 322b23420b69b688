import type { FilePage } from '@contract/app';
import type { ErrorInWords } from '@contract/result';

/** Lines per request: a few screenfuls, and few enough that a page of long lines arrives in a frame or two. */
export const PAGE_LINES = 500;

/**
 * What is known of an open file. `pages` holds the lines of page n, which starts at line n * PAGE_LINES (0-based). Its last
 * lines may still be missing: an answer ends early after a very long line or many long ones.
 */
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

/**
 * The file with a new page, or with more lines of a page that it has in part. Pure. Drops pages past the (new) end of the
 * file.
 */
export function withPage(file: OpenFile, page: FilePage): OpenFile {
  if (page.kind === 'binary') return { phase: 'binary', size: page.size, mimeType: page.mimeType };
  const end = page.offset + page.lines.length;
  const before = file.phase === 'text' ? file : undefined;
  const { nextOffset } = page;
  const isEnd = nextOffset === null;
  const count = page.totalLines ?? (isEnd ? end : Math.max(before?.count ?? 0, nextOffset + 1));
  const isWhole = page.totalLines !== null || isEnd || (before?.isWhole === true && before.count === count);
  const index = Math.floor(page.offset / PAGE_LINES);
  const above = before?.pages.get(index)?.slice(0, page.offset % PAGE_LINES) ?? [];
  const pages = new Map(before?.pages).set(index, [...above, ...page.lines]);
  for (const index of pages.keys()) if (index > 0 && index * PAGE_LINES >= count) pages.delete(index);
  return { phase: 'text', pages, count, isWhole, size: page.size, mimeType: page.mimeType };
}

/** The file without the lines from `count` on, after a read there found none. Pure. */
export function endingAt(file: OpenFile, count: number): OpenFile {
  return file.phase === 'text' ? { ...file, count, isWhole: true } : file;
}

/** The first line (0-based) of a page that has not loaded. */
export function nextLine(file: OpenFile, page: number): number {
  return page * PAGE_LINES + ((file.phase === 'text' ? file.pages.get(page)?.length : undefined) ?? 0);
}

/** Line `index` (0-based); undefined until it has loaded. */
export function lineAt(file: Extract<OpenFile, { phase: 'text' }>, index: number): string | undefined {
  return file.pages.get(Math.floor(index / PAGE_LINES))?.[index % PAGE_LINES];
}

/** The pages whose lines among `first`..`last` (0-based) have not all loaded. */
export function missingPages(file: OpenFile, first: number, last: number): number[] {
  if (file.phase !== 'text') return [];
  const missing: number[] = [];
  const end = Math.min(last + 1, file.count);
  for (let page = Math.floor(first / PAGE_LINES); page * PAGE_LINES < end; page++) {
    if (nextLine(file, page) < Math.min(end, (page + 1) * PAGE_LINES)) missing.push(page);
  }
  return missing;
}

/** The whole text, if every line has loaded. */
export function wholeText(file: OpenFile): string | undefined {
  if (file.phase !== 'text' || !file.isWhole) return undefined;
  if (missingPages(file, 0, file.count - 1).length > 0) return undefined;
  const pages = Math.ceil(file.count / PAGE_LINES);
  return Array.from({ length: pages }, (_, index) => file.pages.get(index) ?? [])
    .flat()
    .join('\n');
}
