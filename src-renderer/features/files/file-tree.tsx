import type { Project } from '@contract/app';
import type { ThreadId } from '@contract/ids';
import {
  type DragEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useT } from '../../i18n';
import { VirtualList, type VirtualListHandle } from '../../ui';
import { FileMenu, type MenuPlace } from './file-menu';
import { isWithin, parentOf, type Root, type Row, withNaming } from './tree';
import { findTyped, treeKey } from './tree-keys';
import { TreeRow } from './tree-row';
import { readUnsaved, writeUnsaved } from './unsaved';
import { mention, useFileActions } from './use-file-actions';
import { useIgnored } from './use-ignored';
import { useMarks } from './use-marks';
import { useReveal } from './use-reveal';
import { useTree } from './use-tree';

/** Pixels. */
const ROW = 28;
/** Milliseconds after which the next typed character begins another name. */
const TYPED_FOR = 700;
/** What a drag within the window carries: the path. */
const DRAGGED = 'application/x-deepdesk-path';

export interface TreeHandle {
  /** Asks for the name of something new in the folder that has the focus. */
  create(what: 'file' | 'directory'): void;
}

interface FileTreeProps {
  handle?: Ref<TreeHandle>;
  project: Project;
  threadId: ThreadId | null;
  roots: readonly Root[];
  openPath: string | undefined;
  onOpenFile(path: string): void;
}

