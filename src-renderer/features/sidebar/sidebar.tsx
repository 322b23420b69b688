import type { Project, ThreadSummary } from '@contract/app';
import type { ProjectId, ThreadId } from '@contract/ids';
import { ChevronRight, FolderPlus, MonitorUp, Search, Settings, SquarePen } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useT } from '../../i18n';
import { addRemoteFolder, openSettings, useApp } from '../../link';
import { Button, cx, EmptyState, IconButton, Input, useNow, VirtualList } from '../../ui';
import { addFolder } from './actions';
import { setFold, useFolds } from './folds';
import { groupThreads } from './groups';
import { MarkedBar } from './marked-bar';
import { MessageResults } from './message-results';
import { ProjectRow } from './project-row';
import { RemoveQuestion } from './remove-question';
import { RoutineRow } from './routine-row';
import { type Row, rowsOf } from './rows';
import { ThreadRow } from './thread-row';
import { useMarks } from './use-marks';
import { focusResult, useRowFocus } from './use-row-focus';
import { Warnings } from './warnings';

interface SidebarProps {
  projectId: ProjectId | null;
  threadId: ThreadId | null;
  onSelectProject(projectId: ProjectId): void;
  onNewThread(projectId: ProjectId): void;
  /** Between the list and the bottom row. */
  children?: ReactNode;
  /** Shown after "New thread". */
  newThreadKeys: string;
}

/** Pixels: a row, and the space above a project. */
const LINE = 28;
const ABOVE_PROJECT = 6;
/** Threads are many, and a filter or a scroll replaces dozens of them at once. */
const kindOf = (row: Row) => (row.kind === 'thread' ? row.kind : null);
const heightOf = (row: Row) => (row.kind === 'project' ? LINE + ABOVE_PROJECT : LINE);

/** Projects with their threads; arrow keys, Home, End and letters move between them. */
export const Sidebar = ({
  projectId,
  threadId,
  onSelectProject,
  onNewThread,
  newThreadKeys,
  children,
}: SidebarProps) => {
  const t = useT();
  const [query, setQuery] = useState('');
  const now = useNow();
  const [removing, setRemoving] = useState<Project | null>(null);
  const { projects, groups, rows } = useRows(query, threadId);
  const marks = useMarks(rows, threadId);
  const { list, nav, active, focusRow, onKeyDown, onPointerDown, onFocus } = useRowFocus(
    rows,
    threadId,
    t('sidebar.untitled'),
    marks.hands.extend,
  );

  const choose = async () => {
    const project = await addFolder();
    if (project) onSelectProject(project.id);
  };
  const shownProject = projects.find(({ id }) => id === projectId);

  return (
    <div className="flex h-full flex-col bg-sunken">
      <Top
        canStart={shownProject !== undefined && !shownProject.missing}
        newThreadKeys={newThreadKeys}
        query={query}
        onNewThread={() => projectId !== null && onNewThread(projectId)}
        onQuery={setQuery}
        onLeave={() => {
          const first = rows.find(({ kind }) => query !== '' && kind === 'thread') ?? rows[0];
          if (first) focusRow(first.key);
          // If no title matches, messages may.
          return first !== undefined || focusResult(nav.current);
        }}
      />
      <nav
        ref={nav}
        aria-label={t('sidebar.list')}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || marks.marked.length === 0) return onKeyDown(event);
          event.preventDefault();
          marks.hands.clear();
        }}
        onPointerDown={onPointerDown}
        onFocus={onFocus}
        className="min-h-0 grow"
      >
        <VirtualList
          handle={list}
          items={rows}
          itemKey={(row) => row.key}
          rowHeight={heightOf}
          reuse={kindOf}
          className="px-1.5 pb-3"
          footer={
            <ListEnd
              isEmpty={projects.length === 0}
              isMatched={groups.length > 0}
              query={query}
              onAddFolder={() => void choose()}
            />
          }
        >
          {(row) => (
            <SidebarRow
              row={row}
              tabStop={row.key === active}
              projectId={projectId}
              threadId={threadId}
              groups={groups}
              marks={marks}
              now={now}
              onSelectProject={onSelectProject}
              onNewThread={onNewThread}
              onRemove={setRemoving}
              onFocus={focusRow}
            />
          )}
        </VirtualList>
      </nav>
      <MarkedBar marks={marks} />
      <Warnings />
      {children}
      <Foot onAddFolder={() => void choose()} />
      {removing !== null && <RemoveQuestion project={removing} onClose={() => setRemoving(null)} />}
    </div>
  );
};

interface SidebarRowProps
  extends Pick<SidebarProps, 'projectId' | 'threadId' | 'onSelectProject' | 'onNewThread'> {
  row: Row;
  tabStop: boolean;
  groups: ReturnType<typeof groupThreads>;
  marks: ReturnType<typeof useMarks>;
  now: number;
  onRemove(project: Project): void;
  onFocus(key: string): void;
}

const SidebarRow = ({ row, tabStop, projectId, threadId, groups, marks, now, ...on }: SidebarRowProps) => {
  switch (row.kind) {
    case 'project':
      return (
        <div style={{ paddingTop: ABOVE_PROJECT }}>
          <ProjectRow
            project={row.project}
            selected={row.project.id === projectId}
            open={row.open}
            tabStop={tabStop}
            within={row.within}
            {...neighborsOf(groups, row.project.id)}
            onSelect={on.onSelectProject}
            onToggle={toggleProject}
            onNewThread={on.onNewThread}
            onRemove={on.onRemove}
            onFocus={on.onFocus}
          />
        </div>
      );
    case 'thread':
      return (
        <MarkableThread
          thread={row.thread}
          nested={row.nested === true}
          selected={row.thread.id === threadId}
          tabStop={tabStop}
          marks={marks}
          now={now}
          onFocus={on.onFocus}
        />
      );
    case 'fold':
      return <FoldRow row={row} tabStop={tabStop} />;
    case 'routine':
      return <RoutineRow row={row} tabStop={tabStop} onFocus={on.onFocus} />;
    case 'empty':
      return <NoThreads />;
    default:
      return row satisfies never;
  }
};

