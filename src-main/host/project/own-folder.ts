import type { EngineApi } from '../../changes';
import type { Project } from '../../contract/app';
import type { ProjectRegistry } from './projects';

/** A project's folder is gone, or another one is in its place. */
export class OtherFolder extends Error {}

/**
 * Scans a project's own folder. Another one, such as the mount point of a missing disk, tells nothing about its files: then it
 * rejects with `OtherFolder`.
 */
export async function scanOwn(
  { engine, projects }: { engine: EngineApi; projects: Pick<ProjectRegistry, 'isThere'> },
  project: Project,
  options: Parameters<EngineApi['scan']>[1],
): ReturnType<EngineApi['scan']> {
  if (!(await projects.isThere(project)))
    throw new OtherFolder(`Not the project's folder: ${project.folder}`);
  return engine.scan(project.folder, options);
}
