import { type RefObject, useEffect, useState } from 'react';
import type { VirtualListHandle } from '../../../ui';
import type { Row } from './tree';

/** The row whose name is being typed: a new or a renamed one. */
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

/** Scrolls to the row of a new file, which may be below the visible area. */
export function useShowNaming(rows: readonly Row[], list: RefObject<VirtualListHandle | null>): void {
  const namingAt = rows.findIndex((row) => row.kind === 'naming');
  useEffect(() => {
    if (namingAt >= 0) list.current?.scrollToIndex(namingAt);
  }, [namingAt, list]);
}
