import type { ThreadSummary } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Row } from './rows';

/** How a line was asked for: with these keys held, it is marked instead of opened. */
export interface Held {
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

export interface MarkHands {
  /** Marks or lets go by Ctrl, marks all up to here by Shift. False where neither is held: then nothing is marked any more. */
  pick(threadId: ThreadId, held: Held): boolean;
  toggle(threadId: ThreadId): void;
  /** Marks both, for going from one to the next with Shift. */
  extend(from: ThreadId, to: ThreadId): void;
  /** Marks every thread of the project of this one that is shown. */
  all(threadId: ThreadId): void;
  clear(): void;
}

export interface Marks {
  /** In the order of the list; those that are gone or folded away are none. */
  marked: readonly ThreadSummary[];
  /** Always the same: lines that did not change are not redrawn. */
  hands: MarkHands;
}

const threadsOf = (rows: readonly Row[]): ThreadSummary[] =>
  rows.flatMap((row) => (row.kind === 'thread' ? [row.thread] : []));

/** Threads that something is done with together. `shown`: where a row of marks begins when none was marked before. */
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
