import type { Compaction as Marker } from '../../../contract/conversation';
import { CallId, MessageId } from '../../../contract/ids';
import { fail, ok, type Result } from '../../../contract/result';
import { optional } from '../../../contract/shared/optional';
import type { AgentRef, Compaction } from '../../../harness';
import { isContextOverflow } from '../../../models/errors';
import type { LiveThread } from '../../threads/live-thread';
import type { ThreadContext } from '../run/thread-agent';

/** A compaction as shown in the conversation. */
export function markerOf(compaction: Compaction, agent: AgentRef): Marker {
  const { id, at, keptFromId, ...rest } = compaction;
  return {
    ...rest,
    role: 'compaction',
    id: MessageId.parse(id),
    at: Date.parse(at),
    undone: false,
    ...optional({ keptFromId }),
    ...(agent === null ? {} : { parentCallId: CallId.parse(agent.callId) }),
  };
}

/** An agent's compactions from the harness, oldest first. */
function recordsOf(live: LiveThread, agent: AgentRef = null): Compaction[] {
  return markersOf(live, agent).map(
    ({ role: _, undone: __, parentCallId: ___, keptFromId, at, ...rest }) => ({
      ...rest,
      at: new Date(at).toISOString(),
      ...optional({ keptFromId }),
    }),
  );
}

const markersOf = (live: LiveThread, agent: AgentRef = null): Marker[] =>
  live.state.messages.filter(
    (message): message is Marker => message.role === 'compaction' && message.parentCallId === agent?.callId,
  );

/** The person's choices about the thread's context, current for each request. */
export function contextOf(live: LiveThread): ThreadContext {
  return {
    isContextOverflow,
    pinned: () => {
      const ids = new Set<string>();
      for (const message of live.state.messages) {
        if ((message.role !== 'user' && message.role !== 'agent') || message.pinned !== true) continue;
        const id = message.role === 'agent' ? message.graphId : message.id;
        if (id !== undefined) ids.add(id);
      }
      return ids;
    },
    isUndone: (id) => markersOf(live).some((marker) => marker.id === id && marker.undone),
    recorded: () => recordsOf(live),
    recordedOf: (agent) => recordsOf(live, agent),
  };
}

/** Undoes the last active compaction. Errors: `conflict` for any other. */
export function undoCompaction(live: LiveThread, id: MessageId): Result<Record<string, never>> {
  const last = markersOf(live).findLast((marker) => !marker.undone);
  if (last?.id !== id) return fail('conflict', 'last_compaction_only');
  live.emit({ type: 'compaction.undone', compactionId: id });
  return ok({});
}

/** Errors: `invalid` for anything but a message of the person or the thread's own agent. */
export function pinMessage(live: LiveThread, id: MessageId, pinned: boolean): Result<Record<string, never>> {
  const message = live.state.messages.find((one) => one.id === id);
  const isOwn =
    message?.role === 'user' ||
    (message?.role === 'agent' && message.parentCallId === undefined && message.graphId !== undefined);
  if (!isOwn) return fail('invalid', 'pin_messages_only');
  live.emit({ type: 'message.pinned', messageId: id, pinned });
  return ok({});
}
