import type { Project } from '@contract/app';
import { ProjectId } from '@contract/ids';

/** The projects that have a place or an agent, as a choice: all of them. */
export const ALL_PROJECTS = 'all';

/** The project that was chosen; null: all. A project that was removed stays chosen, or saving would give the entry to all. */
export const projectOf = (scope: string): ProjectId | null =>
  scope === ALL_PROJECTS ? null : ProjectId.parse(scope);

/** What can be chosen, with `scope`. */
export function scopeOptions(
  projects: readonly Project[],
  scope: string,
  words: { all: string; removed: string },
): { value: string; label: string }[] {
  const options = [
    { value: ALL_PROJECTS, label: words.all },
    ...projects.map(({ id, name }) => ({ value: id as string, label: name })),
  ];
  const isKnown = options.some(({ value }) => value === scope);
  return isKnown ? options : [...options, { value: scope, label: words.removed }];
}
