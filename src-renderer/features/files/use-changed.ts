import type { ProjectId, ThreadId } from '@contract/ids';
import { useEffect } from 'react';
import { onHostEvent, useApp } from '../../link';
import { isWithin, parentOf } from './tree/tree';

/** Calls `changed` when a file may have changed. `isGone`: the file is missing, so its return counts too. */
export function useChanged(
  projectId: ProjectId,
  threadId: ThreadId | null,
  path: string,
  changed: () => void,
  isGone?: () => boolean,
): void {
  const mount = useApp((app) => app.projects.find((project) => project.id === projectId)?.mount ?? '/');
  useEffect(() => {
    const directory = parentOf(path);
    const undo = [
      onHostEvent('files.changed', (event) => {
        if (event.projectId !== projectId) return;
        // When a file disappears or returns, only its directory's listing shows it.
        const isBack = isGone?.() === true && event.directories.includes(directory);
        // The file itself, or a folder that it is in.
        if (event.all || isBack || event.files.some((one) => isWithin(path, one))) changed();
      }),
      // Places are not watched: only the agent's own changes are known.
      onHostEvent('changes.recorded', (event) => {
        if (event.projectId === projectId && !isWithin(path, mount)) changed();
      }),
      onHostEvent('scratch.changed', (event) => {
        if (event.threadId === threadId) changed();
      }),
      onHostEvent('memories.changed', ({ paths }) => {
        if (paths.includes(path)) changed();
      }),
    ];
    return () => {
      for (const stop of undo) stop();
    };
  }, [projectId, threadId, path, changed, isGone, mount]);
}
