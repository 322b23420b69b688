import type { FileEntry, Project } from '@contract/app';
import type { ProjectId, ThreadId } from '@contract/ids';
import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'react';
import { call, onHostEvent } from '../../../link';
import { keptTree } from './kept-tree';
import { emptyTree, isWithin, type Root, reduceTree, rowsOf, staleListings, type Tree } from './tree';

/**
 * The tree of one project and thread. Directories are listed as they are opened, and events of the main process keep them up
 * to date.
 */
export function useTree(
  { id: projectId, missing }: Pick<Project, 'id' | 'missing'>,
  threadId: ThreadId | null,
  roots: readonly Root[],
) {
  const [tree, dispatch] = useReducer(
    reduceTree,
    projectId,
    (id) => keptTree(id)?.tree ?? emptyTree(remembered(id, roots)),
  );
  const current = useRef<Tree>(tree);
  const running = useRef(new Map<string, AbortController>());
  // Before an event can arrive: it asks the tree that is on the screen what to list again.
  useLayoutEffect(() => {
    current.current = tree;
  }, [tree]);

  /**
   * Lists a directory from `offset`, and from its start at least as much as is shown of it now. A later call for the same
   * directory replaces an earlier one.
   */
  const list = useCallback(
    async (path: string, offset: number) => {
      running.current.get(path)?.abort();
      const controller = new AbortController();
      running.current.set(path, controller);
      const known = current.current.listings.get(path);
      const shown = offset === 0 && known?.phase === 'listed' ? known.entries.length : 0;
      const entries: FileEntry[] = [];
      const page = (from: number) =>
        call('files.list', { projectId, threadId, path, offset: from }, controller.signal);
      let result = await page(offset);
      while (result.ok && !controller.signal.aborted) {
        entries.push(...result.value.entries);
        const { nextOffset } = result.value;
        if (nextOffset === null || entries.length >= shown) break;
        result = await page(nextOffset);
      }
      if (controller.signal.aborted) return;
      running.current.delete(path);
      if (result.ok) dispatch({ type: 'listed', path, offset, ...result.value, entries });
      else if (result.error.kind === 'not_found' && !roots.some((root) => root.path === path))
        dispatch({ type: 'forgotten', paths: [path] });
      else dispatch({ type: 'failed', path, error: result.error });
    },
    [projectId, threadId, roots],
  );

  const refresh = useCallback(
    (isChanged: (directory: string) => boolean) => {
      const { relist, forget } = staleListings(current.current, isChanged);
      if (forget.length > 0) dispatch({ type: 'forgotten', paths: forget });
      for (const path of relist) void list(path, 0);
    },
    [list],
  );

  // Open directories are listed when the tree appears and when the thread changes.
  useEffect(() => {
    for (const path of current.current.expanded) void list(path, 0);
    const calls = running.current;
    return () => {
      for (const controller of calls.values()) controller.abort();
      calls.clear();
    };
  }, [list]);

  useTreeEvents(projectId, threadId, roots, refresh);

  // While the folder is missing no events arrive; once it is back, all open directories are listed again.
  const wasMissing = useRef(missing);
  useEffect(() => {
    const isBack = wasMissing.current && !missing;
    wasMissing.current = missing;
    if (isBack) refresh(() => true);
  }, [missing, refresh]);

  const expand = useCallback(
    (path: string) => {
      dispatch({ type: 'expanded', path });
      if (current.current.listings.get(path)?.phase !== 'listed') void list(path, 0);
    },
    [list],
  );
  const collapse = useCallback((path: string) => dispatch({ type: 'collapsed', path }), []);
  useEffect(() => remember(projectId, tree.expanded), [projectId, tree.expanded]);

  const rows = useMemo(() => {
    const all = rowsOf(tree, roots);
    const project = roots.find((root) => root.kind === 'project');
    if (!missing || project === undefined) return all;
    // A notice above the tree says that the folder is missing; its contents cannot be opened.
    return all.filter((row) => row.kind === 'root' || !isWithin(row.path, project.path));
  }, [tree, roots, missing]);
  return { tree, rows, expand, collapse, list };
}

/** Lists again what events of the main process say has changed. */
function useTreeEvents(
  projectId: ProjectId,
  threadId: ThreadId | null,
  roots: readonly Root[],
  refresh: (isChanged: (directory: string) => boolean) => void,
): void {
  useEffect(() => {
    const project = roots.find((root) => root.kind === 'project');
    const isProject = (path: string) => project !== undefined && isWithin(path, project.path);
    const isMemory = (path: string) => isWithin(path, '/memories');
    const isPlace = (path: string) =>
      roots.some((root) => root.kind === 'place' && isWithin(path, root.path));
    const undo = [
      // Places are not watched: only the agent's own changes are known.
      onHostEvent('changes.recorded', (event) => {
        if (event.projectId === projectId) refresh(isPlace);
      }),
      onHostEvent('files.changed', (event) => {
        if (event.projectId !== projectId) return;
        const named = new Set(event.directories);
        refresh((path) =>
          event.all ? isProject(path) : named.has(path) && (isProject(path) || isPlace(path)),
        );
      }),
      onHostEvent('scratch.changed', (event) => {
        if (event.threadId === threadId)
          refresh((path) => !isProject(path) && !isMemory(path) && !isPlace(path));
      }),
      onHostEvent('memories.changed', () => refresh(isMemory)),
    ];
    return () => {
      for (const stop of undo) stop();
    };
  }, [projectId, threadId, roots, refresh]);
}

const keyOf = (projectId: ProjectId) => `deepdesk.tree.${projectId}`;
/** How many open directories are remembered; with more, the first load of a big tree would be slow. */
const REMEMBERED = 200;

/** The directories that were open last time; initially the project folder. */
function remembered(projectId: ProjectId, roots: readonly Root[]): string[] {
  const first = roots.filter((root) => root.kind === 'project').map((root) => root.path);
  const stored = localStorage.getItem(keyOf(projectId));
  if (stored === null) return first;
  try {
    const paths: unknown = JSON.parse(stored);
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : first;
  } catch {
    // This is only view state, so an unreadable value counts as missing.
    return first;
  }
}

function remember(projectId: ProjectId, expanded: ReadonlySet<string>): void {
  localStorage.setItem(keyOf(projectId), JSON.stringify([...expanded].slice(-REMEMBERED)));
}
