import { useList } from '../../link';

const EVENTS = ['summary.changed', 'thread.removed', 'project.removed'] as const;

/** Pending decisions. */
export const useInbox = () => useList('inbox.list', {}, EVENTS);
