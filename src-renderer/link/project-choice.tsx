import type { ProjectId } from '@contract/ids';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useApp } from './hooks';

interface Chosen {
  id: ProjectId | null;
  choose(id: ProjectId): void;
}

const Choice = createContext<Chosen | null>(null);

/** Pages that are about one project at a time: what is chosen on one of them holds for all. It begins at `first`. */
export const ProjectChoice = ({ first, children }: { first: ProjectId | null; children: ReactNode }) => {
  const [chosen, choose] = useState<ProjectId>();
  return <Choice value={{ id: chosen ?? first, choose }}>{children}</Choice>;
};

/**
 * The project that a page is about where it could be any: the one chosen, else the first of the list; undefined where
 * there is none. With the options and the value of a choice of another.
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
