import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { limitedScale, type PageSize } from './pdf-limits';

/** Pixels between two pages. */
const GAP = 12;

interface PageRowsOptions {
  pages: number;
  /** The size of the first page, assumed for the others until they are read. */
  first: PageSize;
  scale: number;
  scroller: HTMLDivElement;
}

/** Lays out the pages below each other, each at its own height. The visible part stays in place. */
export function usePageRows({ pages, first, scale, scroller }: PageRowsOptions) {
  const [sizes] = useState(() => new Map<number, PageSize>());
  const sizeOf = (index: number) => sizes.get(index) ?? first;
  const heightOf = (index: number) => {
    const size = sizeOf(index);
    return size.height * limitedScale(size, scale) + GAP;
  };
  const virtual = useVirtualizer({
    count: pages,
    getScrollElement: () => scroller,
    estimateSize: heightOf,
    overscan: 1,
    initialRect: { width: 400, height: 800 },
  });
  const latest = useRef({ heightOf, virtual });
  latest.current = { heightOf, virtual };
  const setSize = useCallback(
    (index: number, size: PageSize) => {
      sizes.set(index, size);
      // Resizing pages above the visible part moves it.
      latest.current.virtual.resizeItem(index, latest.current.heightOf(index));
    },
    [sizes],
  );

  const total = virtual.getTotalSize();
  const totalBefore = useRef(total);
  /** The scroll position in the document, from 0 to 1, while another scale is laid out. */
  const held = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights depend on the scale
  useLayoutEffect(() => {
    held.current = totalBefore.current > 0 ? scroller.scrollTop / totalBefore.current : 0;
    virtual.measure();
  }, [scale, virtual]);
  useLayoutEffect(() => {
    if (held.current !== undefined && total !== totalBefore.current)
      scroller.scrollTop = held.current * total;
    held.current = undefined;
    totalBefore.current = total;
  }, [total, scroller]);
  return { virtual, total, sizeOf, setSize };
}
