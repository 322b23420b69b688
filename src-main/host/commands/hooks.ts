import { fail, ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Hooks } from '../project/hooks';
import type { ProjectRegistry } from '../project/projects';
import type { Confirmations } from '../window/confirmations';
import type { Connection } from '../window/connection';

export function hooksHandlers({
  hooks,
  projects,
  confirmations,
}: {
  hooks: Hooks;
  projects: ProjectRegistry;
  confirmations: Confirmations;
}): HandlersOf<'hooks', Connection> {
  return {
    'hooks.list': async ({ projectId }) => {
      const project = projects.get(projectId);
      return project.ok ? ok(await hooks.state(project.value)) : project;
    },
    'hooks.consent': async ({ projectId, digest, allowed }) => {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      if (allowed) {
        const state = await hooks.state(project.value);
        if (state.digest !== digest) return fail('stale', 'hooks_changed');
        const confirmed = await confirmations.hooks(
          project.value,
          state.hooks.map(({ command }) => command),
        );
        if (!confirmed.ok) return confirmed;
      }
      const decided = await hooks.consent(project.value, digest, allowed);
      return decided.ok ? ok({}) : decided;
    },
    'hooks.setEnabled': async ({ projectId, enabled }) => {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      hooks.setEnabled(project.value, enabled);
      return ok({});
    },
  };
}
