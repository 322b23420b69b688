import type { Project } from '../../contract/app';
import type { ThreadState } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import { ok, type Result } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import type { Reverts } from '../project/changes/reverts';
import type { ProjectRegistry } from '../project/projects';
import type { OpenThreads } from '../threads/live-threads';
import type { Connection } from '../window/connection';

interface Parts {
  storage: Storage;
  turns: OpenThreads;
  projects: ProjectRegistry;
  reverts: Reverts;
}

export function changesHandlers({
  storage,
  turns,
  projects,
  reverts,
}: Parts): HandlersOf<'changes', Connection> {
  const placeOf = async (threadId: ThreadId): Promise<Result<{ project: Project; state: ThreadState }>> => {
    const live = turns.thread(threadId);
    if (!live.ok) return live;
    const { state } = live.value;
    const project = await projects.present(state.thread.projectId);
    return project.ok ? ok({ project: project.value, state }) : project;
  };
  return {
    'changes.list': async ({ threadId, since }) => {
      const place = await placeOf(threadId);
      return place.ok ? reverts.list(place.value.project, place.value.state, since) : place;
    },
    'changes.file': async ({ threadId, path, since }, _connection, signal) => {
      const place = await placeOf(threadId);
      return place.ok ? reverts.file(place.value.project, place.value.state, path, since, signal) : place;
    },
    'changes.turn': async ({ threadId, messageId }) => {
      const place = await placeOf(threadId);
      return place.ok ? reverts.turn(place.value.project, place.value.state, messageId) : place;
    },
    'changes.revert': async ({ threadId, scope, force }) => {
      const place = await placeOf(threadId);
      if (!place.ok) return place;
      const outcome = await reverts.revert(place.value.project, place.value.state, scope, force);
      // The report of a call says whether its changes are still there.
      if (outcome.ok && outcome.value.status === 'done' && outcome.value.revertId !== null) {
        const { revertId } = outcome.value;
        if (scope.kind === 'call') storage.activity.reverted(threadId, scope.callId, revertId);
        if (scope.kind === 'revert') storage.activity.restored(scope.revertId);
      }
      return outcome;
    },
  };
}
