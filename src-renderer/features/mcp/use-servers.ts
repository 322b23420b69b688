import type { ProjectId } from '@contract/ids';
import { useList } from '../../link';

const EVENTS = ['mcp.changed'] as const;

/** The person's servers and, if a project is given, its servers. The person's stay while another project's are read. */
export const useServers = (projectId: ProjectId | null) => useList('mcp.list', { projectId }, EVENTS, true);
