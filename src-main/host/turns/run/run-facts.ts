import { release, type } from 'node:os';
import type { Project } from '../../../contract/app';
import type { Place } from '../../../contract/places';
import type { LiveThread } from '../../threads/live-thread';
import { placeFacts } from './place-routes';
import type { RunServices } from './run-services';

/** The offline assistant reads the line `Project folder:`; other models use it too. */
export function factsOf(project: Project, places: readonly Place[]): string {
  return [
    `Project folder: ${project.mount}`,
    ...placeFacts(project, places),
    ...(project.remote === undefined ? [`System: ${type()} ${release()}`] : []),
    `Date: ${new Date().toISOString().slice(0, 10)}`,
  ].join('\n');
}

/**
 * Everything a run depends on besides files and server tools, as one text: runs with the same text are alike. Excludes what
 * is read for each call, such as rules and modes. Null if the project is gone.
 */
export function stampOf(services: RunServices, live: LiveThread): string | null {
  const { storage, projects, places, remoteAgents, models, memoryUses, sandboxes, secrets, editors } =
    services;
  const { id, model, projectId } = live.state.thread;
  const project = projects.get(projectId);
  if (!project.ok) return null;
  return JSON.stringify([
    project.value,
    factsOf(project.value, places.of(project.value)),
    places.stamp(project.value),
    remoteAgents.stamp(project.value),
    model,
    storage.settings.stamp(),
    models.stamp(),
    memoryUses.chosen(id),
    sandboxes.state,
    secrets.of(id).version,
    editors.stampOf(id),
  ]);
}
