import type { ProjectId } from '@contract/ids';
import { useLiveAnswer } from '../../link';

const EVENTS = ['hooks.changed'] as const;

/** The hooks of a project with their last results. The person edits the file elsewhere, which no event reports. */
export const useHooks = (projectId: ProjectId) => useLiveAnswer('hooks.list', { projectId }, EVENTS, true);
