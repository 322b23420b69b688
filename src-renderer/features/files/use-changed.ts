import type { ProjectId, ThreadId } from '@contract/ids';
import { useEffect } from 'react';
import { onHostEvent } from '../../link';
import { parentOf } from './tree';

/** Calls `changed` when a file may have changed. `isGone`: the file is missing, so its return counts too. */
export function useChanged(
  projectId: ProjectId,
  threadId: ThreadId | null,
  path: string,
  changed: () => void,
  isGone?: () => boolean,
): void {
  useEffect(() => {
    const directory = parentOf(path);
    const undo = [
      onHostEvent('files.changed', (event) => {
        if (event.projectId !== projectId) return;
        // When a file disappears or returns, only its directory's listing shows it.
        const isBack = isGone?.() === true && event.directories.includes(directory);
        if (event.all || isBack || event.files.includes(path)) changed();
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
  }, [projectId, threadId, path, changed, isGone]);
}
