import type { ThreadSummary } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Row } from './rows';

/** How a row was activated: with these modifier keys, it is selected instead of opened. */
export interface Held {
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

export interface MarkHands {
  /** Toggles with Ctrl, or selects a range with Shift. Without either, clears the selection and returns false. */
  pick(threadId: ThreadId, held: Held): boolean;
  toggle(threadId: ThreadId): void;
  /** Selects both, for moving from one to the next with Shift. */
  extend(from: ThreadId, to: ThreadId): void;
  /** Selects every visible thread in this one's project. */
  all(threadId: ThreadId): void;
  clear(): void;
}

export interface Marks {
  /** In list order, without threads that are gone or folded. */
  marked: readonly ThreadSummary[];
  /** Stable, so that unchanged rows are not redrawn. */
  hands: MarkHands;
}

const threadsOf = (rows: readonly Row[]): ThreadSummary[] =>
  rows.flatMap((row) => (row.kind === 'thread' ? [row.thread] : []));

/** The selected threads. `shown`: where a range starts if nothing was selected before. */
export function useMarks(rows: readonly Row[], shown: ThreadId | null): Marks {
  const [ids, setIds] = useState<readonly ThreadId[]>([]);
  const anchor = useRef<ThreadId>(null);
  const latest = useRef({ rows, shown });
  latest.current = { rows, shown };
  const marked = useMemo(() => threadsOf(rows).filter(({ id }) => ids.includes(id)), [rows, ids]);

  const add = useCallback(
    (more: readonly ThreadId[]) => setIds((now) => [...new Set([...now, ...more])]),
    [],
  );
  const toggle = useCallback((threadId: ThreadId) => {
    anchor.current = threadId;
    setIds((now) => (now.includes(threadId) ? now.filter((id) => id !== threadId) : [...now, threadId]));
  }, []);
  const pick = useCallback(
    (threadId: ThreadId, held: Held) => {
      if (held.shiftKey) {
        const list = threadsOf(latest.current.rows).map(({ id }) => id);
        const from = list.indexOf(anchor.current ?? latest.current.shown ?? threadId);
        const to = list.indexOf(threadId);
        add(from === -1 ? [threadId] : list.slice(Math.min(from, to), Math.max(from, to) + 1));
        return true;
      }
      if (held.ctrlKey || held.metaKey) {
        toggle(threadId);
        return true;
      }
      anchor.current = threadId;
      setIds((now) => (now.length === 0 ? now : []));
      return false;
    },
    [add, toggle],
  );
  const extend = useCallback(
    (from: ThreadId, to: ThreadId) => {
      anchor.current ??= from;
      add([from, to]);
    },
    [add],
  );
  const all = useCallback((threadId: ThreadId) => {
    const list = threadsOf(latest.current.rows);
    const of = list.find(({ id }) => id === threadId)?.projectId;
    setIds(list.filter(({ projectId }) => projectId === of).map(({ id }) => id));
  }, []);
  const clear = useCallback(() => {
    anchor.current = null;
    setIds([]);
  }, []);
  const hands = useMemo(() => ({ pick, toggle, extend, all, clear }), [pick, toggle, extend, all, clear]);
  return { marked, hands };
}
