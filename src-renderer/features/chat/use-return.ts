import type { MessageId, ThreadId } from '@contract/ids';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { loadEarlier } from '../../link';
import { ALL_MESSAGES } from './use-earlier';
import { type Row, rowElement, type Virtual } from './use-message-rows';

/** More threads than a person goes back to; the one left longest ago is forgotten first. */
const MAX_THREADS = 200;
/** Frames until the rows around the place are laid out and measured. */
const FRAMES = 6;

interface LeftPlace {
  /** The first visible row, and how far its top was below that of the list. */
  row: string;
  top: number;
  /** The last message up to that row: until it is loaded, the row is not there. */
  message: MessageId | undefined;
}

/** The threads that were left somewhere above their end, until the window closes. */
const left = new Map<ThreadId, LeftPlace>();

/** The thread was left above its end. */
export const isLeftAbove = (threadId: ThreadId): boolean => left.has(threadId);

interface ReturnOptions {
  threadId: ThreadId;
  rows: readonly Row[];
  /** There are messages before the first row. */
  hasEarlier: boolean;
  /** A card in the list asks a question. It is shown first. */
  asks: boolean;
  atEnd: boolean;
  scroller: RefObject<HTMLElement | null>;
  virtual: Virtual;
  /** The list stops following its end. */
  leave(): void;
}

/**
 * Shows a thread again where the person left it, unless that was at its end. Returns a function that ends this, for anything
 * else that scrolls.
 */
export function useReturn(options: ReturnOptions): () => void {
  const { threadId, rows, hasEarlier, asks, leave } = options;
  const latest = useRef(options);
  latest.current = options;
  const wanted = useRef(asks ? undefined : left.get(threadId));
  const frame = useRef(0);
  const end = useRef(() => {
    wanted.current = undefined;
    cancelAnimationFrame(frame.current);
  });

  useLayoutEffect(() => {
    const place = wanted.current;
    if (place === undefined || rows.length === 0) return;
    leave();
    const isHere = rows.some(({ key }) => key === place.row);
    if (!isHere && hasEarlier && !rows.some(({ key }) => key === place.message)) return;
    wanted.current = undefined;
    // If the calls of the row are grouped otherwise by now, the message before them is near enough.
    const to = isHere ? place : { row: place.message ?? '', top: 0 };
    const step = (frames: number) => {
      putRow(latest.current, to);
      if (frames > 0) frame.current = requestAnimationFrame(() => step(frames - 1));
    };
    step(FRAMES);
  }, [rows, hasEarlier, leave]);

  const from = wanted.current?.message;
  useEffect(() => {
    if (from !== undefined && wanted.current?.message === from)
      void loadEarlier(threadId, { limit: ALL_MESSAGES, from });
  }, [threadId, from]);

  useLayoutEffect(
    () => () => {
      const isStillTo = wanted.current !== undefined;
      end.current();
      if (!isStillTo) keepPlace(latest.current);
    },
    [],
  );
  return end.current;
}

/** Scrolls until the top of a row is where it was. */
function putRow({ rows, scroller, virtual }: ReturnOptions, { row, top }: Pick<LeftPlace, 'row' | 'top'>) {
  const list = scroller.current;
  if (list === null) return;
  const element = rowElement(list, row);
  if (element !== null) {
    list.scrollTop += element.getBoundingClientRect().top - list.getBoundingClientRect().top - top;
    return;
  }
  const index = rows.findIndex(({ key }) => key === row);
  const offset = index === -1 ? undefined : virtual.getOffsetForIndex(index, 'start');
  if (offset !== undefined) list.scrollTop = offset[0] - top;
}

function keepPlace({ threadId, rows, atEnd, scroller }: ReturnOptions): void {
  const list = scroller.current;
  if (list === null || rows.length === 0) return;
  left.delete(threadId);
  if (atEnd) return;
  const start = list.getBoundingClientRect().top;
  for (const [index, { key }] of rows.entries()) {
    const box = rowElement(list, key)?.getBoundingClientRect();
    if (box === undefined || box.bottom <= start) continue;
    const message = rows.slice(0, index + 1).findLast(({ kind }) => kind === 'user' || kind === 'prose');
    const isMessage = message?.kind === 'user' || message?.kind === 'prose';
    left.set(threadId, {
      row: key,
      top: box.top - start,
      message: isMessage ? message.message.id : undefined,
    });
    break;
  }
  const [oldest] = left.keys();
  if (left.size > MAX_THREADS && oldest !== undefined) left.delete(oldest);
}