/** The tree itself: arrows, type-ahead, Enter, F2 and Delete, a menu for each line, and dragging in, out and within. */
export function FileTree({ handle, project, threadId, roots, openPath, onOpenFile }: FileTreeProps) {
  const t = useT();
  const tree = useTree(project, threadId, roots);
  const { expand, collapse, list } = tree;
  const actions = useFileActions(project);
  const marks = useMarks(project.id);
  const isIgnored = useIgnored(project.id, project.mount, tree.rows);
  const [naming, setNaming] = useState<{ path: string; what: 'file' | 'directory' } | null>(null);
  const [renaming, setRenaming] = useState<string>();
  const [menu, setMenu] = useState<MenuPlace>();
  const [target, setTarget] = useState<string>();
  const [focusedKey, setFocusedKey] = useState<string>();
  const [hasKeyboard, setHasKeyboard] = useState(false);
  const listHandle = useRef<VirtualListHandle>(null);
  const typed = useRef({ text: '', at: 0 });
  const id = useId();
  const rows = useMemo(() => withNaming(tree.rows, naming), [tree.rows, naming]);
  // A line that is gone (its directory was closed) leaves the focus on the first one.
  const focused = Math.max(
    0,
    rows.findIndex((row) => row.key === focusedKey),
  );

  const focusTree = () => listHandle.current?.element?.focus({ preventScroll: true });
  const focus = (index: number) => {
    setFocusedKey(rows[index]?.key);
    listHandle.current?.scrollToIndex(index);
  };
  const toggle = (path: string, expanded: boolean) => (expanded ? collapse(path) : expand(path));
  const activate = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    setFocusedKey(row.key);
    if (row.kind === 'root') toggle(row.path, row.expanded);
    else if (row.kind === 'more') void list(row.path, row.offset);
    else if (row.kind === 'failed') void list(row.path, 0);
    else if (row.kind === 'entry' && row.entry.kind === 'directory') toggle(row.path, row.expanded);
    else if (row.kind === 'entry') onOpenFile(row.path);
  };

  const opened = useRef(openPath);
  opened.current = openPath;
  /** What is open stays open when it, or a folder that it is in, is somewhere else. */
  const follow = (from: string, to: string) => {
    const { current } = opened;
    if (current === undefined || !isWithin(current, from)) return;
    const path = to + current.slice(from.length);
    // What was typed and not saved goes along.
    const unsaved = readUnsaved(project.id, current);
    if (unsaved !== undefined) writeUnsaved(project.id, path, unsaved);
    onOpenFile(path);
  };

  useReveal(openPath, rows, roots, expand, (index) => {
    setFocusedKey(rows[index]?.key);
    listHandle.current?.scrollToIndex(index);
  });

  const startNaming = (path: string, what: 'file' | 'directory') => {
    setRenaming(undefined);
    expand(path);
    setNaming({ path, what });
  };
  useImperativeHandle(handle, () => ({
    create: (what) => startNaming(folderOf(rows[focused]) ?? project.mount, what),
  }));
  // The new line may lie below what is seen.
  const namingAt = naming === null ? -1 : rows.findIndex((row) => row.kind === 'naming');
  useEffect(() => {
    if (namingAt >= 0) listHandle.current?.scrollToIndex(namingAt);
  }, [namingAt]);

  const openMenu = (index: number, x: number, y: number) => {
    const row = rows[index];
    if (row?.kind !== 'entry' && row?.kind !== 'root') return;
    setFocusedKey(row.key);
    const kind = row.kind === 'root' ? 'root' : row.entry.kind === 'directory' ? 'directory' : 'file';
    if (row.kind === 'root' && row.root.kind !== 'project') return;
    setMenu({ path: row.path, kind, x, y });
  };
  const openMenuByKey = () => {
    const box = document.getElementById(`${id}-${focused}`)?.getBoundingClientRect();
    if (box) openMenu(focused, box.left + 24, box.bottom);
  };

  /** The folder that what is dropped on a line goes into; undefined where nothing can be dropped. */
  const folderOf = (row: Row | undefined): string | undefined => {
    if (row === undefined) return undefined;
    const isFolder = row.kind === 'root' || (row.kind === 'entry' && row.entry.kind === 'directory');
    const folder = isFolder || row.kind !== 'entry' ? row.path : parentOf(row.path);
    return folder === project.mount || actions.isOwn(folder) ? folder : undefined;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[focused];
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault();
      openMenuByKey();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    setHasKeyboard(true);
    if (row?.kind === 'entry' && actions.isOwn(row.path)) {
      if (event.key === 'F2') {
        event.preventDefault();
        setNaming(null);
        setRenaming(row.path);
        return;
      }
      if (event.key === 'Delete') {
        event.preventDefault();
        setFocusedKey((rows[focused + 1] ?? rows[focused - 1])?.key);
        void actions.trash(row.path);
        return;
      }
    }
    const isTyping = event.timeStamp - typed.current.at < TYPED_FOR && typed.current.text !== '';
    if (event.key.length === 1 && (event.key !== ' ' || isTyping)) {
      typed.current = { text: isTyping ? typed.current.text + event.key : event.key, at: event.timeStamp };
      const found = findTyped(rows, focused, typed.current.text);
      if (found !== undefined) focus(found);
      event.preventDefault();
      return;
    }
    const screenful = Math.max(1, Math.floor((listHandle.current?.element?.clientHeight ?? ROW) / ROW) - 1);
    const effect = treeKey(rows, focused, event.key, screenful);
    if (effect.do === 'nothing') return;
    event.preventDefault();
    const affected = rows[effect.index];
    if (effect.do === 'focus') focus(effect.index);
    else if (effect.do === 'activate') activate(effect.index);
    else if (affected) toggle(affected.path, effect.do === 'collapse');
  };

  const onDragStart = (event: DragEvent, row: Row) => {
    if (row.kind !== 'entry' || !actions.isOwn(row.path)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      // The system's own drag: other programs get the file, and here it is a copy.
      event.preventDefault();
      void actions.dragOut(row.path);
      return;
    }
    event.dataTransfer.setData(DRAGGED, row.path);
    event.dataTransfer.setData('text/plain', `${mention(row.path.slice(project.mount.length + 1))} `);
    event.dataTransfer.effectAllowed = 'copyMove';
  };
  const onDragOver = (event: DragEvent, row: Row | undefined) => {
    const { types } = event.dataTransfer;
    const isOurs = types.includes(DRAGGED);
    const folder = folderOf(row);
    if (!isOurs && !types.includes('Files')) return;
    // A folder on the rest of the window would be opened as a project.
    event.stopPropagation();
    event.preventDefault();
    event.dataTransfer.dropEffect = folder === undefined ? 'none' : isOurs ? 'move' : 'copy';
    setTarget(folder);
  };
  const onDrop = (event: DragEvent, row: Row | undefined) => {
    const folder = folderOf(row);
    setTarget(undefined);
    event.stopPropagation();
    event.preventDefault();
    if (folder === undefined) return;
    const path = event.dataTransfer.getData(DRAGGED);
    if (path !== '') void actions.move(path, folder, follow);
    else void actions.put(event.dataTransfer, folder);
  };

  return (
    <>
      <VirtualList
        handle={listHandle}
        items={rows}
        itemKey={(row) => row.key}
        rowHeight={ROW}
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
        onDragOver={(event) => onDragOver(event, rows[0])}
        onDragLeave={() => setTarget(undefined)}
        onDrop={(event) => onDrop(event, rows[0])}
      >
        {(row, index) => (
          <TreeRow
            row={row}
            id={`${id}-${index}`}
            isFocused={index === focused}
            hasKeyboard={hasKeyboard}
            isOpenFile={row.kind === 'entry' && row.path === openPath}
            mark={
              row.kind === 'entry' && !(row.expanded && row.entry.kind === 'directory')
                ? marks.get(row.path)
                : undefined
            }
            isIgnored={row.kind === 'entry' && isIgnored(row.path)}
            isTarget={
              target !== undefined && (row.kind === 'root' || row.kind === 'entry') && row.path === target
            }
            isRenaming={row.kind === 'entry' && row.path === renaming}
            canDrag={row.kind === 'entry' && actions.isOwn(row.path)}
            onActivate={() => activate(index)}
            onRetry={() => activate(index)}
            onMenu={(event) => {
              event.preventDefault();
              openMenu(index, event.clientX, event.clientY);
            }}
            onDragStart={(event) => onDragStart(event, row)}
            onDragOver={(event) => onDragOver(event, row)}
            onDrop={(event) => onDrop(event, row)}
            onName={async (name) => {
              const failed =
                row.kind === 'naming'
                  ? await actions.create(row.path, name, row.what)
                  : await actions.rename(row.path, name);
              if (failed) return failed;
              const folder = row.kind === 'naming' ? row.path : parentOf(row.path);
              setNaming(null);
              setRenaming(undefined);
              if (row.kind === 'entry') follow(row.path, `${folder}/${name}`);
              setFocusedKey(`project:${folder}/${name}`);
              focusTree();
              // The watcher tells of it too; it is here before that.
              void list(folder, 0);
              if (row.kind === 'naming' && row.what === 'file') onOpenFile(`${folder}/${name}`);
              return undefined;
            }}
            onCancelName={() => {
              setNaming(null);
              setRenaming(undefined);
              focusTree();
            }}
          />
        )}
      </VirtualList>
      {menu && (
        <FileMenu
          place={menu}
          actions={actions}
          onRename={(path) => setRenaming(path)}
          onCreate={startNaming}
          onClose={() => {
            setMenu(undefined);
            focusTree();
          }}
        />
      )}
    </>
  );
}
