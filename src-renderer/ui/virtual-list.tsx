import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { cx } from './cx';
import { useFontScale } from './font-scale';

export interface VirtualListHandle {
  scrollToIndex(index: number, align?: 'start' | 'center' | 'end' | 'auto'): void;
  element: HTMLDivElement | null;
}

interface VirtualListProps<T> extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  items: readonly T[];
  /** Stable identity of a row. */
  itemKey(item: T, index: number): string;
  /** Height of each row, or of one, in pixels at the default text size. If `measured`, this is only the initial estimate. */
  rowHeight: number | ((item: T, index: number) => number);
  /** Rows have individual heights and are measured. */
  measured?: boolean;
  children(item: T, index: number): ReactNode;
  handle?: Ref<VirtualListHandle>;
  /** Shown below the last row; scrolls with it. */
  footer?: ReactNode;
}

/**
 * A scrolling list that renders only the visible rows. Fills its parent. The caller provides role, keys and labels (they go
 * on the scrolling element).
 */
export function VirtualList<T>({
  items,
  itemKey,
  rowHeight,
  measured = false,
  children,
  handle,
  footer,
  className,
  ...rest
}: VirtualListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const scale = useFontScale();
  const heightAt = (index: number) => {
    if (typeof rowHeight === 'number') return rowHeight * scale;
    const item = items[index];
    return item === undefined ? 0 : rowHeight(item, index) * scale;
  };
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightAt(index),
    overscan: 12,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : itemKey(item, index);
    },
    // Without layout (in tests), one screenful is rendered anyway.
    initialRect: { width: 400, height: 800 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: with other letters every row is of another height
  useLayoutEffect(() => virtual.measure(), [scale]);
  useImperativeHandle(handle, () => ({
    scrollToIndex: (index, align = 'auto') => virtual.scrollToIndex(index, { align }),
    element: scroller.current,
  }));
  return (
    <div ref={scroller} className={cx('h-full overflow-y-auto', className)} {...rest}>
      <div role="presentation" className="relative w-full" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((row) => {
          const item = items[row.index];
          return item === undefined ? null : (
            <div
              key={row.key}
              role="presentation"
              data-index={row.index}
              ref={measured ? virtual.measureElement : undefined}
              className="absolute top-0 left-0 w-full"
              style={{ transform: `translateY(${row.start}px)`, ...(measured ? {} : { height: row.size }) }}
            >
              {children(item, row.index)}
            </div>
          );
        })}
      </div>
      {footer}
    </div>
  );
}
