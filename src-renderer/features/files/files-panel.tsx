import type { Project } from '@contract/app';
import type { ProjectId, ThreadId } from '@contract/ids';
import { FilePlus2, FolderInput, FolderPlus, FolderX, ListFilter, Monitor, Radar } from 'lucide-react';
import { type RefObject, useMemo, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { openSettings, placesIn, useApp, usePlaces } from '../../link';
import { IconButton, Input } from '../../ui';
import { FileTree, type TreeHandle } from './tree/file-tree';
import { FilteredFiles } from './tree/filtered-files';
import type { Root } from './tree/tree';

interface FilesPanelProps {
  projectId: ProjectId;
  /** The thread whose scratch files are shown; null shows none. */
  threadId: ThreadId | null;
  /** The file that is open in the viewer, marked in the tree. */
  openPath?: string | undefined;
  /** Opens what the agent reads and edits as it does so. Absent if this place has no such switch. */
  follow?: { on: boolean; change(on: boolean): void };
  /** Called with the absolute path of the chosen file, as the agent's tools name it. */
  onOpenFile(path: string): void;
  /** Called when the person has renamed or moved a file or folder. */
  onMoved(from: string, to: string): void;
}

/** One tree over all mounts: the project folder, the memories and the thread's scratch files. */
export const FilesPanel = ({ projectId, ...rest }: FilesPanelProps) => {
  const t = useT();
  const project = useApp((app) => app.projects.find((other) => other.id === projectId));
  if (project === undefined) return null;
  return (
    <div data-files className="flex h-full min-h-0 flex-col">
      {project.remote !== undefined && <RemoteNote machine={project.remote.machine} />}
      {project.missing && project.remote === undefined && (
        <p className="flex shrink-0 items-baseline gap-2 border-b border-line px-3 py-2 text-fg-2">
          <FolderX aria-hidden size={16} className="shrink-0 self-center text-deny" />
          {t('files.folderMissing')}
        </p>
      )}
      <Places key={projectId} project={project} {...rest} />
    </div>
  );
};

/** What the tree cannot do on another computer. */
const RemoteNote = ({ machine }: { machine: string }) => {
  const t = useT();
  return (
    <p
      title={t('places.remoteLimits')}
      className="flex shrink-0 items-center gap-2 border-b border-line px-3 py-1.5 text-small text-fg-3"
    >
      <Monitor aria-hidden size={14} className="shrink-0" />
      <span className="min-w-0">{t('files.onMachine', { machine })}</span>
    </p>
  );
};

const look = { size: 16 };

function Places({
  project,
  threadId,
  openPath,
  follow,
  onOpenFile,
  onMoved,
}: Omit<FilesPanelProps, 'projectId'> & { project: Project }) {
  const t = useT();
  const roots = useRoots(project, threadId, t('files.memories'), t('files.scratch'));
  const [filter, setFilter] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const tree = useRef<TreeHandle>(null);
  const create = (what: 'file' | 'directory') => {
    setFilter('');
    tree.current?.create(what);
  };
  return (
    <>
      <div className="flex shrink-0 items-center gap-0.5 border-b border-line py-1 pr-1.5 pl-2">
        <div className="min-w-0 grow">
          <FilterField field={field} filter={filter} onFilter={setFilter} />
        </div>
        <IconButton
          size="sm"
          label={t('files.newFile')}
          disabled={project.missing}
          icon={<FilePlus2 {...look} />}
          onClick={() => create('file')}
        />
        <IconButton
          size="sm"
          label={t('files.newFolder')}
          disabled={project.missing}
          icon={<FolderPlus {...look} />}
          onClick={() => create('directory')}
        />
        <IconButton
          size="sm"
          label={t('files.addPlace')}
          icon={<FolderInput {...look} />}
          onClick={() => openSettings('places')}
        />
        {follow && (
          <IconButton
            size="sm"
            label={t('files.follow')}
            pressed={follow.on}
            icon={<Radar {...look} className={follow.on ? 'text-accent' : undefined} />}
            onClick={() => follow.change(!follow.on)}
          />
        )}
      </div>
      <div className="relative min-h-0 grow">
        {filter.trim() !== '' && (
          <FilteredFiles
            projectId={project.id}
            query={filter.trim()}
            openPath={openPath}
            onOpenFile={onOpenFile}
            onLeave={() => field.current?.focus()}
          />
        )}
        {/* The tree stays mounted to keep its open folders and position while a filter is active. */}
        <div className={filter.trim() === '' ? 'h-full' : 'hidden'}>
          <FileTree
            handle={tree}
            project={project}
            threadId={threadId}
            roots={roots}
            openPath={openPath}
            onOpenFile={onOpenFile}
            onMoved={onMoved}
          />
        </div>
      </div>
    </>
  );
}

interface FilterFieldProps {
  field: RefObject<HTMLInputElement | null>;
  filter: string;
  onFilter(text: string): void;
}

/** Escape clears it; Arrow Down goes to the list. */
const FilterField = ({ field, filter, onFilter }: FilterFieldProps) => {
  const t = useT();
  return (
    <Input
      ref={field}
      type="search"
      aria-label={t('files.filter')}
      placeholder={t('files.filter')}
      icon={<ListFilter size={14} />}
      className="h-7!"
      value={filter}
      onChange={(event) => onFilter(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && filter !== '') {
          event.stopPropagation();
          onFilter('');
        } else if (event.key === 'ArrowDown') {
          event.preventDefault();
          event.currentTarget.closest('[data-files]')?.querySelector<HTMLElement>('[data-rows]')?.focus();
        }
      }}
    />
  );
};

function useRoots(
  project: Project,
  threadId: ThreadId | null,
  memories: string,
  scratch: string,
): readonly Root[] {
  const { id, mount, name, missing } = project;
  const isRemote = project.remote !== undefined;
  const places = usePlaceRoots(id);
  return useMemo(() => {
    const shown: Root[] = [
      {
        path: mount,
        label: name,
        kind: 'project',
        changes: isRemote ? 'there' : 'here',
        without: [],
        isOffline: isRemote && missing,
      },
      ...places,
      { path: '/memories', label: memories, kind: 'memories', without: [] },
    ];
    const without = [mount, '/memories', ...places.map(({ path }) => path)];
    if (threadId !== null) shown.push({ path: '/', label: scratch, kind: 'scratch', without });
    return shown;
  }, [mount, name, threadId, memories, scratch, places, isRemote, missing]);
}

/** The same roots until a place comes, goes, or changes between usable and not. */
function usePlaceRoots(projectId: ProjectId): readonly Root[] {
  const { list } = usePlaces(projectId);
  const places = placesIn(list).filter(({ isProject }) => !isProject);
  const key = JSON.stringify(
    places.map(({ path, state, options }) => [
      path,
      state.phase === 'offline' || state.phase === 'refused',
      options.kind === 'ssh' || options.kind === 'container',
    ]),
  );
  return useMemo(
    () =>
      (JSON.parse(key) as [string, boolean, boolean][]).map(([path, isOffline, canChange]) => ({
        path: path.slice(0, -1),
        label: path,
        kind: 'place',
        ...(canChange ? { changes: 'there' as const } : {}),
        isOffline,
        without: [],
      })),
    [key],
  );
}
