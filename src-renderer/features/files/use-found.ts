import type { Output } from '@contract/commands';
import type { ProjectId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import { useEffect, useState } from 'react';
import { call } from '../../link';

export type Match = Output<'files.find'>['matches'][number];

export interface Found {
  matches: readonly Match[];
  /** Files that match, those that are not among the best too. */
  total: number;
  /** Files of the folder that are known of. */
  files: number;
  /** They are still being listed. */
  listing: boolean;
  error?: ErrorInWords;
}

/** Milliseconds between two looks while the folder is being listed. */
const AGAIN = 150;
const NOTHING: Found = { matches: [], total: 0, files: 0, listing: true };

/** Files by parts of their names. What was found stays until the next answer; null asks for nothing. */
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
        setFound({ ...NOTHING, listing: false, error: result.error });
        return;
      }
      setFound(result.value);
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
