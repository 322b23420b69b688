import type { Project } from '@contract/app';
import type { ProjectId, ThreadId } from '@contract/ids';
import { ChevronRight, FolderPlus, Search, Settings, SquarePen } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { KEEPS_FOCUS, openSettings, useApp } from '../../link';
import { Button, cx, EmptyState, IconButton, Input, VirtualList, type VirtualListHandle } from '../../ui';
import { addFolder } from './actions';
import { setFold, useFolds } from './folds';
import { groupThreads } from './groups';
import { MarkedBar } from './marked-bar';
import { MessageResults } from './message-results';
import { ProjectRow } from './project-row';
import { RemoveQuestion } from './remove-question';
import { projectRowOf, type Row, rowAfter, rowInPlace, rowsOf, typedRow } from './rows';
import { ThreadRow } from './thread-row';
import { useMarks } from './use-marks';
import { Warnings } from './warnings';

interface SidebarProps {
  projectId: ProjectId | null;
  threadId: ThreadId | null;
  onSelectProject(projectId: ProjectId): void;
  onNewThread(projectId: ProjectId): void;
  /** As shown behind "New thread". */
  newThreadKeys: string;
}

/** Milliseconds between two looks at the clock for "2 min. ago". */
const CLOCK = 30_000;
/** Milliseconds after which typed letters begin a new name. */
const TYPING = 700;
/** Pixels: a line, and the room above a project. */
const LINE = 28;
const ABOVE_PROJECT = 6;
const heightOf = (row: Row) => (row.kind === 'project' ? LINE + ABOVE_PROJECT : LINE);
const ROWS_A_PAGE = 12;

/** Projects with their threads; arrows, Home, End and letters move between them. */
export const Sidebar = ({
  projectId,
  threadId,
  onSelectProject,
  onNewThread,
  newThreadKeys,
}: SidebarProps) => {
  const t = useT();
  const projects = useApp((app) => app.projects);
  const threads = useApp((app) => app.threads);
  const folds = useFolds();
  const [query, setQuery] = useState('');
  const [now, setNow] = useState(Date.now);
  const [removing, setRemoving] = useState<Project | null>(null);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK);
    return () => clearInterval(timer);
  }, []);

  const groups = useMemo(() => groupThreads(projects, threads, query), [projects, threads, query]);
  const rows = useMemo(
    () => rowsOf(groups, folds, { searching: query.trim() !== '', selected: threadId }),
    [groups, folds, query, threadId],
  );
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
  const toggle = useCallback((id: ProjectId, open: boolean) => setFold('closed', id, !open), []);
  const shownProject = projects.find(({ id }) => id === projectId);

  const draw = (row: Row) => {
    switch (row.kind) {
      case 'project': {
        const at = groups.findIndex(({ project }) => project.id === row.project.id);
        const idAt = (index: number) => groups[index]?.project.id ?? null;
        return (
          <div style={{ paddingTop: ABOVE_PROJECT }}>
            <ProjectRow
              project={row.project}
              selected={row.project.id === projectId}
              open={row.open}
              tabStop={row.key === active}
              within={row.within}
              above={idAt(at - 1)}
              below={idAt(at + 1)}
              afterBelow={idAt(at + 1) === null ? undefined : idAt(at + 2)}
              onSelect={onSelectProject}
              onToggle={toggle}
              onNewThread={onNewThread}
              onRemove={setRemoving}
              onFocus={focusRow}
            />
          </div>
        );
      }
      case 'thread': {
        const marked = marks.marked.includes(row.thread);
        return (
          <ThreadRow
            thread={row.thread}
            selected={row.thread.id === threadId}
            tabStop={row.key === active}
            marked={marked}
            together={marked ? marks.marked : null}
            marks={marks.hands}
            now={now}
            onFocus={focusRow}
          />
        );
      }
      case 'fold':
        return (
          <button
            type="button"
            data-row={row.key}
            tabIndex={row.key === active ? 0 : -1}
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
      case 'empty':
        return <p className="flex h-7 items-center pl-7 text-small text-fg-3">{t('sidebar.noThreads')}</p>;
      default:
        return row satisfies never;
    }
  };

  return (
    <div className="flex h-full flex-col bg-sunken">
      <div className="flex flex-col gap-2 p-2.5 pb-2">
        <Button
          disabled={shownProject === undefined || shownProject.missing}
          title={newThreadKeys}
          icon={<SquarePen size={16} />}
          onClick={() => projectId !== null && onNewThread(projectId)}
        >
          {t('sidebar.newThread')}
        </Button>
        <Input
          type="search"
          data-search-all
          icon={<Search size={14} />}
          aria-label={t('sidebar.filter')}
          placeholder={t('sidebar.filter')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setQuery('');
            if (event.key !== 'ArrowDown' || rows[0] === undefined) return;
            event.preventDefault();
            const first = rows.find(({ kind }) => query !== '' && kind === 'thread') ?? rows[0];
            focusRow(first.key);
          }}
        />
      </div>
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
          className="px-1.5 pb-3"
          footer={
            <>
              {projects.length === 0 && (
                <EmptyState action={<Button onClick={() => void choose()}>{t('sidebar.addFolder')}</Button>}>
                  {t('sidebar.noProjects')}
                </EmptyState>
              )}
              {projects.length > 0 && groups.length === 0 && (
                <p className="p-3 text-small text-fg-3">{t('sidebar.noMatch', { query: query.trim() })}</p>
              )}
              <MessageResults query={query} />
            </>
          }
        >
          {draw}
        </VirtualList>
      </nav>
      <MarkedBar marks={marks} />
      <Warnings />
      <div className="flex items-center border-t border-line p-1.5">
        <Button
          variant="ghost"
          className="grow justify-start px-2"
          icon={<FolderPlus size={16} />}
          onClick={() => void choose()}
        >
          {t('sidebar.addFolder')}
        </Button>
        <IconButton
          label={t('sidebar.settings')}
          side="top"
          icon={<Settings size={16} />}
          onClick={() => openSettings('models')}
        />
      </div>
      {removing !== null && <RemoveQuestion project={removing} onClose={() => setRemoving(null)} />}
    </div>
  );
};

