import type { MemoryEntry } from '@contract/app';
import type { MemoryFilter } from '@contract/commands/memories';
import type { ProjectId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import { useCallback, useEffect, useRef, useState } from 'react';
import { create } from 'zustand';
import { call, onHostEvent, toast, useApp } from '../../link';
import { type EditorAction, type MemoryText, type OpenMemory, pathOf, reduceEditor } from './editor';
import { keepDraft, keptDraft } from './kept-draft';
import { isShared } from './written-by';

export type MemoryList =
  | { phase: 'loading' }
  | { phase: 'listed'; memories: readonly MemoryEntry[]; total: number }
  | { phase: 'failed'; error: ErrorInWords };

/** Memories per request. */
const PAGE = 100;

/** The memories that match the filter, last changed first, kept up to date by events; `more` adds the next page. */
export function useMemoryList(
  filter: MemoryFilter,
  projectId: ProjectId | null,
): { list: MemoryList; reload(): void; more(): void; forget(path: string): void } {
  const [list, setList] = useState<MemoryList>({ phase: 'loading' });
  const running = useRef(new AbortController());
  const isAdding = useRef(false);
  const name = JSON.stringify(filter);
  /** Requests as many as before, so that the scroll position stays. */
  const shown = useRef(PAGE);

  const reload = useCallback(() => {
    running.current.abort();
    const controller = new AbortController();
    running.current = controller;
    isAdding.current = false;
    const limit = Math.min(Math.max(PAGE, shown.current), 500);
    const asked = { filter: JSON.parse(name) as MemoryFilter, projectId, offset: 0, limit };
    void call('memories.find', asked, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      if (result.ok) setList({ phase: 'listed', ...result.value });
      else setList({ phase: 'failed', error: result.error });
    });
  }, [name, projectId]);

  const more = () => {
    if (list.phase !== 'listed' || isAdding.current || list.memories.length >= list.total) return;
    isAdding.current = true;
    const { signal } = running.current;
    const offset = list.memories.length;
    void call('memories.find', { filter, projectId, offset, limit: PAGE }, signal).then((result) => {
      if (signal.aborted) return;
      isAdding.current = false;
      if (!result.ok) {
        toast(result.error.message);
        return;
      }
      const { memories, total } = result.value;
      shown.current = offset + memories.length;
      const known = new Set(list.memories.map(({ path }) => path));
      setList({
        phase: 'listed',
        memories: [...list.memories, ...memories.filter(({ path }) => !known.has(path))],
        total: memories.length === 0 ? offset : total,
      });
    });
  };

  useEffect(() => {
    shown.current = PAGE;
    reload();
    const stop = onHostEvent('memories.changed', reload);
    return () => {
      stop();
      running.current.abort();
    };
  }, [reload]);
  /** Takes a deleted memory out at once: a row that goes only after it got the focus would take the focus with it. */
  const forget = (path: string) =>
    setList((before) => {
      if (before.phase !== 'listed') return before;
      const memories = before.memories.filter((one) => one.path !== path);
      return { ...before, memories, total: before.total - before.memories.length + memories.length };
    });
  return { list, reload, more, forget };
}

/**
 * Stored outside of the panel, which unmounts when the tab changes or the window gets narrow: a draft must survive that, and
 * a restart too.
 */
export const useOpenMemory = create<OpenMemory>()(
  () => keptDraft() ?? { editor: { phase: 'closed' }, projectId: null },
);
useOpenMemory.subscribe(keepDraft);

const projectOfOpen = () => useOpenMemory.getState().projectId;

const dispatch = (action: EditorAction) =>
  useOpenMemory.setState(({ editor }) => ({ editor: reduceEditor(editor, action) }));

/** The open memory: reads, edits and saves it, and handles writes by the agent. */
export function useEditor(projectId: ProjectId | null) {
  const editor = useOpenMemory((state) => state.editor);
  const openedIn = useOpenMemory((state) => state.projectId);
  // A private copy has the memories of its project.
  const copyOf = useApp((app) => app.projects.find(({ id }) => id === openedIn)?.copy?.of);
  const own = copyOf ?? openedIn ?? undefined;

  const load = useCallback(async (path: string) => {
    const result = await call('memories.read', { path, projectId: projectOfOpen() });
    if (result.ok) dispatch({ type: 'loaded', open: result.value });
    else if (result.error.kind === 'not_found') dispatch({ type: 'deletedOutside', path });
    else dispatch({ type: 'failed', path, error: result.error });
  }, []);

  // A memory of another project is left; a draft stays.
  useEffect(() => {
    const { editor: left, projectId: old } = useOpenMemory.getState();
    if (old === projectId || left.phase === 'editing' || left.phase === 'conflict') return;
    if (!isShared(pathOf(left) ?? '')) dispatch({ type: 'closed' });
    useOpenMemory.setState({ projectId });
  }, [projectId]);

  useEffect(() => {
    // The memory that was open when the panel unmounted may have changed since.
    const left = useOpenMemory.getState().editor;
    if (left.phase === 'reading' || left.phase === 'loading') void load(pathOf(left) ?? '');
    return onHostEvent('memories.changed', ({ paths, projectId: owner }) => {
      const { editor: now } = useOpenMemory.getState();
      const path = pathOf(now);
      if (path === undefined || !paths.includes(path)) return;
      if (!isShared(path) && owner !== own) return;
      if (now.phase === 'editing') dispatch({ type: 'changedOutside', path });
      else void load(path);
    });
  }, [load, own]);

  const open = useCallback(
    (path: string) => {
      useOpenMemory.setState({ projectId });
      dispatch({ type: 'opened', path });
      void load(path);
    },
    [load, projectId],
  );

  const create = () => {
    useOpenMemory.setState({ projectId });
    dispatch({ type: 'createStarted', path: projectId === null ? 'shared/' : '' });
  };

  /** Saves the draft to `path`. Shows what others saved in between instead of overwriting it. */
  const save = async (draft: { path: string; text: string; base: MemoryText | null }) => {
    const { path, text, base } = draft;
    dispatch({ type: 'saveStarted' });
    const result = await call('memories.write', {
      path,
      text,
      expectedUpdatedAt: base?.memory.updatedAt ?? null,
      projectId: projectOfOpen(),
    });
    if (result.ok) {
      dispatch({ type: 'saved', open: { memory: result.value.memory, text } });
      return;
    }
    const { kind } = result.error;
    if (kind === 'stale' || kind === 'conflict' || (kind === 'not_found' && base !== null)) {
      const theirs = await call('memories.read', { path, projectId: projectOfOpen() });
      if (theirs.ok) dispatch({ type: 'conflictFound', theirs: theirs.value });
      else if (theirs.error.kind === 'not_found') dispatch({ type: 'conflictFound', theirs: null });
      else dispatch({ type: 'saveFailed', error: theirs.error });
      return;
    }
    dispatch({ type: 'saveFailed', error: result.error });
  };

  return { editor, dispatch, open, create, save };
}
