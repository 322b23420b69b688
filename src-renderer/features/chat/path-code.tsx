import type { ProjectId } from '@contract/ids';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { call, openFile } from '../../link';
import { chosenFile, fileReference, withinProject } from './file-reference';

/** The project whose files a text names. */
export const PathProject = createContext<{ projectId: ProjectId; mount: string } | null>(null);

/** Files of projects by the name that a text used; a file that was not found is searched again. */
const found = new Map<string, string>();
const KEPT = 2_000;
const LOOKED_AT = 30;

/** Milliseconds between two searches while the folder is being listed. */
const AGAIN = 300;

/**
 * The path of the project's file with this name, once known. An answer often names a file that was just written, so the search
 * waits for the listing that has it.
 */
function useProjectFile(projectId: ProjectId | undefined, name: string | undefined): string | undefined {
  const key = `${projectId} ${name}`;
  const [, redraw] = useState(0);
  useEffect(() => {
    if (projectId === undefined || name === undefined || found.has(key)) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const result = await call('files.find', { projectId, query: name, limit: LOOKED_AT }, stop.signal);
      if (!result.ok) return;
      const { matches, listing } = result.value;
      const file = chosenFile(
        matches.map((match) => match.name),
        name,
      );
      if (file === null) {
        if (listing && !stop.signal.aborted) timer = setTimeout(() => void look(), AGAIN);
        return;
      }
      if (found.size >= KEPT) found.clear();
      found.set(key, file);
      if (!stop.signal.aborted) redraw((count) => count + 1);
    };
    void look();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [projectId, name, key]);
  return found.get(key);
}

/** Code or a link in an answer: opens the viewer if it names a file of the project. */
export const PathCode = ({
  text,
  children = <code>{text}</code>,
}: {
  text: string;
  children?: ReactNode;
}) => {
  const project = use(PathProject);
  const reference = project === null ? null : fileReference(text);
  const name = reference && project ? withinProject(reference.path, project.mount) : undefined;
  const file = useProjectFile(project?.projectId, name);
  if (project === null || reference === null || file === undefined) return children;
  return (
    <button
      type="button"
      title={file}
      onClick={() => openFile(`${project.mount}/${file}`, reference.line)}
      className="inline cursor-pointer rounded-mark text-left wrap-anywhere text-accent hover:underline"
    >
      {children}
    </button>
  );
};