const toggleProject = (id: ProjectId, open: boolean) => setFold('closed', id, !open);

interface MarkableThreadProps {
  thread: ThreadSummary;
  nested: boolean;
  selected: boolean;
  tabStop: boolean;
  marks: ReturnType<typeof useMarks>;
  now: number;
  onFocus(key: string): void;
}

/** A thread that can be marked together with others. */
const MarkableThread = ({ thread, marks, ...rest }: MarkableThreadProps) => {
  const marked = marks.marked.includes(thread);
  return (
    <ThreadRow
      thread={thread}
      marked={marked}
      together={marked ? marks.marked : null}
      marks={marks.hands}
      {...rest}
    />
  );
};

const NoThreads = () => (
  <p className="flex h-7 items-center pl-7 text-small text-fg-3">{useT()('sidebar.noThreads')}</p>
);

/** The rows of the list: projects and threads that match the search. */
function useRows(query: string, selected: ThreadId | null) {
  const projects = useApp((app) => app.projects);
  const threads = useApp((app) => app.threads);
  const folds = useFolds();
  const groups = useMemo(() => groupThreads(projects, threads, query), [projects, threads, query]);
  const rows = useMemo(
    () => rowsOf(groups, folds, { searching: query.trim() !== '', selected }),
    [groups, folds, query, selected],
  );
  return { projects, groups, rows };
}

interface ListEndProps {
  isEmpty: boolean;
  isMatched: boolean;
  query: string;
  onAddFolder(): void;
}

/** What follows the rows: how to begin, that nothing matches, and messages that match. */
const ListEnd = ({ isEmpty, isMatched, query, onAddFolder }: ListEndProps) => {
  const t = useT();
  return (
    <>
      {isEmpty && (
        <EmptyState
          action={
            <>
              <Button onClick={onAddFolder}>{t('sidebar.addFolder')}</Button>
              <Button variant="ghost" onClick={addRemoteFolder}>
                {t('actions.addRemoteFolder')}
              </Button>
            </>
          }
        >
          {t('sidebar.noProjects')}
        </EmptyState>
      )}
      {!isEmpty && !isMatched && (
        <p className="px-1.5 py-3 text-small text-fg-3">{t('sidebar.noMatch', { query: query.trim() })}</p>
      )}
      <MessageResults query={query} />
    </>
  );
};

/** A project's neighbors, for moving it. */
function neighborsOf(groups: ReturnType<typeof groupThreads>, id: ProjectId) {
  const at = groups.findIndex(({ project }) => project.id === id);
  const idAt = (index: number) => groups[index]?.project.id ?? null;
  const below = idAt(at + 1);
  return { above: idAt(at - 1), below, afterBelow: below === null ? undefined : idAt(at + 2) };
}

interface TopProps {
  canStart: boolean;
  newThreadKeys: string;
  query: string;
  onNewThread(): void;
  onQuery(query: string): void;
  /** Arrow Down moves the focus into the list. False if the list is empty. */
  onLeave(): boolean;
}

const Top = ({ canStart, newThreadKeys, query, onNewThread, onQuery, onLeave }: TopProps) => {
  const t = useT();
  return (
    <div className="flex flex-col gap-2 p-2.5 pb-2">
      <Button disabled={!canStart} title={newThreadKeys} icon={<SquarePen size={16} />} onClick={onNewThread}>
        {t('sidebar.newThread')}
      </Button>
      <Input
        type="search"
        data-search-all
        icon={<Search size={14} />}
        aria-label={t('sidebar.filter')}
        placeholder={t('sidebar.filter')}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onQuery('');
          if (event.key === 'ArrowDown' && onLeave()) event.preventDefault();
        }}
      />
    </div>
  );
};

/** Unfolds a project's older or archived threads, or folds them again. */
const FoldRow = ({ row, tabStop }: { row: Extract<Row, { kind: 'fold' }>; tabStop: boolean }) => {
  const t = useT();
  return (
    <button
      type="button"
      data-row={row.key}
      tabIndex={tabStop ? 0 : -1}
      aria-expanded={row.open}
      onClick={() => setFold(row.of, row.projectId)}
      className="flex h-7 w-full items-center gap-1 rounded-control pr-2 pl-7 text-left text-small text-fg-3 -outline-offset-2 hover:bg-hover hover:text-fg-2"
    >
      <ChevronRight
        aria-hidden
        size={12}
        className={cx('-ml-4 shrink-0 transition-transform', row.open && 'rotate-90')}
      />
      {row.of === 'archived'
        ? t('sidebar.archived', { count: row.count })
        : row.open
          ? t('sidebar.fewer')
          : t('sidebar.older', { count: row.count })}
    </button>
  );
};

const Foot = ({ onAddFolder }: { onAddFolder(): void }) => {
  const t = useT();
  return (
    <div className="flex items-center border-t border-line p-1.5">
      <Button
        variant="ghost"
        className="grow justify-start px-2"
        icon={<FolderPlus size={16} />}
        onClick={onAddFolder}
      >
        {t('sidebar.addFolder')}
      </Button>
      <IconButton
        label={t('actions.addRemoteFolder')}
        side="top"
        icon={<MonitorUp size={16} />}
        onClick={addRemoteFolder}
      />
      <IconButton
        label={t('sidebar.settings')}
        side="top"
        icon={<Settings size={16} />}
        onClick={() => openSettings('models')}
      />
    </div>
  );
};
