import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import type { Segment } from './segments';

/** A segment, or the content below the last one. */
export type Row = Segment | { kind: 'below'; key: 'below' };

/** Estimated heights in pixels, until a row is measured. */
const GUESS: Record<Row['kind'], number> = {
  user: 78,
  prose: 140,
  calls: 92,
  notice: 90,
  compaction: 56,
  origin: 70,
  receipt: 36,
  below: 40,
};
/** Rows rendered before and after the visible area. */
const OVERSCAN = 8;
const FAR = 10_000_000;
/** Pixels above the first row, where earlier ones load, and below the last. */
const ABOVE = 48;
const BELOW = 12;

/** The row that has the focus, or is about to get it. */
type FocusedRow = RefObject<{ key: string; pending: boolean } | undefined>;
type Scroller = RefObject<HTMLDivElement | null>;
export type Virtual = ReturnType<typeof useRowVirtualizer>;

interface VirtualizerOptions {
  rows: readonly Row[];
  /** Indexes of rows that are always rendered, because they ask a question. */
  kept: readonly number[];
  hasEarlier: boolean;
  scroller: Scroller;
  focused: FocusedRow;
}

/** Renders the rows near the screen, those in `kept`, and the focused one. */
export function useRowVirtualizer({ rows, kept, hasEarlier, scroller, focused }: VirtualizerOptions) {
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => GUESS[rows[index]?.kind ?? 'prose'],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
    paddingStart: hasEarlier ? ABOVE : 12,
    paddingEnd: BELOW,
    anchorTo: 'end',
    scrollEndThreshold: 8,
    // Without layout (in tests), a screenful is drawn anyway.
    initialRect: { width: 700, height: 800 },
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range);
      const seen = new Set(near);
      for (const index of kept) seen.add(index);
      const key = focused.current?.key;
      const focusedAt = key === undefined ? -1 : rows.findIndex((row) => row.key === key);
      if (focusedAt !== -1) seen.add(focusedAt);
      return seen.size === near.length ? near : [...seen].sort((a, b) => a - b);
    },
    // A thread starts at its end; the browser clamps the offset.
    initialOffset: FAR,
    // A growing row moves the others and the end without a pass over all rows.
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  });
}

interface FocusOptions {
  rows: readonly Row[];
  virtual: Virtual;
  scroller: Scroller;
  focused: FocusedRow;
  /** The list stops following its end. */
  leave(): void;
}

/** Focuses a row, which may be far from the screen. */
export function useRowFocus({ rows, virtual, scroller, focused, leave }: FocusOptions) {
  const focus = useCallback(
    (index: number) => {
      const row = rows[index];
      if (!row) return;
      focused.current = { key: row.key, pending: true };
      if (index < rows.length - 2) leave();
      virtual.scrollToIndex(index, { align: 'auto' });
      rowElement(scroller.current, row.key)?.focus({ preventScroll: true });
    },
    [rows, virtual, scroller, focused, leave],
  );
  // A distant row is in the document only some frames after the request.
  useLayoutEffect(() => {
    if (!focused.current?.pending) return;
    const found = rowElement(scroller.current, focused.current.key);
    if (!found) return;
    focused.current.pending = false;
    found.focus({ preventScroll: true });
  });
  return focus;
}

export const rowElement = (scroller: HTMLElement | null, key: string): HTMLElement | null =>
  scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null;

/** The focused row; it stays in the document. */
export const useFocusedRow = (): FocusedRow =>
  useRef<{ key: string; pending: boolean } | undefined>(undefined);

interface RowKeys {
  rows: readonly Row[];
  /** Index of the last row on screen. */
  seenTo: number | undefined;
  focus(index: number): void;
  toEnd(): void;
  /** Loads all earlier messages and goes to the start. */
  toStart(): void;
}

/** Arrow keys, Home and End move from row to row; Enter enters a row. */
export function handleRowKey(event: KeyboardEvent<HTMLElement>, keys: RowKeys): void {
  const { rows, seenTo, focus, toEnd, toStart } = keys;
  const { target } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  const isRow = target.dataset.row !== undefined;
  if (!isRow && target !== event.currentTarget) return;
  const at = isRow ? rows.findIndex((row) => row.key === target.dataset.row) : -1;
  const last = rows.findLastIndex(isMessage);
  const go = (index: number) => {
    event.preventDefault();
    const before = rows.findLastIndex((row, place) => place <= index && isMessage(row));
    const after = rows.findIndex((row, place) => place >= index && isMessage(row));
    const [near, far] = index > at ? [after, before] : [before, after];
    focus(Math.max(0, near >= 0 ? near : far));
  };
  switch (event.key) {
    case 'ArrowDown':
      go(isRow ? at + 1 : (seenTo ?? last));
      break;
    case 'ArrowUp':
      go(isRow ? at - 1 : (seenTo ?? last));
      break;
    case 'End':
      toEnd();
      go(last);
      break;
    case 'Home':
      event.preventDefault();
      toStart();
      break;
    case 'Enter':
    case 'ContextMenu':
      if (isRow) enter(event, target);
      break;
    default:
  }
}

/** Tab reaches a receipt from the message before it; the row below the last segment is no message either. */
const isMessage = ({ kind }: Row): boolean => kind !== 'receipt' && kind !== 'below';

/** Opens the menu of a row; if it has none, focuses its first button. */
function enter(event: KeyboardEvent, row: HTMLElement): void {
  const menu = row.querySelector<HTMLElement>('[aria-haspopup="menu"]');
  const act = menu ?? row.querySelector<HTMLElement>('button');
  if (!act) return;
  event.preventDefault();
  act.focus();
  if (menu) menu.click();
}
