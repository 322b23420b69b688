import type { FileMark } from '@contract/commands/files';
import type { ProjectId } from '@contract/ids';
import { useEffect, useState } from 'react';
import { call, onHostEvent } from '../../../link';
import { parentOf } from './tree';

/** Milliseconds between a change and the next request for marks: a build changes files all the time. */
const AFTER = 1_000;

const NONE: ReadonlyMap<string, FileMark> = new Map();

/** The git status of files and, for a closed folder, of its contents. The watcher keeps it up to date. */
export function useMarks(projectId: ProjectId): ReadonlyMap<string, FileMark> {
  const [marks, setMarks] = useState(NONE);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    let isWanted = false;
    const ask = async () => {
      timer = undefined;
      isAsking = true;
      const result = await call('files.marks', { projectId }, controller.signal);
      isAsking = false;
      if (controller.signal.aborted) return;
      if (result.ok) setMarks(withFolders(result.value.marks));
      if (isWanted) later();
    };
    const later = () => {
      isWanted = isAsking;
      if (!isAsking) timer ??= setTimeout(() => void ask(), AFTER);
    };
    void ask();
    const stop = onHostEvent('files.changed', (event) => {
      if (event.projectId === projectId) later();
    });
    return () => {
      stop();
      clearTimeout(timer);
      controller.abort();
    };
  }, [projectId]);
  return marks;
}

const WEIGHT: Record<FileMark, number> = { untracked: 1, changed: 2, conflict: 3 };

/** Gives each folder the most important mark of its contents. */
export function withFolders(
  marks: readonly { path: string; mark: FileMark }[],
): ReadonlyMap<string, FileMark> {
  const all = new Map<string, FileMark>();
  for (const { path, mark } of marks) {
    all.set(path, mark);
    for (let folder = parentOf(path); folder !== '/'; folder = parentOf(folder)) {
      const known = all.get(folder);
      if (known !== undefined && WEIGHT[known] >= WEIGHT[mark]) break;
      all.set(folder, mark);
    }
  }
  return all;
}
