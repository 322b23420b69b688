import { ok } from '../contract/result';
import type { Handlers } from '../contract/rpc';
import type { Connection } from './connection';
import type { ProjectRegistry } from './projects';
import type { Sandboxes } from './sandboxes';

/** What the window asks of the sandbox. */
export function sandboxHandlers({
  sandboxes,
  projects,
}: {
  sandboxes: Sandboxes;
  projects: ProjectRegistry;
}): Pick<Handlers<Connection>, 'sandbox.read' | 'project.setSandbox'> {
  return {
    'sandbox.read': async () => ok(await sandboxes.details()),
    'project.setSandbox': ({ projectId, on }) => {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      projects.change({ ...project.value, sandbox: on });
      return ok({});
    },
  };
}
