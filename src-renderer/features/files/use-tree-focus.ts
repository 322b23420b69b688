import { useRef, useState } from 'react';
import type { VirtualListHandle } from '../../ui';
import type { Row } from './tree';

/** Which line of the tree has the focus. The tree itself keeps the focus of the document. */
export function useTreeFocus(rows: readonly Row[]) {
  const list = useRef<VirtualListHandle>(null);
  const [focusedKey, setFocusedKey] = useState<string>();
  const [hasKeyboard, setHasKeyboard] = useState(false);
  // A line that is gone (its directory was closed) leaves the focus on the first one.
  const focused = Math.max(
    0,
    rows.findIndex((row) => row.key === focusedKey),
  );
  return {
    list,
    focused,
    /** The tree was reached by keyboard, so the focused line shows its ring. */
    hasKeyboard,
    setHasKeyboard,
    setFocusedKey,
    focus: (index: number) => {
      setFocusedKey(rows[index]?.key);
      list.current?.scrollToIndex(index);
    },
    focusTree: () => list.current?.element?.focus({ preventScroll: true }),
  };
}

export type TreeFocus = ReturnType<typeof useTreeFocus>;
