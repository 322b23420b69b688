import type { ProjectId, ThreadId } from '@contract/ids';
import { useEffect } from 'react';
import { onHostEvent } from '../../link';
import { parentOf } from './tree';

/** Calls `changed` when a file may be another by now. `isGone`: it is missing, so that its coming back counts too. */
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
        // A file that is gone or came back shows only in its directory's listing.
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
