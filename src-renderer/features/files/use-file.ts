import type { ProjectId, ThreadId } from '@contract/ids';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../link';
import { endingAt, missingPages, nextLine, type OpenFile, PAGE_LINES, withPage } from './lines';
import { useChanged } from './use-changed';

/**
 * A file in pages, read as they are viewed. After a change on disk, the loaded pages are read again while the old lines stay
 * on screen, so the reader keeps their place.
 */
export function useFile(projectId: ProjectId, threadId: ThreadId | null, path: string) {
  const [file, setFile] = useState<OpenFile>({ phase: 'loading' });
  const current = useRef(file);
  const asked = useRef(new Set<number>());
  const reading = useRef(new AbortController());
  const shown = useRef({ first: 0, last: 0 });

  const update = useCallback((next: OpenFile) => {
    current.current = next;
    setFile(next);
  }, []);

  const readPage = useCallback(
    async (page: number, isFromStart = false) => {
      if (asked.current.has(page)) return;
      asked.current.add(page);
      const { signal } = reading.current;
      const start = page * PAGE_LINES;
      const offset = isFromStart ? start : nextLine(current.current, page);
      const input = { projectId, threadId, path, offset, limit: start + PAGE_LINES - offset };
      const result = await call('files.read', input, signal);
      if (signal.aborted) return;
      asked.current.delete(page);
      if (result.ok) update(withPage(current.current, result.value));
      else if (offset > start && result.error.kind === 'invalid') update(endingAt(current.current, offset));
      // The page is past the end. Reading the first page gives the number of lines.
      else if (page > 0 && result.error.kind === 'invalid') void readPage(0, true);
      // Not text, or text that can only be read whole. The bytes are read as they are viewed.
      else if (result.error.kind === 'binary' || result.error.kind === 'too_large')
        update({ phase: 'binary', size: null, mimeType: '' });
      else update({ phase: 'failed', error: result.error });
    },
    [projectId, threadId, path, update],
  );

  /** Reads the visible pages again and forgets the others. The old pages stay on screen until then. */
  const reload = useCallback(() => {
    reading.current.abort();
    reading.current = new AbortController();
    asked.current.clear();
    const { first, last } = shown.current;
    const before = current.current;
    const pages = new Set([0]);
    for (let page = Math.floor(first / PAGE_LINES); page <= Math.floor(last / PAGE_LINES); page++)
      pages.add(page);
    if (before.phase === 'text') {
      current.current = { ...before, pages: new Map([...before.pages].filter(([page]) => pages.has(page))) };
    }
    for (const page of pages) void readPage(page, true);
  }, [readPage]);

  useEffect(() => {
    shown.current = { first: 0, last: 0 };
    update({ phase: 'loading' });
    reload();
    return () => reading.current.abort();
  }, [reload, update]);

  const isGone = useCallback(() => current.current.phase === 'failed', []);
  useChanged(projectId, threadId, path, reload, isGone);

  /** Reports which lines (0-based) are on screen, so that their pages are read. */
  const show = useCallback(
    (first: number, last: number) => {
      shown.current = { first, last };
      for (const page of missingPages(current.current, first, last)) void readPage(page);
    },
    [readPage],
  );

  /** Reads around a line (0-based) that may be beyond the known lines. */
  const reach = useCallback((line: number) => void readPage(Math.floor(line / PAGE_LINES)), [readPage]);

  return { file, show, reach, reload };
}
