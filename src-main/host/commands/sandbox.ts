import { ok } from '../../contract/result';
import type { Handlers } from '../../contract/rpc';
import type { ProjectRegistry } from '../project/projects';
import type { Sandboxes } from '../project/sandboxes';
import type { Confirmations } from '../window/confirmations';
import type { Connection } from '../window/connection';

/** What the window asks of the sandbox. */
export function sandboxHandlers({
  sandboxes,
  projects,
  confirmations,
}: {
  sandboxes: Sandboxes;
  projects: ProjectRegistry;
  confirmations: Confirmations;
}): Pick<Handlers<Connection>, 'sandbox.read' | 'project.setSandbox'> {
  return {
    'sandbox.read': async () => ok(await sandboxes.details()),
    'project.setSandbox': async ({ projectId, on }) => {
      const before = projects.get(projectId);
      if (!before.ok) return before;
      if (!on && before.value.sandbox !== false) {
        const confirmed = await confirmations.noSandbox(before.value);
        if (!confirmed.ok) return confirmed;
      }
      const project = projects.get(projectId);
      if (!project.ok) return project;
      projects.change({ ...project.value, sandbox: on });
      return ok({});
    },
  };
}
