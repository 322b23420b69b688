import type { Output } from '@contract/commands';
import type { ProjectId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import { useEffect, useState } from 'react';
import { call } from '../../link';

export type Match = Output<'files.find'>['matches'][number];

export interface Found {
  /** What these match; null before the first answer. */
  query: string | null;
  matches: readonly Match[];
  /** All matching files, including those that are not listed. */
  total: number;
  /** Known files of the folder. */
  files: number;
  /** Whether the folder is still being listed. */
  listing: boolean;
  error?: ErrorInWords;
}

/** Milliseconds between two queries while the folder is being listed. */
const AGAIN = 150;
const NOTHING: Found = { query: null, matches: [], total: 0, files: 0, listing: true };

/** Finds files by parts of their names. The last result stays until the next one arrives; null requests nothing. */
export function useFound(projectId: ProjectId, query: string | null, limit: number): Found {
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    if (query === null) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const result = await call('files.find', { projectId, query, limit }, controller.signal);
      if (controller.signal.aborted) return;
      if (!result.ok) {
        setFound({ ...NOTHING, query, listing: false, error: result.error });
        return;
      }
      setFound({ ...result.value, query });
      if (result.value.listing) timer = setTimeout(() => void ask(), AGAIN);
    };
    void ask();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [projectId, query, limit]);
  return found;
}
