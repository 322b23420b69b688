import type { ThreadId } from '@contract/ids';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { KEEPS_FOCUS } from '../../link';
import { isFocusLost, type VirtualListHandle } from '../../ui';
import { setFold } from './folds';
import { projectRowOf, type Row, rowAfter, rowInPlace, typedRow } from './rows';

/** Milliseconds after which the next character starts a new name. */
const TYPING = 700;
const ROWS_A_PAGE = 12;

/** The focused row (or the one that would get the focus), and the keys. */
export function useRowFocus(
  rows: readonly Row[],
  selected: ThreadId | null,
  untitled: string,
  onExtend: (from: ThreadId, to: ThreadId) => void,
) {
  const list = useRef<VirtualListHandle>(null);
  const nav = useRef<HTMLElement>(null);
  const [wanted, setWanted] = useState<string | null>(null);
  const typed = useRef({ text: '', at: 0 });
  const latest = useRef(rows);
  latest.current = rows;

  /** While the Delete key deletes rows, the focus stays in the list, even if the open thread is gone. */
  const keepFocus = (keeps: boolean) => nav.current?.toggleAttribute(KEEPS_FOCUS, keeps);

  const isThere = (key: string | null) => rows.some((row) => row.key === key);
  const active = isThere(wanted) ? wanted : isThere(selected) ? selected : rows[0]?.key;

  const focusRow = useCallback((key: string) => {
    setWanted(key);
    const index = latest.current.findIndex((row) => row.key === key);
    if (index !== -1) list.current?.scrollToIndex(index);
    // The row may be drawn only after scrolling to it.
    requestAnimationFrame(() =>
      nav.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)?.focus(),
    );
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    keepFocus(event.key === 'Delete');
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = document.activeElement;
    const key = focused?.closest('[data-row]')?.getAttribute('data-row');
    if (key === null || key === undefined) {
      moveAmongResults(event, nav.current, focused);
      return;
    }
    const at = rows.findIndex((row) => row.key === key);
    const to = targetOf(event, at);
    if (to === undefined) return;
    event.preventDefault();
    const row = rows[to];
    if (row === undefined) return;
    const from = rows[at];
    if (event.shiftKey && from?.kind === 'thread' && row.kind === 'thread')
      onExtend(from.thread.id, row.thread.id);
    focusRow(row.key);
  };

  /** The row to go to; undefined if the key is not handled here. */
  const targetOf = (event: KeyboardEvent, at: number): number | undefined => {
    const row = rows[at];
    const next = rowAfter(rows, at, event.key, ROWS_A_PAGE);
    if (next !== undefined) return next;
    // The message results follow the last thread.
    if (event.key === 'ArrowDown') {
      focusResult(nav.current);
      return undefined;
    }
    if (event.key === 'ArrowLeft') {
      if (row?.kind === 'project') {
        if (row.open) setFold('closed', row.project.id, true);
        return at;
      }
      return projectRowOf(rows, at);
    }
    if (event.key === 'ArrowRight' && row?.kind === 'project') {
      if (row.open) return rowAfter(rows, at, 'ArrowDown', 1);
      setFold('closed', row.project.id, false);
      return at;
    }
    if (event.key.length !== 1 || event.key === ' ') return undefined;
    const now = performance.now();
    const isNew = now - typed.current.at > TYPING;
    typed.current = { text: isNew ? event.key : typed.current.text + event.key, at: now };
    return typedRow(rows, at, typed.current.text, untitled) ?? at;
  };

  const onFocus = (event: { target: EventTarget }) => {
    const key = event.target instanceof Element ? event.target.getAttribute('data-row') : null;
    if (key !== null) setWanted(key);
  };

  useNextAfterDelete(rows, wanted, nav, focusRow);

  // Scrolls to the open thread when it was chosen elsewhere.
  useEffect(() => {
    if (selected === null) return;
    setWanted(null);
    const index = latest.current.findIndex((row) => row.key === selected);
    if (index !== -1) list.current?.scrollToIndex(index);
  }, [selected]);

  return { list, nav, active, focusRow, onKeyDown, onPointerDown: () => keepFocus(false), onFocus };
}

/** When the row `wanted` is deleted or archived by key or in its menu, focuses the next one: the keys continue from there. */
function useNextAfterDelete(
  rows: readonly Row[],
  wanted: string | null,
  nav: RefObject<HTMLElement | null>,
  focusRow: (key: string) => void,
): void {
  const place = useRef(-1);
  useEffect(() => {
    const at = wanted === null ? -1 : rows.findIndex((row) => row.key === wanted);
    const before = place.current;
    place.current = at;
    const isGone = wanted !== null && at === -1 && before !== -1;
    const isKept = nav.current?.hasAttribute(KEEPS_FOCUS) === true;
    if (!isGone || !(isKept || isFocusLost())) return;
    const next = wanted.startsWith('project:')
      ? rows[Math.min(before, rows.length - 1)]
      : rowInPlace(rows, before);
    if (next === undefined) return;
    if (isKept) focusRow(next.key);
    // If it was the open thread, the message field of the next one may take the focus.
    else requestAnimationFrame(() => isFocusLost() && focusRow(next.key));
  }, [rows, wanted, nav, focusRow]);
}

/** Moves among the message results with the arrow keys, and back up into the list. */
function moveAmongResults(event: KeyboardEvent, nav: HTMLElement | null, focused: Element | null): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const places = [...(nav?.querySelectorAll<HTMLElement>('[data-thread]') ?? [])];
  const at = focused instanceof HTMLElement ? places.indexOf(focused) : -1;
  if (at === -1) return;
  event.preventDefault();
  places[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}

/** Focuses the first message result. False if there is none. */
export function focusResult(nav: HTMLElement | null): boolean {
  const result = nav?.querySelector<HTMLElement>('[data-thread]:not([data-row])');
  result?.focus();
  return result != null;
}
