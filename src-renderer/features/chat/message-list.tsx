import type { ThreadId } from '@contract/ids';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { useT } from '../../i18n';
import { cx } from '../../ui';
import type { Segment } from './segments';
import { useStick } from './use-stick';

/** A segment, or what stands below the last of them. */
export type Row = Segment | { kind: 'below'; key: 'below' };

export interface MessageListHandle {
  toEnd(): void;
  /** Brings a row into the middle. */
  show(index: number): void;
  /** Puts the focus on a row. */
  focus(index: number): void;
  element: HTMLDivElement | null;
}

interface MessageListProps {
  threadId: ThreadId;
  rows: readonly Row[];
  renderRow(row: Row): ReactNode;
  /** In place of rows, where there are none. */
  empty: ReactNode;
  /** Indexes of rows that are drawn wherever one looks: they ask something. */
  kept: readonly number[];
  /** Something stands before the first row. */
  hasEarlier: boolean;
  onEarlier(): void;
  /** Everything before, for who wants to go to the beginning. */
  onAll(): Promise<unknown>;
  onAtEnd(atEnd: boolean): void;
  /** A question is in sight without its end, or no longer. */
  onGoesOn(goesOn: boolean): void;
  /** Key of the row that is pointed at. */
  marked: string | undefined;
  handle: Ref<MessageListHandle>;
}

/** First guesses in pixels, until a row is measured. */
const GUESS: Record<Row['kind'], number> = {
  user: 78,
  prose: 140,
  calls: 92,
  notice: 90,
  compaction: 56,
  origin: 70,
  below: 40,
};
/** Rows drawn before and behind what is seen. */
const OVERSCAN = 8;
/** From this many rows before the first, the next page is asked for. */
const AHEAD = 30;
const FAR = 10_000_000;
/** Pixels above the first row, where earlier ones are on their way, and below the last. */
const ABOVE = 48;
const BELOW = 12;

/**
 * The conversation: of however many rows only those near the screen are in the document. It stays at its end while it
 * grows, where the person is there; elsewhere what is read stays where it is, whatever comes before or behind it.
 */
