import type { ProjectId } from '@contract/ids';
import type { McpServers } from '@contract/mcp';
import type { ErrorInWords } from '@contract/result';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, onHostEvent } from '../../link';

export type ServerList =
  | { phase: 'loading' }
  | { phase: 'listed'; servers: McpServers }
  | { phase: 'failed'; error: ErrorInWords };

/** The person's servers and, if a project is given, its servers. Events keep the list up to date. */
export function useServers(projectId: ProjectId | null): { list: ServerList; reload(): void } {
  const [list, setList] = useState<ServerList>({ phase: 'loading' });
  const running = useRef(new AbortController());
  const reload = useCallback(() => {
    running.current.abort();
    const controller = new AbortController();
    running.current = controller;
    void call('mcp.list', { projectId }, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      setList(
        result.ok ? { phase: 'listed', servers: result.value } : { phase: 'failed', error: result.error },
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
