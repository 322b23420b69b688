import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../link';
import type { Place } from './viewers/place';

export interface Search {
  query: string;
  /** 0-based lines with a match. */
  lines: readonly number[];
  /** The index of the current match; -1: none. */
  at: number;
  /** There are more matches than these. */
  cut: boolean;
  isSearching: boolean;
}

const NONE: Search = { query: '', lines: [], at: -1, cut: false, isSearching: false };
/** Milliseconds without typing before the file is searched. */
const AFTER = 120;

/** The index of the line that is nearest to `line`. -1: there is none. */
function nearestTo(lines: readonly number[], line: number): number {
  const distances = lines.map((one) => Math.abs(one - line));
  return distances.indexOf(distances.reduce((least, one) => Math.min(least, one), Infinity));
}

/** Searches the whole file, including parts that are not loaded, and steps through the matching lines. */
export function useSearch({ projectId, threadId, path }: Place, changed: number) {
  const [query, setQuery] = useState('');
  const [search, setSearch] = useState(NONE);
  /** The query of the last result. */
  const answered = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: searches again when the file changes
  useEffect(() => {
    if (query === '') {
      answered.current = '';
      setSearch(NONE);
      return;
    }
    const controller = new AbortController();
    setSearch((before) => ({ ...before, query, isSearching: true }));
    const timer = setTimeout(async () => {
      const result = await call('files.search', { projectId, threadId, path, query }, controller.signal);
      if (controller.signal.aborted) return;
      const { lines, cut } = result.ok ? result.value : { lines: [], cut: false };
      // A change of the file does not move the current match.
      const isSame = answered.current === query;
      answered.current = query;
      setSearch((before) => ({
        ...{ query, lines, cut },
        at: nearestTo(lines, (isSame ? before.lines[before.at] : undefined) ?? 0),
        isSearching: false,
      }));
    }, AFTER);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query, projectId, threadId, path, changed]);
  const step = useCallback(
    (by: 1 | -1) =>
      setSearch((before) => {
        const { length } = before.lines;
        return length === 0 ? before : { ...before, at: (before.at + by + length) % length };
      }),
    [],
  );
  return { search, setQuery, step };
}
