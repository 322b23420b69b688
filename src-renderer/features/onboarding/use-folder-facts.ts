import type { Project } from '@contract/app';
import { useEffect, useState } from 'react';
import { call } from '../../link';
import { type FolderFacts, factsOf } from './suggestions';

/** What the project's folder holds at its top; undefined until it is listed. Nothing is known of a folder that cannot be. */
export function useFolderFacts({ id, mount, isSample }: Project): FolderFacts | undefined {
  const [facts, setFacts] = useState<FolderFacts>();
  useEffect(() => {
    const stop = new AbortController();
    void call('files.list', { projectId: id, threadId: null, path: mount }, stop.signal).then((result) => {
      if (stop.signal.aborted) return;
      const entries = result.ok ? result.value.entries : [];
      // An empty file says nothing about the folder, and there is nothing in it to explain.
      const names = entries
        .filter(({ size }) => size !== 0)
        .map(({ name, kind }) => (kind === 'directory' ? `${name}/` : name));
      setFacts({ ...factsOf(names, isSample), isEmpty: result.ok && entries.length === 0 });
    });
    return () => stop.abort();
  }, [id, mount, isSample]);
  return facts;
}
