import type { Project } from '@contract/app';
import type { ProjectId, ThreadId } from '@contract/ids';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { useApp } from '../../link';
import { ErrorNote, VirtualList, type VirtualListHandle } from '../../ui';
import type { Root } from './tree';
import { findTyped, treeKey } from './tree-keys';
import { TreeRow } from './tree-row';
import { useTree } from './use-tree';

interface FilesPanelProps {
  projectId: ProjectId;
  /** Whose scratch files are shown; null shows none. */
  threadId: ThreadId | null;
  /** The file that is open in the viewer, marked in the tree. */
  openPath?: string | undefined;
  /** A file was chosen: its absolute path, as the agent's tools name it. */
  onOpenFile(path: string): void;
}

/** One tree over every mounted place: the project folder, the memories and the thread's scratch files. */
export const FilesPanel = ({ projectId, ...rest }: FilesPanelProps) => {
  const t = useT();
  const project = useApp((app) => app.projects.find((other) => other.id === projectId));
  if (project === undefined) return null;
  return (
    <div className="flex h-full min-h-0 flex-col">
      {project.missing && (
        <div className="p-3">
          <ErrorNote tone="ask" message={t('files.folderMissing', { folder: project.folder })} />
        </div>
      )}
      <div className="min-h-0 grow">
        <FileTree key={projectId} project={project} {...rest} />
      </div>
    </div>
  );
};

/** Pixels. */
const ROW = 28;
/** Milliseconds after which the next typed character begins another name. */
const TYPED_FOR = 700;

function FileTree({
  project,
  threadId,
  openPath,
  onOpenFile,
}: Omit<FilesPanelProps, 'projectId'> & { project: Project }) {
  const t = useT();
  const roots = useRoots(project, threadId, t('files.memories'), t('files.scratch'));
  const { rows, expand, collapse, list } = useTree(project.id, threadId, roots);
  const [focusedKey, setFocusedKey] = useState<string>();
  const [hasKeyboard, setHasKeyboard] = useState(false);
  const handle = useRef<VirtualListHandle>(null);
  const typed = useRef({ text: '', at: 0 });
  const id = useId();
  // A line that is gone (its directory was closed) leaves the focus on the first one.
  const focused = Math.max(
    0,
    rows.findIndex((row) => row.key === focusedKey),
  );

  const focus = (index: number) => {
    setFocusedKey(rows[index]?.key);
    handle.current?.scrollToIndex(index);
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

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    setHasKeyboard(true);
    const isTyping = event.timeStamp - typed.current.at < TYPED_FOR && typed.current.text !== '';
    if (event.key.length === 1 && (event.key !== ' ' || isTyping)) {
      typed.current = { text: isTyping ? typed.current.text + event.key : event.key, at: event.timeStamp };
      const found = findTyped(rows, focused, typed.current.text);
      if (found !== undefined) focus(found);
      event.preventDefault();
      return;
    }
    const screenful = Math.max(1, Math.floor((handle.current?.element?.clientHeight ?? ROW) / ROW) - 1);
    const effect = treeKey(rows, focused, event.key, screenful);
    if (effect.do === 'nothing') return;
    event.preventDefault();
    const row = rows[effect.index];
    if (effect.do === 'focus') focus(effect.index);
    else if (effect.do === 'activate') activate(effect.index);
    else if (row) toggle(row.path, effect.do === 'collapse');
  };

  return (
    <VirtualList
      handle={handle}
      items={rows}
      itemKey={(row) => row.key}
      rowHeight={ROW}
      role="tree"
      aria-label={t('files.tree')}
      aria-activedescendant={`${id}-${focused}`}
      tabIndex={0}
      className="py-1 outline-none"
      onKeyDown={onKeyDown}
      onMouseDown={(event) => {
        // The tree keeps the focus: a line that has it would take it along when it is scrolled away.
        event.preventDefault();
        handle.current?.element?.focus();
        setHasKeyboard(false);
      }}
      onFocus={(event) => setHasKeyboard(event.currentTarget.matches(':focus-visible'))}
      onBlur={() => setHasKeyboard(false)}
    >
      {(row, index) => (
        <TreeRow
          row={row}
          id={`${id}-${index}`}
          isFocused={index === focused}
          hasKeyboard={hasKeyboard}
          isOpenFile={row.kind === 'entry' && row.path === openPath}
          onActivate={() => activate(index)}
          onRetry={() => activate(index)}
        />
      )}
    </VirtualList>
  );
}

function useRoots(
  project: Project,
  threadId: ThreadId | null,
  memories: string,
  scratch: string,
): readonly Root[] {
  const { mount, name } = project;
  return useMemo(() => {
    const shown: Root[] = [
      { path: mount, label: name, kind: 'project', without: [] },
      { path: '/memories', label: memories, kind: 'memories', without: [] },
    ];
    if (threadId !== null)
      shown.push({ path: '/', label: scratch, kind: 'scratch', without: [mount, '/memories'] });
    return shown;
  }, [mount, name, threadId, memories, scratch]);
}
