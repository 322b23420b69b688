import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { cx } from './cx';
import { isFocusLost } from './focus/keep-focus';
import { useFontScale } from './font-scale';
import { assignSlots, NO_SLOTS, type SlotRow } from './row-slots';

/** Rows that are shown above the one that the person comes back from. */
const ROWS_ABOVE = 4;

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
  /**
   * The key of the row that was opened in place of the list: the list is shown again where it was left, and that row gets the
   * focus if nothing else has it. Only for rows of one height.
   */
  cameFrom?: string | null | undefined;
  /** Pixels that the list probably has, until it is measured. Default: most of a screen. */
  height?: number | undefined;
  /** Rows that are rendered beyond the visible ones. */
  overscan?: number | undefined;
  /** The scroll position in pixels to start at, as when the list was last shown. */
  startAt?: number | undefined;
  /**
   * The kind of a row whose elements another one of this kind takes over when the row is gone; null: never. State in such rows
   * must belong to what they show (`useStateOf`).
   */
  reuse?: ((item: T) => string | null) | undefined;
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
  cameFrom,
  startAt = 0,
  height = 800,
  overscan = 12,
  reuse,
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
  const [first] = useState(() => {
    const index = cameFrom == null ? -1 : items.findIndex((item, at) => itemKey(item, at) === cameFrom);
    return index === -1 ? null : { index, offset: Math.max(0, heightAt(index) * (index - ROWS_ABOVE)) };
  });
  const virtual = useVirtualizer({
    initialOffset: first?.offset ?? startAt,
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightAt(index),
    overscan,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : itemKey(item, index);
    },
    initialRect: { width: 400, height },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: with other letters every row is of another height
  useLayoutEffect(() => virtual.measure(), [scale]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list is shown again
  useEffect(() => {
    if (cameFrom == null || !isFocusLost()) return;
    // If it is gone, the list still gets the focus.
    const row = scroller.current?.querySelector(
      first === null ? '[data-index]' : `[data-index="${first.index}"]`,
    );
    (row?.querySelector<HTMLElement>('[data-row]') ?? row?.querySelector<HTMLElement>('button'))?.focus();
  }, []);
  useImperativeHandle(handle, () => ({
    scrollToIndex: (index, align = 'auto') => virtual.scrollToIndex(index, { align }),
    element: scroller.current,
  }));
  const shown = virtual.getVirtualItems().flatMap((row) => {
    const item = items[row.index];
    return item === undefined ? [] : [{ row, item }];
  });
  const slotOf = useSlots(
    reuse === undefined
      ? NO_ROWS
      : shown.map(({ row, item }) => ({ key: String(row.key), kind: reuse(item) })),
    scroller,
  );
  return (
    <div ref={scroller} className={cx('h-full overflow-y-auto', className)} {...rest}>
      <div role="presentation" className="relative w-full" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ row, item }) => {
          const slot = slotOf(String(row.key));
          return (
            <div
              key={slot ?? row.key}
              role="presentation"
              data-index={row.index}
              data-slot={slot}
              ref={measured ? virtual.measureElement : undefined}
              // Each row is a layer of its own: an error below a field would lie under the next rows.
              className="absolute top-0 left-0 w-full has-[[role=alert]]:z-10"
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

const NO_ROWS: readonly SlotRow[] = [];

/** The React key of a row by its own key; undefined: its own. */
function useSlots(
  rows: readonly SlotRow[],
  scroller: RefObject<HTMLElement | null>,
): (key: string) => string | undefined {
  const committed = useRef(NO_SLOTS);
  const slots = rows.length === 0 ? NO_SLOTS : assignSlots(committed.current, rows, heldIn(scroller.current));
  useLayoutEffect(() => {
    committed.current = slots;
  });
  return (key) => slots.taken.get(key)?.id;
}

/** The slot that has the focus. */
function heldIn(list: HTMLElement | null): string | null {
  const { activeElement } = document;
  if (list === null || activeElement === null || !list.contains(activeElement)) return null;
  return activeElement.closest('[data-slot]')?.getAttribute('data-slot') ?? null;
}
