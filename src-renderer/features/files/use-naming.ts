import { type RefObject, useEffect, useState } from 'react';
import type { VirtualListHandle } from '../../ui';
import type { Row } from './tree';

/** The line whose name is being typed: a new one, or one that is renamed. */
export function useNaming(expand: (path: string) => void) {
  const [naming, setNaming] = useState<{ path: string; what: 'file' | 'directory' } | null>(null);
  const [renaming, setRenaming] = useState<string>();
  return {
    naming,
    renaming,
    setRenaming,
    create: (path: string, what: 'file' | 'directory') => {
      setRenaming(undefined);
      expand(path);
      setNaming({ path, what });
    },
    rename: (path: string) => {
      setNaming(null);
      setRenaming(path);
    },
    stop: () => {
      setNaming(null);
      setRenaming(undefined);
    },
  };
}

/** Scrolls to the line of a new file, which may lie below what is seen. */
export function useShowNaming(rows: readonly Row[], list: RefObject<VirtualListHandle | null>): void {
  const namingAt = rows.findIndex((row) => row.kind === 'naming');
  useEffect(() => {
    if (namingAt >= 0) list.current?.scrollToIndex(namingAt);
  }, [namingAt, list]);
}
