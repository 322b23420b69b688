import type { ProjectId, RoutineId } from '@contract/ids';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Folds } from './rows';

/** What is folded in the list. View state, which other windows pick up at their next start. */
export const useFolds = create<Folds>()(
  persist((): Folds => ({ closed: [], older: [], archived: [], routines: [] }), {
    name: 'deepdesk:list',
    version: 1,
  }),
);

/** Adds a project to one of the lists, or removes it; without `on`, toggles it. */
export function setFold(which: keyof Folds, id: ProjectId | RoutineId, on?: boolean): void {
  useFolds.setState((folds) => {
    const rest = (folds[which] as readonly string[]).filter((one) => one !== id);
    const is = rest.length < folds[which].length;
    return { [which]: (on ?? !is) ? [...rest, id] : rest };
  });
}
