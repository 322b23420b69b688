import type { Project } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import { type Ref, useId, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../../i18n';
import { VirtualList } from '../../../ui';
import { moveUnsaved } from '../unsaved';
import { type FileActions, useFileActions } from '../use-file-actions';
import { FileMenu, type MenuPlace } from './file-menu';
import { keepTree, keptTree } from './kept-tree';
import { isWithin, parentOf, type Root, type Row, withNaming } from './tree';
import { TreeRow } from './tree-row';
import { useIgnored } from './use-ignored';
import { useMarks } from './use-marks';
import { useNaming, useShowNaming } from './use-naming';
import { useReveal } from './use-reveal';
import { useTree } from './use-tree';
import { useTreeDrag } from './use-tree-drag';
import { type TreeFocus, useTreeFocus } from './use-tree-focus';
import { useTreeKeys } from './use-tree-keys';

/** Height in pixels. */
const ROW = 28;

export interface TreeHandle {
  /** Prompts for the name of a new item in the focused folder. */
  create(what: 'file' | 'directory'): void;
}

interface FileTreeProps {
  handle?: Ref<TreeHandle>;
  project: Project;
  threadId: ThreadId | null;
  roots: readonly Root[];
  openPath: string | undefined;
  onOpenFile(path: string): void;
  /** A file or folder has another path now. */
  onMoved(from: string, to: string): void;
}

/** The tree: arrow keys, type-ahead, Enter, F2 and Delete, a menu for each row, and dragging in, out and within. */
export function FileTree({ handle, project, threadId, roots, openPath, onOpenFile, onMoved }: FileTreeProps) {
  const t = useT();
  const tree = useTree(project, threadId, roots);
  const { expand, collapse, list } = tree;
  const actions = useFileActions(project, roots);
  const naming = useNaming(expand);
  const id = useId();
  const rows = useMemo(() => withNaming(tree.rows, naming.naming), [tree.rows, naming.naming]);
  const focus = useTreePlace(project, tree, { rows, roots, openPath });
  const { focused, focusTree, setFocusedKey, setHasKeyboard } = focus;
  const follow = followMove(project, onMoved);
  const drag = useTreeDrag(project, actions, follow);

  const toggle = (path: string, expanded: boolean) => (expanded ? collapse(path) : expand(path));
  const activate = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    setFocusedKey(row.key);
    activateRow(row, { toggle, list, onOpenFile });
  };

  useImperativeHandle(handle, () => ({
    create: (what) => naming.create(drag.folderOf(rows[focused]) ?? project.mount, what),
  }));
  useShowNaming(rows, focus.list);

  const menu = useTreeMenu(rows, focus, id);
  const onKeyDown = useTreeKeys({
    rows,
    rowHeight: ROW,
    tree: focus,
    actions,
    onMenu: menu.openByKey,
    onRename: naming.rename,
    onActivate: activate,
    onToggle: toggle,
  });
  const finishNaming = createFinishNaming({ naming, actions, focus, follow, list, onOpenFile, roots });
  const stopNaming = () => {
    naming.stop();
    focusTree();
  };
  const lookOf = useRowLook(project, tree.rows, { target: drag.target, renaming: naming.renaming, openPath });

  return (
    <>
      <VirtualList
        handle={focus.list}
        items={rows}
        itemKey={(row) => row.key}
        rowHeight={ROW}
        startAt={focus.top}
        role="tree"
        aria-label={t('files.tree')}
        aria-activedescendant={`${id}-${focused}`}
        tabIndex={0}
        data-rows
        className="py-1 outline-none"
        onKeyDown={onKeyDown}
        onMouseDown={() => setHasKeyboard(false)}
        onFocus={(event) => setHasKeyboard(event.currentTarget.matches(':focus-visible'))}
        onBlur={() => setHasKeyboard(false)}
        onDragOver={(event) => drag.onDragOver(event, rows[0])}
        onDragLeave={drag.onDragLeave}
        onDrop={(event) => drag.onDrop(event, rows[0])}
      >
        {(row, index) => (
          <TreeRow
            row={row}
            id={`${id}-${index}`}
            isFocused={index === focused}
            hasKeyboard={focus.hasKeyboard}
            {...lookOf(row)}
            canDrag={row.kind === 'entry' && actions.isOwn(row.path)}
            onActivate={() => activate(index)}
            onRetry={() => activate(index)}
            onMenu={(event) => {
              event.preventDefault();
              menu.open(index, event.clientX, event.clientY);
            }}
            onDragStart={(event) => drag.onDragStart(event, row)}
            onDragOver={(event) => drag.onDragOver(event, row)}
            onDrop={(event) => drag.onDrop(event, row)}
            onName={(name) => finishNaming(row, name)}
            onCancelName={stopNaming}
          />
        )}
      </VirtualList>
      {menu.place && (
        <FileMenu
          place={menu.place}
          actions={actions}
          onRename={naming.setRenaming}
          onCreate={naming.create}
          onClose={menu.close}
        />
      )}
    </>
  );
}

