import type { ProjectId, ThreadId } from '../../contract/ids';
import type { AppError } from '../../contract/result';
import { folderGone, type ProjectRegistry } from '../project/projects';
import type { Hub } from '../window/hub';
import type { Turns } from './turns';

/** Milliseconds between two checks of the folders in which an agent works. */
const LOOK_EVERY = 2_000;

/**
 * Pauses runs in a folder that was moved or deleted: every further step would fail or recreate the folder. Checks only
 * during runs. Returns a function that stops it.
 */
export function guardFolders(options: {
  hub: Hub;
  projects: ProjectRegistry;
  turns: Turns;
  report: (where: string, error: unknown) => void;
  every?: number;
}): () => void {
  const { hub, projects, turns, report, every = LOOK_EVERY } = options;
  const running = new Map<ThreadId, ProjectId>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  const look = async () => {
    // Only one check at a time, in case a disk does not respond.
    if (isLooking) return;
    isLooking = true;
    try {
      for (const projectId of new Set(running.values())) await projects.checkFolder(projectId);
    } catch (error) {
      report('folder', error);
    } finally {
      isLooking = false;
    }
  };
  const keepLooking = () => {
    if (running.size > 0 && timer === undefined) {
      timer = setInterval(() => void look(), every);
      timer.unref();
    }
    if (running.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
  const pauseIn = (projectId: ProjectId, gone: AppError) => {
    for (const [threadId, its] of running) {
      if (its !== projectId) continue;
      turns.pause(threadId, gone).catch((error: unknown) => report('pause', error));
    }
  };

  const stop = hub.onApp((event) => {
    if (event.type === 'summary.changed') {
      const { id, projectId, status } = event.summary;
      if (status === 'running') running.set(id, projectId);
      else running.delete(id);
      keepLooking();
    } else if (event.type === 'thread.removed') {
      running.delete(event.threadId);
      keepLooking();
    } else if (event.type === 'project.changed' && event.project.missing) {
      pauseIn(event.project.id, folderGone(event.project));
    }
  });
  return () => {
    stop();
    clearInterval(timer);
  };
}
