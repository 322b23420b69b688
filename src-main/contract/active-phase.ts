import type { Turn } from './conversation';

/** Whether a turn in that phase is not over yet: its agent works, or waits for the person. */
export const isActivePhase = (phase: Turn['phase']): boolean => phase === 'running' || phase === 'waiting';
