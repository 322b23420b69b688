import { isActivePhase } from '@contract/active-phase';
import type { Approval } from '@contract/approvals';
import type { ThreadState } from '@contract/conversation';
import { useMemo, useRef } from 'react';
import { type ByCall, callsIn, createSegmenter, type NestedMessage } from './segments';
import type { Row } from './use-message-rows';

/** The rows of a thread's message list. `asked`: the calls whose cards are shown in it. */
export function useConversationRows(state: ThreadState, asked: readonly Approval[]) {
  const segmenter = useRef(createSegmenter());
  const waiting = asked.length;
  const active = isActivePhase(state.turn.phase);
  const { segments, nested, steps } = useMemo(
    () => segmenter.current(state.messages, state.thread.origin, state.earlier, active),
    [state.messages, state.thread.origin, state.earlier, active],
  );
  const approvals = useMemo(() => new Map(asked.map((approval) => [approval.callId, approval])), [asked]);

  const lastCompaction = useMemo(
    () =>
      state.messages.findLast(
        (message) => message.role === 'compaction' && message.parentCallId === undefined && !message.undone,
      )?.id,
    [state.messages],
  );
  const placed = useMemo(
    () => (waiting > 0 ? callsIn(segments, nested) : undefined),
    [waiting, segments, nested],
  );
  const rows = useMemo(
    (): Row[] => (segments.length === 0 ? [] : [...segments, { kind: 'below', key: 'below' }]),
    [segments],
  );
  // A question stays visible even if its call is not: the row that contains one is always rendered.
  const kept = useMemo(
    () =>
      approvals.size === 0
        ? []
        : rows.flatMap((row, index) =>
            row.kind === 'below' || (row.kind === 'calls' && asksIn(row, nested, approvals)) ? [index] : [],
          ),
    [rows, nested, approvals],
  );
  return { segments, nested, steps, approvals, lastCompaction, placed, rows, kept };
}

const asksIn = (
  row: Extract<Row, { kind: 'calls' }>,
  nested: ByCall<NestedMessage[]>,
  approvals: ReadonlyMap<string, Approval>,
): boolean => {
  for (const callId of callsIn([row], nested)) if (approvals.has(callId)) return true;
  return false;
};
