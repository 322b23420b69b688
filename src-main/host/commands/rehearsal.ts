import { fail, ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import { optional } from '../../contract/shared/optional';
import { DEFAULT_LIMITS } from '../../harness/sandbox/rehearsal';
import type { Sandboxes } from '../project/access/sandboxes';
import type { ProjectRegistry } from '../project/projects';
import type { Rehearsals } from '../project/rehearsals/rehearsals';
import type { OpenThreads } from '../threads/live-threads';
import type { Connection } from '../window/connection';

interface Parts {
  turns: OpenThreads;
  projects: ProjectRegistry;
  rehearsals: Rehearsals;
  sandboxes: Sandboxes;
}

/** Handlers for commands that ran in a throwaway layer. */
export function rehearsalHandlers({
  turns,
  projects,
  rehearsals,
  sandboxes,
}: Parts): HandlersOf<'rehearsal', Connection> {
  return {
    'rehearsal.diff': async ({ threadId, approvalId, path }, _connection, signal) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      const approval = live.value.state.approvals.find(({ id }) => id === approvalId);
      return approval?.outcome === undefined
        ? fail('not_found', 'call_not_pending')
        : rehearsals.diff(approval, path, signal);
    },
    'rehearsal.available': async ({ projectId }) => {
      const project = await projects.present(projectId);
      if (!project.ok) return project;
      await sandboxes.ready;
      if (!sandboxes.confinementOf(projectId).available) return ok({ reason: 'no_sandbox' });
      const found = await rehearsals.availability(project.value);
      if (found.available) return ok({ reason: null, limits: DEFAULT_LIMITS });
      return ok({ reason: found.reason, ...optional({ detail: found.detail }) });
    },
  };
}
