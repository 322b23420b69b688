import type { ProjectId } from '@contract/ids';
import type { McpServers } from '@contract/mcp';
import type { ErrorInWords } from '@contract/result';
import { optional } from '@contract/shared/optional';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, onHostEvent } from '../../link';

export type ServerList =
  | { phase: 'loading' }
  | Listed
  /** `last`: the list before, which may still be shown: a form in it would be lost. */
  | { phase: 'failed'; error: ErrorInWords; last?: Listed };

/** `projectId`: whose servers these are, besides the person's. */
interface Listed {
  phase: 'listed';
  servers: McpServers;
  projectId: ProjectId | null;
}

/** The person's servers and, if a project is given, its servers. Events keep the list up to date. */
export function useServers(projectId: ProjectId | null): { list: ServerList; reload(): void } {
  const [list, setList] = useState<ServerList>({ phase: 'loading' });
  const running = useRef(new AbortController());
  const last = useRef<Listed>(undefined);
  const reload = useCallback(() => {
    running.current.abort();
    const controller = new AbortController();
    running.current = controller;
    void call('mcp.list', { projectId }, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      if (result.ok) last.current = { phase: 'listed', servers: result.value, projectId };
      setList(
        result.ok
          ? { phase: 'listed', servers: result.value, projectId }
          : { phase: 'failed', error: result.error, ...optional({ last: last.current }) },
      );
    });
  }, [projectId]);
  useEffect(() => {
    reload();
    const stop = onHostEvent('mcp.changed', (event) => {
      if (event.projectId === null || event.projectId === projectId) reload();
    });
    return () => {
      stop();
      running.current.abort();
    };
  }, [projectId, reload]);
  return { list, reload };
}
