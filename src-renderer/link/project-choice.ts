import type { ProjectId } from '@contract/ids';
import { useState } from 'react';
import { useApp } from './hooks';

/**
 * The project that a page is about where it could be any: the one chosen, else the first of the list; undefined where
 * there is none. With the options and the value of a choice of another.
 */
export function useProjectChoice(first: ProjectId | null = null) {
  const projects = useApp((app) => app.projects);
  const [chosen, setChosen] = useState(first);
  return {
    project: projects.find(({ id }) => id === chosen) ?? projects[0],
    options: projects.map(({ id, name }) => ({ value: id, label: name })),
    choose: (id: ProjectId) => setChosen(id),
  };
}