interface TreePlace {
  rows: readonly Row[];
  roots: readonly Root[];
  openPath: string | undefined;
}

/** The focused row. Continues where the tree was left, shows the row of a file that was opened since, and keeps all that. */
function useTreePlace(
  { id }: Project,
  { tree, expand }: ReturnType<typeof useTree>,
  { rows, roots, openPath }: TreePlace,
): TreeFocus & { top: number | undefined } {
  const [before] = useState(() => keptTree(id));
  const focus = useTreeFocus(rows, before?.focusedKey);
  const { list, focusedKey } = focus;
  useReveal(openPath, rows, roots, expand, focus.focus, before?.openPath);
  const latest = useRef({ tree, focusedKey, openPath });
  latest.current = { tree, focusedKey, openPath };
  useLayoutEffect(
    () => () => keepTree(id, { ...latest.current, top: list.current?.element?.scrollTop ?? 0 }),
    [id, list],
  );
  return { ...focus, top: before?.top };
}

interface Activating {
  toggle(path: string, expanded: boolean): void;
  list(path: string, offset: number): Promise<void>;
  onOpenFile(path: string): void;
}

/** Opens a file, opens or closes a folder, or lists what is missing. */
function activateRow(row: Row, { toggle, list, onOpenFile }: Activating): void {
  if (row.kind === 'root') toggle(row.path, row.expanded);
  else if (row.kind === 'more') void list(row.path, row.offset);
  else if (row.kind === 'failed') void list(row.path, 0);
  else if (row.kind === 'entry' && row.entry.kind === 'directory') toggle(row.path, row.expanded);
  else if (row.kind === 'entry') onOpenFile(row.path);
}

/** The menu of a row, at the pointer or at the focused row. `id`: the prefix of the rows' ids. */
function useTreeMenu(rows: readonly Row[], { focused, setFocusedKey, focusTree }: TreeFocus, id: string) {
  const [place, setPlace] = useState<MenuPlace>();
  const open = (index: number, x: number, y: number) => {
    const row = rows[index];
    if (row?.kind !== 'entry' && row?.kind !== 'root') return;
    setFocusedKey(row.key);
    const kind = row.kind === 'root' ? 'root' : row.entry.kind === 'directory' ? 'directory' : 'file';
    if (row.kind === 'root' && row.root.changes === undefined) return;
    setPlace({ path: row.path, kind, x, y });
  };
  return {
    place,
    open,
    openByKey: () => {
      const box = document.getElementById(`${id}-${focused}`)?.getBoundingClientRect();
      if (box) open(focused, box.left + 24, box.bottom);
    },
    close: () => {
      setPlace(undefined);
      focusTree();
    },
  };
}

interface FinishOptions {
  naming: ReturnType<typeof useNaming>;
  actions: FileActions;
  focus: TreeFocus;
  follow(from: string, to: string): void;
  list(path: string, offset: number): Promise<void>;
  onOpenFile(path: string): void;
  roots: readonly Root[];
}

/** Applies the name of a new or renamed row. Returns the error, if any. */
function createFinishNaming({ naming, actions, focus, follow, list, onOpenFile, roots }: FinishOptions) {
  return async (row: Row, name: string) => {
    const isNew = row.kind === 'naming';
    const failed = isNew
      ? await actions.create(row.path, name, row.what)
      : await actions.rename(row.path, name, follow);
    if (failed) return failed;
    const folder = isNew ? row.path : parentOf(row.path);
    naming.stop();
    const root = roots.find(({ changes, path }) => changes !== undefined && isWithin(folder, path));
    focus.setFocusedKey(`${root?.kind ?? 'project'}:${folder}/${name}`);
    focus.focusTree();
    // The watcher reports it too, but later.
    void list(folder, 0);
    if (isNew && row.what === 'file') onOpenFile(`${folder}/${name}`);
    return undefined;
  };
}

/** How a row looks: open, marked by git, ignored, being renamed, or the drop target. */
function useRowLook(
  project: Project,
  rows: readonly Row[],
  { target, renaming, openPath }: Record<'target' | 'renaming' | 'openPath', string | undefined>,
) {
  const marks = useMarks(project.id);
  const isIgnored = useIgnored(project.id, project.mount, rows);
  return (row: Row) => {
    const entry = row.kind === 'entry' ? row : undefined;
    const isOpenFolder = entry?.expanded === true && entry.entry.kind === 'directory';
    return {
      isOpenFile: entry !== undefined && entry.path === openPath,
      mark: entry === undefined || isOpenFolder ? undefined : marks.get(entry.path),
      isIgnored: entry !== undefined && isIgnored(entry.path),
      isTarget: target !== undefined && (row.kind === 'root' || row.kind === 'entry') && row.path === target,
      isRenaming: entry !== undefined && entry.path === renaming,
    };
  };
}

/** Unsaved text moves along with its file. */
const followMove =
  ({ id }: Project, onMoved: FileTreeProps['onMoved']) =>
  (from: string, to: string) => {
    moveUnsaved(id, from, to);
    onMoved(from, to);
  };
