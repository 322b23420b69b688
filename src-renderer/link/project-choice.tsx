import type { ProjectId } from '@contract/ids';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useApp } from './hooks';

interface Chosen {
  id: ProjectId | null;
  choose(id: ProjectId): void;
}

const Choice = createContext<Chosen | null>(null);

/** For pages about one project at a time: a choice on one of them applies to all. Starts at `first`. */
export const ProjectChoice = ({ first, children }: { first: ProjectId | null; children: ReactNode }) => {
  const [chosen, choose] = useState<ProjectId>();
  return <Choice value={{ id: chosen ?? first, choose }}>{children}</Choice>;
};

/**
 * The project of a page that could be about any: the chosen one, else the first in the list, or undefined if there is none.
 * Includes the options and value of a control to choose another.
 */
export function useProjectChoice() {
  const projects = useApp((app) => app.projects);
  const choice = useContext(Choice);
  if (choice === null) throw new Error('useProjectChoice is used outside of ProjectChoice');
  return {
    project: projects.find(({ id }) => id === choice.id) ?? projects[0],
    options: projects.map(({ id, name }) => ({ value: id, label: name })),
    choose: choice.choose,
  };
}
