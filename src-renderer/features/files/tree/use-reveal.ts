import { useLayoutEffect, useRef } from 'react';
import { isWithin, parentOf, type Root, type Row } from './tree';

/**
 * Opens the directories above a file that was opened from elsewhere, one after the other as they are listed, and scrolls to
 * its row once. A directory that the person closes stays closed. A file on a page that is not listed yet is not searched for.
 * `revealed`: a file whose row was scrolled to when the tree was last shown.
 */
export function useReveal(
  openPath: string | undefined,
  rows: readonly Row[],
  roots: readonly Root[],
  expand: (path: string) => void,
  show: (index: number) => void,
  revealed?: string,
): void {
  const goal = useRef<{ path: string | undefined; isReached: boolean; opened: Set<string> }>({
    path: revealed,
    isReached: true,
    opened: new Set(),
  });
  const latest = useRef({ expand, show });
  latest.current = { expand, show };
  // Together with the rows: a later effect would take the focus back from the row that a key has moved to.
  useLayoutEffect(() => {
    if (goal.current.path !== openPath)
      goal.current = { path: openPath, isReached: openPath === undefined, opened: new Set() };
    const { isReached, opened } = goal.current;
    if (isReached || openPath === undefined) return;
    const index = rows.findIndex((row) => row.kind === 'entry' && row.path === openPath);
    if (index >= 0) {
      goal.current.isReached = true;
      latest.current.show(index);
      return;
    }
    const closed = ancestorsOf(openPath, roots).find((path) =>
      rows.some((row) => (row.kind === 'entry' || row.kind === 'root') && row.path === path && !row.expanded),
    );
    if (closed === undefined) return;
    if (opened.has(closed)) goal.current.isReached = true;
    else {
      opened.add(closed);
      latest.current.expand(closed);
    }
  }, [openPath, rows, roots]);
}

/** The directories above a path, from its root downwards. */
function ancestorsOf(path: string, roots: readonly Root[]): string[] {
  const root = roots.find(
    (one) => isWithin(path, one.path) && !one.without.some((other) => isWithin(path, other)),
  );
  if (root === undefined) return [];
  const above: string[] = [];
  for (let at = parentOf(path); isWithin(at, root.path); at = parentOf(at)) {
    above.unshift(at);
    if (at === root.path) break;
  }
  return above;
}
