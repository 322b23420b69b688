import { useList } from '../../link';

const EVENTS = ['routines.changed'] as const;

/** Every routine with its runs. */
export const useRoutines = () => useList('routines.list', {}, EVENTS);
