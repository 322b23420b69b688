import type { MemoryFilter } from '../../contract/commands/memories';
import type { CallId, ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import { findCall, type Memories } from '../memories/memories';
import { MemoryCopies } from '../memories/memory-copies';
import { MemoryHistory } from '../memories/memory-history';
import { MemoryTransfer } from '../memories/memory-transfer';
import { MemoryUses } from '../memories/memory-uses';
import type { Places } from '../places/places';
import type { OpenThreads } from '../threads/live-threads';
import type { Connection } from '../window/connection';
import type { DesktopServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';

interface Parts {
  storage: Storage;
  hub: Hub;
  turns: OpenThreads;
  memories: Memories;
  desktop: DesktopServices;
  places: Places;
}

export function memoriesHandlers(parts: Parts): HandlersOf<'memories', Connection> {
  const { storage, hub, turns, memories, desktop, places } = parts;
  const history = new MemoryHistory(storage, hub);
  const uses = new MemoryUses(storage);
  const transfer = new MemoryTransfer(storage, hub, desktop);
  const copies = new MemoryCopies(storage, hub, places);

  return {
    'memories.list': ({ query, projectId = null }) => memories.list(query ?? '', projectId),
    'memories.read': ({ path, projectId = null }) => memories.read(path, projectId),
    'memories.write': ({ path, text, expectedUpdatedAt, projectId = null }) =>
      memories.write(path, { text, expected: expectedUpdatedAt }, projectId),
    'memories.delete': ({ path, projectId = null }) => memories.remove(path, projectId),
    'memories.move': ({ path, projectId }) => memories.move(path, projectId),
    'memories.restore': ({ path, projectId = null }) => memories.restore(path, projectId),
    'memories.undo': ({ threadId, callId }) => undo(parts, threadId, callId),
    'memories.find': ({ filter, projectId = null, offset, limit }, _connection, signal) =>
      cancellable(signal, () => memories.find(filter as MemoryFilter, projectId, { offset, limit }, signal)),
    'memories.versions': ({ path, projectId = null }) => history.versions(path, projectId),
    'memories.compare': ({ path, from, to, projectId = null }) =>
      history.compare(path, { from, to }, projectId),
    'memories.restoreVersion': ({ path, version, projectId = null }) =>
      history.restore(path, version, projectId),
    'memories.confirm': ({ path, expectedUpdatedAt, projectId = null }) =>
      history.confirm(path, expectedUpdatedAt, projectId),
    'memories.origin': ({ threadId, callId }) => originOf(turns, threadId, callId),
    'memories.used': ({ threadId }) => ok({ turns: uses.turns(threadId), choices: uses.choices(threadId) }),
    'memories.choose': ({ threadId, path, choice }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      storage.browse.choose(threadId, path, choice);
      return ok({ choices: uses.choices(threadId) });
    },
    'memories.export': ({ projectId = null }) => transfer.export(projectId),
    'memories.previewImport': ({ projectId = null }) => transfer.preview(projectId),
    'memories.import': ({ importId }) => transfer.import(importId),
    'memories.previewCopy': (ends, _connection, signal) =>
      stoppable(signal, () => copies.preview(ends, signal)),
    'memories.copy': (order, _connection, signal) => stoppable(signal, () => copies.copy(order, signal)),
    'memories.dropImport': ({ importId }) => {
      transfer.drop(importId);
      return ok({});
    },
  };
}

/** Undoes what one tool call did to a memory and reports it in its thread. */
async function undo(
  { turns, memories, storage }: Parts,
  threadId: ThreadId,
  callId: CallId,
): Promise<Result<Record<string, never>>> {
  const live = turns.thread(threadId);
  if (!live.ok) return live;
  const undone = await memories.undo(
    findCall(live.value.state.messages, callId),
    live.value.state.thread.projectId,
  );
  if (!undone.ok) return undone;
  const now = turns.thread(threadId);
  if (now.ok)
    now.value.emitWith({ type: 'memory.undone', callId }, () =>
      storage.activity.memoryUndone(threadId, callId),
    );
  return ok({});
}

function originOf(turns: OpenThreads, threadId: ThreadId, callId: CallId | null) {
  const live = turns.thread(threadId);
  if (!live.ok) return live;
  const { thread, messages } = live.value.state;
  const message = messages.find(
    (one) => one.role === 'agent' && one.calls.some((call) => call.callId === callId),
  );
  return ok({ title: thread.title, messageId: message?.id ?? null });
}

const cancellable = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<Result<T>> =>
  stoppable(signal, async () => ok(await work()));

async function stoppable<T>(signal: AbortSignal, work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return fail('cancelled', 'cancelled');
    throw error;
  }
}
