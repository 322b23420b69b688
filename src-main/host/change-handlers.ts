import type { Project } from '../contract/app';
import type { ThreadState } from '../contract/conversation';
import type { ThreadId } from '../contract/ids';
import { ok, type Result } from '../contract/result';
import type { Handlers } from '../contract/rpc';
import type { Connection } from './connection';
import type { ProjectRegistry } from './projects';
import type { Reverts } from './reverts';
import type { Turns } from './turns';

interface Parts {
  turns: Turns;
  projects: ProjectRegistry;
  reverts: Reverts;
}

type ChangeCommand = 'changes.list' | 'changes.file' | 'changes.revert';

/** What the window asks of changes. */
export function changeHandlers({
  turns,
  projects,
  reverts,
}: Parts): Pick<Handlers<Connection>, ChangeCommand> {
  const placeOf = async (threadId: ThreadId): Promise<Result<{ project: Project; state: ThreadState }>> => {
    const live = turns.thread(threadId);
    if (!live.ok) return live;
    const { state } = live.value;
    const project = await projects.present(state.thread.projectId);
    return project.ok ? ok({ project: project.value, state }) : project;
  };
  return {
    'changes.list': async ({ threadId }) => {
      const place = await placeOf(threadId);
      return place.ok ? reverts.list(place.value.project, threadId) : place;
    },
    'changes.file': async ({ threadId, path }) => {
      const place = await placeOf(threadId);
      return place.ok ? reverts.file(place.value.project, threadId, path) : place;
    },
    'changes.revert': async ({ threadId, scope, force }) => {
      const place = await placeOf(threadId);
      if (!place.ok) return place;
      return reverts.revert(place.value.project, place.value.state, scope, force);
    },
  };
}
