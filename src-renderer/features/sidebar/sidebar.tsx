import type { Project } from '@contract/app';
import type { ProjectId, ThreadId } from '@contract/ids';
import {
  Ellipsis,
  FileInput,
  Folder,
  FolderOpen,
  FolderPlus,
  FolderSearch,
  FolderX,
  Plus,
  Search,
  Settings,
  SquarePen,
} from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { openSettings, useApp } from '../../link';
import { Badge, Button, cx, EmptyState, IconButton, Input, Menu } from '../../ui';
import { addFolder, importThread, newThread, removeProject, revealProject } from './actions';
import { groupThreads } from './groups';
import { MessageResults } from './message-results';
import { ThreadRow } from './thread-row';
import { Warnings } from './warnings';

interface SidebarProps {
  projectId: ProjectId | null;
  threadId: ThreadId | null;
  onSelectProject(projectId: ProjectId): void;
  /** As shown behind "New thread". */
  newThreadKeys: string;
}

/** Milliseconds between two looks at the clock for "2 min. ago". */
const CLOCK = 30_000;

/** Projects with their threads; arrows move between threads. */
export const Sidebar = ({ projectId, threadId, onSelectProject, newThreadKeys }: SidebarProps) => {
  const t = useT();
  const projects = useApp((app) => app.projects);
  const threads = useApp((app) => app.threads);
  const [query, setQuery] = useState('');
  const [now, setNow] = useState(Date.now);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK);
    return () => clearInterval(timer);
  }, []);

  const groups = groupThreads(projects, threads, query);
  const shown = groups.flatMap((group) => group.threads);
  const tabStop = shown.some((thread) => thread.id === threadId) ? threadId : shown[0]?.id;

  const choose = async () => {
    const project = await addFolder();
    if (project) onSelectProject(project.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-thread]') ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    if (at === -1) return;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    rows[next]?.focus();
  };

  return (
    <div className="flex h-full flex-col bg-sunken">
      <div className="flex flex-col gap-2 p-2.5 pb-2">
        <Button
          disabled={projectId === null}
          title={newThreadKeys}
          icon={<SquarePen size={15} strokeWidth={1.5} />}
          onClick={() => projectId !== null && void newThread(projectId)}
        >
          {t('sidebar.newThread')}
        </Button>
        <Input
          type="search"
          data-search-all
          icon={<Search size={14} strokeWidth={1.5} />}
          aria-label={t('sidebar.filter')}
          placeholder={t('sidebar.filter')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
        />
      </div>
      <nav
        ref={list}
        aria-label={t('sidebar.list')}
        onKeyDown={onKeyDown}
        className="min-h-0 grow overflow-y-auto px-1.5 pb-3"
      >
        {groups.map(({ project, threads: own }) => (
          <section key={project.id} className="pt-1.5">
            <ProjectRow project={project} selected={project.id === projectId} onSelect={onSelectProject} />
            {own.map((thread) => (
              <ThreadRow
                key={thread.id}
                thread={thread}
                selected={thread.id === threadId}
                tabStop={thread.id === tabStop}
                now={now}
              />
            ))}
            {own.length === 0 && <p className="py-1 pl-7 text-small text-fg-3">{t('sidebar.noThreads')}</p>}
          </section>
        ))}
        {projects.length === 0 && (
          <EmptyState action={<Button onClick={() => void choose()}>{t('sidebar.addFolder')}</Button>}>
            {t('sidebar.noProjects')}
          </EmptyState>
        )}
        {projects.length > 0 && groups.length === 0 && (
          <p className="p-3 text-small text-fg-3">{t('sidebar.noMatch', { query: query.trim() })}</p>
        )}
        <MessageResults query={query} />
      </nav>
      <Warnings />
      <div className="flex items-center border-t border-line p-1.5">
        <Button
          variant="ghost"
          className="grow justify-start px-2"
          icon={<FolderPlus size={16} strokeWidth={1.5} />}
          onClick={() => void choose()}
        >
          {t('sidebar.addFolder')}
        </Button>
        <IconButton
          label={t('sidebar.settings')}
          side="top"
          icon={<Settings size={16} strokeWidth={1.5} />}
          onClick={() => openSettings('models')}
        />
      </div>
    </div>
  );
};

interface ProjectRowProps {
  project: Project;
  selected: boolean;
  onSelect(projectId: ProjectId): void;
}

const ProjectRow = ({ project, selected, onSelect }: ProjectRowProps) => {
  const t = useT();
  const Icon = project.missing ? FolderX : selected ? FolderOpen : Folder;
  return (
    <div className="group/project relative flex h-7 items-center gap-0.5 rounded-control hover:bg-hover">
      <button
        type="button"
        title={project.folder}
        onClick={() => onSelect(project.id)}
        className="flex h-full min-w-0 grow items-center gap-2 rounded-control pr-1.5 pl-1.5 text-left -outline-offset-2"
      >
        <Icon
          aria-hidden
          size={15}
          strokeWidth={1.5}
          className={cx('shrink-0', project.missing ? 'text-deny' : 'text-fg-3')}
        />
        <span className="min-w-0 truncate font-semibold">{project.name}</span>
        {project.isSample && !project.missing && <Badge>{t('sidebar.sample')}</Badge>}
        {project.missing && <Badge tone="deny">{t('sidebar.missing')}</Badge>}
      </button>
      <span className="absolute right-0.5 flex rounded-control bg-hover opacity-0 group-focus-within/project:opacity-100 group-hover/project:opacity-100">
        <Menu
          align="end"
          trigger={
            <IconButton
              size="sm"
              label={t('sidebar.projectActions', { project: project.name })}
              icon={<Ellipsis size={16} strokeWidth={1.5} />}
            />
          }
          items={[
            {
              label: t('sidebar.reveal'),
              icon: <FolderSearch size={14} strokeWidth={1.5} />,
              disabled: project.missing,
              onSelect: () => void revealProject(project),
            },
            {
              label: t('sidebar.import'),
              icon: <FileInput size={14} strokeWidth={1.5} />,
              disabled: project.missing,
              onSelect: () => void importThread(project.id),
            },
            'separator',
            { label: t('sidebar.remove'), danger: true, onSelect: () => void removeProject(project, t) },
          ]}
        />
        <IconButton
          size="sm"
          label={t('sidebar.newThreadIn', { project: project.name })}
          icon={<Plus size={16} strokeWidth={1.5} />}
          onClick={() => {
            onSelect(project.id);
            void newThread(project.id);
          }}
        />
      </span>
    </div>
  );
};
