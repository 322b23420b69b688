import { release, type } from 'node:os';
import type { Project } from '../../contract/app';
import type { LiveThread } from '../threads/live-thread';
import type { RunServices } from './run-services';

/** The offline assistant reads the line `Project folder:`; other models are glad of it too. */
export function factsOf(project: Project): string {
  return [
    `Project folder: ${project.mount}`,
    `System: ${type()} ${release()}`,
    `Date: ${new Date().toISOString().slice(0, 10)}`,
  ].join('\n');
}

/**
 * All that a run is made by besides files and the tools of servers, as one text: two runs of a thread with the same one
 * are alike. What is looked up for each call, as rules and modes are, is not in it. Null where the project is gone.
 */
export function stampOf(services: RunServices, live: LiveThread): string | null {
  const { storage, projects, models, memoryUses, sandboxes, secrets } = services;
  const { id, model, projectId } = live.state.thread;
  const project = projects.get(projectId);
  if (!project.ok) return null;
  return JSON.stringify([
    project.value,
    factsOf(project.value),
    model,
    storage.settings.stamp(),
    models.stamp(),
    memoryUses.chosen(id),
    sandboxes.state,
    secrets.of(id).version,
  ]);
}