/** Which line has the focus, or would get it, and what keys do. */
function useRowFocus(
  rows: readonly Row[],
  selected: ThreadId | null,
  untitled: string,
  onExtend: (from: ThreadId, to: ThreadId) => void,
) {
  const list = useRef<VirtualListHandle>(null);
  const nav = useRef<HTMLElement>(null);
  const [wanted, setWanted] = useState<string | null>(null);
  const typed = useRef({ text: '', at: 0 });
  const latest = useRef(rows);
  latest.current = rows;

  /** While lines are deleted by the key, the focus stays in the list, also when the thread that was shown is gone. */
  const keepFocus = (keeps: boolean) => nav.current?.toggleAttribute(KEEPS_FOCUS, keeps);

  const isThere = (key: string | null) => rows.some((row) => row.key === key);
  const active = isThere(wanted) ? wanted : isThere(selected) ? selected : rows[0]?.key;

  const focusRow = useCallback((key: string) => {
    setWanted(key);
    const index = latest.current.findIndex((row) => row.key === key);
    if (index !== -1) list.current?.scrollToIndex(index);
    // It may be drawn only once it has been scrolled to.
    requestAnimationFrame(() =>
      nav.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)?.focus(),
    );
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    keepFocus(event.key === 'Delete');
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = document.activeElement;
    const key = focused?.closest('[data-row]')?.getAttribute('data-row');
    if (key === null || key === undefined) {
      moveAmongResults(event, nav.current, focused);
      return;
    }
    const at = rows.findIndex((row) => row.key === key);
    const to = targetOf(event, at);
    if (to === undefined) return;
    event.preventDefault();
    const row = rows[to];
    if (row === undefined) return;
    const from = rows[at];
    if (event.shiftKey && from?.kind === 'thread' && row.kind === 'thread')
      onExtend(from.thread.id, row.thread.id);
    focusRow(row.key);
  };

  /** The line to go to; undefined where the key is none of ours. */
  const targetOf = (event: KeyboardEvent, at: number): number | undefined => {
    const row = rows[at];
    const next = rowAfter(rows, at, event.key, ROWS_A_PAGE);
    if (next !== undefined) return next;
    // Beyond the last thread are the messages that were found.
    if (event.key === 'ArrowDown') {
      const result = nav.current?.querySelector<HTMLElement>('[data-thread]:not([data-row])');
      result?.focus();
      return undefined;
    }
    if (event.key === 'ArrowLeft') {
      if (row?.kind === 'project') {
        if (row.open) setFold('closed', row.project.id, true);
        return at;
      }
      return projectRowOf(rows, at);
    }
    if (event.key === 'ArrowRight' && row?.kind === 'project') {
      if (row.open) return rowAfter(rows, at, 'ArrowDown', 1);
      setFold('closed', row.project.id, false);
      return at;
    }
    if (event.key.length !== 1 || event.key === ' ') return undefined;
    const now = performance.now();
    const isNew = now - typed.current.at > TYPING;
    typed.current = { text: isNew ? event.key : typed.current.text + event.key, at: now };
    return typedRow(rows, at, typed.current.text, untitled) ?? at;
  };

  const onFocus = (event: { target: EventTarget }) => {
    const key = event.target instanceof Element ? event.target.getAttribute('data-row') : null;
    if (key !== null) setWanted(key);
  };

  // Where a line goes that is deleted by a key, the next one gets the focus: the keys go on from there.
  const place = useRef(-1);
  useEffect(() => {
    const at = wanted === null ? -1 : rows.findIndex((row) => row.key === wanted);
    const before = place.current;
    place.current = at;
    const isGone = wanted !== null && at === -1 && before !== -1;
    if (!isGone || nav.current?.hasAttribute(KEEPS_FOCUS) !== true) return;
    const next = wanted.startsWith('project:')
      ? rows[Math.min(before, rows.length - 1)]
      : rowInPlace(rows, before);
    if (next !== undefined) focusRow(next.key);
  }, [rows, wanted, focusRow]);

  // What is shown comes into view when it was chosen elsewhere.
  useEffect(() => {
    if (selected === null) return;
    setWanted(null);
    const index = latest.current.findIndex((row) => row.key === selected);
    if (index !== -1) list.current?.scrollToIndex(index);
  }, [selected]);

  return { list, nav, active, focusRow, onKeyDown, onPointerDown: () => keepFocus(false), onFocus };
}

/** Arrows among the messages that were found, and back up into the list. */
function moveAmongResults(event: KeyboardEvent, nav: HTMLElement | null, focused: Element | null): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const places = [...(nav?.querySelectorAll<HTMLElement>('[data-thread]') ?? [])];
  const at = focused instanceof HTMLElement ? places.indexOf(focused) : -1;
  if (at === -1) return;
  event.preventDefault();
  places[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}
