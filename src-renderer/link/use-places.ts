import type { Output } from '@contract/commands';
import type { ProjectId } from '@contract/ids';
import { type Answered, lastIn, useList } from './use-answer';

const EVENTS = ['places.changed'] as const;

/** The places of a project, or all of them (null). */
export const usePlaces = (projectId: ProjectId | null) => useList('places.list', { projectId }, EVENTS);

/** The places that are known: also while the list cannot be read again. */
export const placesIn = (list: Answered<'places.list'>): Output<'places.list'>['places'] =>
  lastIn(list)?.value.places ?? [];