export const MessageList = (props: MessageListProps) => {
  const { threadId, rows, renderRow, empty, kept, hasEarlier, onEarlier, onAll, marked } = props;
  const t = useT();
  const { onAtEnd, onGoesOn } = props;
  const { scroller, content, atEnd, goesOn, toEnd, leave } = useStick(threadId);
  /** The row that has, or is to have, the focus: it stays in the document. */
  const focused = useRef<{ key: string; pending: boolean } | undefined>(undefined);

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => GUESS[rows[index]?.kind ?? 'prose'],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
    paddingStart: hasEarlier ? ABOVE : 12,
    paddingEnd: BELOW,
    anchorTo: 'end',
    scrollEndThreshold: 8,
    // Where nothing is laid out (tests), a screenful is drawn all the same.
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
    // A thread begins at its end; the browser keeps to what there is.
    initialOffset: FAR,
    // A row that grows moves the others and the end without all rows being gone through again.
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  });
  const items = virtual.getVirtualItems();
  const isEmpty = rows.length === 0;
  /** With rows, the virtualizer gives it its height. */
  const { containerRef } = virtual;
  const holdContent = useCallback(
    (element: HTMLDivElement | null) => {
      content.current = element;
      containerRef(isEmpty ? null : element);
      if (isEmpty && element) element.style.height = '';
    },
    [content, containerRef, isEmpty],
  );

  useEffect(() => onAtEnd(atEnd), [atEnd, onAtEnd]);
  useEffect(() => onGoesOn(goesOn), [goesOn, onGoesOn]);

  const first = virtual.range?.startIndex ?? 0;
  useEffect(() => {
    if (hasEarlier && first < AHEAD) onEarlier();
  });

  const focus = useCallback(
    (index: number) => {
      const row = rows[index];
      if (!row) return;
      focused.current = { key: row.key, pending: true };
      if (index < rows.length - 2) leave();
      virtual.scrollToIndex(index, { align: 'auto' });
      element(scroller.current, row.key)?.focus({ preventScroll: true });
    },
    [rows, virtual, scroller, leave],
  );
  // A row that was far away is in the document some frames after it was asked for.
  useLayoutEffect(() => {
    if (!focused.current?.pending) return;
    const found = element(scroller.current, focused.current.key);
    if (!found) return;
    focused.current.pending = false;
    found.focus({ preventScroll: true });
  });

  useImperativeHandle(
    props.handle,
    () => ({
      toEnd,
      show: (index) => {
        leave();
        virtual.scrollToIndex(index, { align: 'center' });
      },
      focus,
      element: scroller.current,
    }),
    [toEnd, leave, virtual, focus, scroller],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const isRow = target.dataset.row !== undefined;
    if (!isRow && target !== event.currentTarget) return;
    const at = isRow ? rows.findIndex((row) => row.key === target.dataset.row) : -1;
    // What stands below the last segment is no message.
    const last = rows.length - 2;
    const go = (index: number) => {
      event.preventDefault();
      focus(Math.max(0, Math.min(last, index)));
    };
    switch (event.key) {
      case 'ArrowDown':
        return go(isRow ? at + 1 : (virtual.range?.endIndex ?? last));
      case 'ArrowUp':
        return go(isRow ? at - 1 : (virtual.range?.endIndex ?? last));
      case 'End':
        event.preventDefault();
        toEnd();
        return go(last);
      case 'Home':
        event.preventDefault();
        void onAll().then(() => {
          focused.current = undefined;
          leave();
          virtual.scrollToOffset(0);
          scroller.current?.focus();
        });
        return;
      case 'Enter':
      case 'ContextMenu': {
        const menu = isRow ? target.querySelector<HTMLElement>('[aria-haspopup="menu"]') : null;
        const act = menu ?? (isRow ? target.querySelector<HTMLElement>('button') : null);
        if (!act) return;
        event.preventDefault();
        act.focus();
        if (menu) menu.click();
        return;
      }
      default:
    }
  };

  return (
    <div
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-label={t('chat.messages')}
      aria-live="off"
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        const row = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
        focused.current =
          row?.dataset.row === undefined ? undefined : { key: row.dataset.row, pending: false };
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) focused.current = undefined;
      }}
      // What stands in it can go by its height. Its own size does not go by what is in it: a key in the field below lays
      // out the field, and words that come lay out their row.
      className="min-h-0 grow basis-0 overflow-y-auto bg-bg -outline-offset-2 [contain:strict] [container-type:size] [overflow-anchor:none] [scrollbar-gutter:stable_both-edges]"
    >
      <div
        ref={holdContent}
        role="presentation"
        className={cx('relative mx-auto min-h-full max-w-talk-rows', isEmpty && 'flex flex-col')}
      >
        {isEmpty && (
          <div className="flex grow flex-col px-gutter py-3 [@container(max-height:30rem)]:py-1.5">
            {empty}
          </div>
        )}
        {hasEarlier && (
          <p className="absolute inset-x-0 top-3 text-center text-small text-fg-3">
            {t('chat.loadingEarlier')}
          </p>
        )}
        {/* Of no height, so that the height of all rows is no matter of each of them. */}
        <div role="presentation" className="absolute inset-x-0 top-0 h-0">
          {items.map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <div
                key={row.key}
                data-index={item.index}
                data-row={row.key}
                tabIndex={-1}
                ref={virtual.measureElement}
                className={cx(
                  'absolute top-0 left-0 w-full [contain:layout_style] rounded-card px-gutter -outline-offset-2',
                  isJoined(row) ? '' : 'pt-2',
                  isJoined(rows[item.index + 1]) ? '' : 'pb-2',
                  marked === row.key && 'bg-accent-soft',
                )}
              >
                {renderRow(row)}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
};

/** It goes on from the row before it, without a gap. */
const isJoined = (row: Row | undefined) => row?.kind === 'calls' && row.joined === true;

const element = (scroller: HTMLElement | null, key: string): HTMLElement | null =>
  scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null;
