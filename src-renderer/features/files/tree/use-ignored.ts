import type { ProjectId } from '@contract/ids';
import { MAX_DIRECTORIES } from '@contract/limits';
import { useEffect, useMemo, useRef, useState } from 'react';
import { call, onHostEvent } from '../../../link';
import { isWithin, parentOf, type Row } from './tree';

/** Milliseconds between a change and the next request: a build changes files all the time. */
const AFTER = 1_000;
const NONE: ReadonlySet<string> = new Set();

/** Tells whether ignore files exclude a path of the project. It requests more as directories are opened. */
export function useIgnored(
  projectId: ProjectId,
  mount: string,
  rows: readonly Row[],
): (path: string) => boolean {
  const [ignored, setIgnored] = useState(NONE);
  const [asked, setAsked] = useState(0);
  const isIgnored = useMemo(() => {
    // Everything in an ignored directory is ignored.
    return (path: string) => {
      for (let at = path; isWithin(at, mount) && at !== mount; at = parentOf(at))
        if (ignored.has(at)) return true;
      return false;
    };
  }, [ignored, mount]);
  const open = useMemo(
    () =>
      rows
        .flatMap((row) => ((row.kind === 'entry' || row.kind === 'root') && row.expanded ? [row.path] : []))
        .filter((path) => isWithin(path, mount) && !isIgnored(path))
        .slice(0, MAX_DIRECTORIES)
        .join('\0'),
    [rows, mount, isIgnored],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: requests again when files change
  useEffect(() => {
    if (open === '') return;
    const controller = new AbortController();
    const directories = open.split('\0');
    void call('files.ignored', { projectId, directories }, controller.signal).then((result) => {
      if (!controller.signal.aborted && result.ok) setIgnored(new Set(result.value.paths));
    });
    return () => controller.abort();
  }, [projectId, open, asked]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const stop = onHostEvent('files.changed', (event) => {
      if (event.projectId !== projectId) return;
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        setAsked((n) => n + 1);
      }, AFTER);
    });
    return () => {
      stop();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [projectId]);
  return isIgnored;
}
