import type { ProjectId } from '@contract/ids';
import { useList } from '../../link';

const EVENTS = ['hooks.changed'] as const;

/** The hooks of a project with their last results. */
export const useHooks = (projectId: ProjectId) => useList('hooks.list', { projectId }, EVENTS);
