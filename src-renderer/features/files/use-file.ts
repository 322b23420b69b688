import type { ProjectId, ThreadId } from '@contract/ids';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../link';
import { missingPages, type OpenFile, PAGE_LINES, withPage } from './lines';
import { useChanged } from './use-changed';

/**
 * A file by pages, read as they are looked at. A change on disk reads again what was read, while the old lines stay
 * on screen, so the reader's place does not move. `changedAway` is the error of such a read (the file is gone).
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
    async (page: number) => {
      if (asked.current.has(page)) return;
      asked.current.add(page);
      const { signal } = reading.current;
      const input = { projectId, threadId, path, offset: page * PAGE_LINES, limit: PAGE_LINES };
      const result = await call('files.read', input, signal);
      if (signal.aborted) return;
      asked.current.delete(page);
      if (result.ok) update(withPage(current.current, result.value));
      // Past the end, which is known by now: the beginning says how many lines there are.
      else if (page > 0 && result.error.kind === 'invalid') void readPage(0);
      else if (result.error.kind === 'binary') update({ phase: 'binary', size: null, mimeType: '' });
      else update({ phase: 'failed', error: result.error });
    },
    [projectId, threadId, path, update],
  );

  /** Reads the pages again that are on screen and forgets the others; what is on screen stays until then. */
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
    for (const page of pages) void readPage(page);
  }, [readPage]);

  useEffect(() => {
    shown.current = { first: 0, last: 0 };
    update({ phase: 'loading' });
    reload();
    return () => reading.current.abort();
  }, [reload, update]);

  const isGone = useCallback(() => current.current.phase === 'failed', []);
  useChanged(projectId, threadId, path, reload, isGone);

  /** Tells which lines (0-based) are on screen, so that their pages are read. */
  const show = useCallback(
    (first: number, last: number) => {
      shown.current = { first, last };
      for (const page of missingPages(current.current, first, last)) void readPage(page);
    },
    [readPage],
  );

  /** Reads about a line (0-based) that may lie behind all that is known of so far. */
  const reach = useCallback((line: number) => void readPage(Math.floor(line / PAGE_LINES)), [readPage]);

  return { file, show, reach, reload };
}
