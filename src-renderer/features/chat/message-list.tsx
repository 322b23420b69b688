import type { ThreadId } from '@contract/ids';
import type { VirtualItem } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useCallback, useEffect, useImperativeHandle } from 'react';
import { useT } from '../../i18n';
import { cx } from '../../ui';
import { handleRowKey, type Row, useFocusedRow, useRowFocus, useRowVirtualizer } from './use-message-rows';
import { isLeftAbove, useReturn } from './use-return';
import { useStick } from './use-stick';

export interface MessageListHandle {
  toEnd(): void;
  /** Scrolls a row to the middle. */
  show(index: number): void;
  /** Focuses a row. */
  focus(index: number): void;
  element: HTMLDivElement | null;
}

interface MessageListProps {
  threadId: ThreadId;
  rows: readonly Row[];
  renderRow(row: Row): ReactNode;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** Indexes of rows that are always rendered, because they ask a question. */
  kept: readonly number[];
  /** There are messages before the first row. */
  hasEarlier: boolean;
  onEarlier(): void;
  /** Loads all earlier messages, to go to the start. */
  onAll(): Promise<unknown>;
  onAtEnd(atEnd: boolean): void;
  /** Key of the highlighted row. */
  marked: string | undefined;
  handle: Ref<MessageListHandle>;
}

/** The next page is requested when fewer than this many rows remain above. */
const AHEAD = 30;

/**
 * The conversation. However many rows there are, only those near the screen are in the document. While it grows, the list
 * stays at its end if the person is there. Otherwise the visible rows stay in place, whatever is added before or after them.
 */
export const MessageList = (props: MessageListProps) => {
  const { rows, renderRow, empty, hasEarlier, onEarlier, marked } = props;
  const t = useT();
  const { onAtEnd } = props;
  const { scroller, content, atEnd, virtual, focused, focus, toEnd, toStart } = useMovements(props);
  const items = virtual.getVirtualItems();
  const isEmpty = rows.length === 0;
  /** If there are rows, the virtualizer sets its height. */
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

  const first = virtual.range?.startIndex ?? 0;
  useEffect(() => {
    if (hasEarlier && first < AHEAD) onEarlier();
  });

  return (
    <div
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-label={t('chat.messages')}
      aria-live="off"
      onKeyDown={(event) =>
        handleRowKey(event, { rows, seenTo: virtual.range?.endIndex, focus, toEnd, toStart })
      }
      onFocus={(event) => {
        const key = (event.target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset.row;
        focused.current = key === undefined ? undefined : { key, pending: false };
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) focused.current = undefined;
      }}
      // Its content can depend on its height. Its own size does not depend on its content: typing in the field below lays
      // out only the field, and streamed text lays out only its row.
      className="min-h-0 [&:has(~[data-deck])]:min-h-16 [@container(max-height:20rem)]:min-h-0! grow basis-0 overflow-y-auto bg-bg -outline-offset-2 [contain:strict] [container-type:size] [overflow-anchor:none] [scrollbar-gutter:stable_both-edges]"
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
        {hasEarlier && <LoadingEarlier />}
        {/* Has no height, so that no row depends on the total height. */}
        <div role="presentation" className="absolute inset-x-0 top-0 h-0">
          {items.map((item) => (
            <ListRow
              key={rows[item.index]?.key ?? item.key}
              item={item}
              rows={rows}
              marked={marked}
              measure={virtual.measureElement}
              renderRow={renderRow}
            />
          ))}
        </div>
      </div>
    </div>
  );
};

/** What scrolls the list: new content at its end, the return to a thread, the keyboard, and the owner of the list. */
function useMovements({ threadId, rows, kept, hasEarlier, onAll, handle }: MessageListProps) {
  const asks = kept.length > 0;
  const stick = useStick(threadId, asks || !isLeftAbove(threadId));
  const { scroller, content, atEnd } = stick;
  const focused = useFocusedRow();
  const virtual = useRowVirtualizer({ rows, kept, hasEarlier, scroller, focused });
  const endReturn = useReturn({
    ...{ threadId, rows, hasEarlier, asks, atEnd, scroller, virtual },
    leave: stick.leave,
  });
  const leave = useCallback(() => {
    endReturn();
    stick.leave();
  }, [endReturn, stick.leave]);
  const toEnd = useCallback(() => {
    endReturn();
    stick.toEnd();
  }, [endReturn, stick.toEnd]);
  const focus = useRowFocus({ rows, virtual, scroller, focused, leave });
  useImperativeHandle(
    handle,
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
  const toStart = () =>
    void onAll().then(() => {
      focused.current = undefined;
      leave();
      virtual.scrollToOffset(0);
      scroller.current?.focus();
    });
  return { scroller, content, atEnd, virtual, focused, focus, toEnd, toStart };
}

const LoadingEarlier = () => (
  <p className="absolute inset-x-0 top-3 text-center text-small text-fg-3">{useT()('chat.loadingEarlier')}</p>
);

/** It continues the previous row, without a gap. A receipt may be empty. */
const isJoined = (row: Row | undefined) =>
  row?.kind === 'receipt' || (row?.kind === 'calls' && row.joined === true);

interface ListRowProps extends Pick<MessageListProps, 'rows' | 'marked' | 'renderRow'> {
  item: VirtualItem;
  measure: (element: HTMLElement | null) => void;
}

const ListRow = ({ item, rows, marked, measure, renderRow }: ListRowProps) => {
  const row = rows[item.index];
  if (row === undefined) return null;
  return (
    <div
      data-index={item.index}
      data-row={row.key}
      tabIndex={-1}
      ref={measure}
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
};
