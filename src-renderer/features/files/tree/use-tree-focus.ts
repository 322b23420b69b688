import { useRef, useState } from 'react';
import type { VirtualListHandle } from '../../../ui';
import type { Row } from './tree';

/** Which row of the tree is focused. The document focus stays on the tree. */
export function useTreeFocus(rows: readonly Row[], initialKey: string | undefined) {
  const list = useRef<VirtualListHandle>(null);
  const [focusedKey, setFocusedKey] = useState(initialKey);
  const [hasKeyboard, setHasKeyboard] = useState(false);
  // If the focused row disappears (its directory was closed), the first row gets the focus.
  const focused = Math.max(
    0,
    rows.findIndex((row) => row.key === focusedKey),
  );
  return {
    list,
    focused,
    focusedKey,
    /** The tree was reached by keyboard, so the focused row shows its ring. */
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
