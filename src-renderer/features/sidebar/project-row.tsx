import type { Project } from '@contract/app';
import type { ProjectId } from '@contract/ids';
import {
  ArrowDown,
  ArrowUp,
  ChevronRight,
  CircleAlert,
  FileInput,
  Folder,
  FolderOpen,
  FolderSearch,
  FolderSync,
  FolderX,
  MonitorCog,
  Pencil,
  Plus,
  RefreshCw,
  Trash2,
} from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { useT } from '../../i18n';
import { locationOf, openSettings } from '../../link';
import { Badge, cx, IconButton, type MenuItem } from '../../ui';
import {
  importThread,
  lookForFolder,
  moveProject,
  reattachProject,
  renameProject,
  revealProject,
} from './actions';
import { RenameField } from './rename-field';
import { RowActions, useRowMenu } from './row-menu';
import type { Within } from './rows';
import { Running, Unread, WaitingMark } from './thread-row';

/** The drag data, for this window only. */
const DRAGGED = 'application/x-deepdesk-project';
const icon = { size: 14 } as const;

interface ProjectRowProps {
  project: Project;
  selected: boolean;
  open: boolean;
  tabStop: boolean;
  within: Within;
  /** Neighbors in the list, for moving. Null: it cannot move that way. */
  above: ProjectId | null;
  /** The project after the next one. Null: the next one is the last. Undefined: none is below. */
  afterBelow: ProjectId | null | undefined;
  below: ProjectId | null;
  onSelect(projectId: ProjectId): void;
  onToggle(projectId: ProjectId, open: boolean): void;
  onNewThread(projectId: ProjectId): void;
  onRemove(project: Project): void;
  onFocus(key: string): void;
}

/** The header of a project: folds its threads, can be dragged, and shows if its folder is missing. */
export const ProjectRow = (props: ProjectRowProps) => {
  const { project, selected, open, tabStop, above, afterBelow, onSelect, onToggle, onFocus } = props;
  const t = useT();
  const [renaming, setRenaming] = useState(false);
  const drag = useDrag(props);
  const menu = useRowMenu(project.id);
  const key = `project:${project.id}`;

  if (renaming) {
    return (
      <RenameField
        label={t('sidebar.renameProject')}
        value={project.name}
        max={100}
        onSave={(value) => void renameProject(project, value, t)}
        onDone={() => {
          setRenaming(false);
          onFocus(key);
        }}
      />
    );
  }

  const up = above === null ? undefined : () => void moveProject(project.id, above);
  const down = afterBelow === undefined ? undefined : () => void moveProject(project.id, afterBelow);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2') setRenaming(true);
    else if (event.key === 'Delete') props.onRemove(project);
    else if (event.altKey && event.key === 'ArrowUp') up?.();
    else if (event.altKey && event.key === 'ArrowDown') down?.();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const items = () =>
    menuItems({
      project,
      up,
      down,
      t,
      onRename: () => setRenaming(true),
      onRemove: () => props.onRemove(project),
    });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the row's button is inside; Alt with arrow keys and the menu do the same by keyboard
    <div
      draggable
      {...drag.handlers}
      onContextMenu={menu.onContextMenu}
      className="group/project relative flex h-7 items-center gap-0.5 rounded-control hover:bg-hover"
    >
      {drag.dropAt !== null && <DropLine at={drag.dropAt} />}
      <button
        type="button"
        data-row={key}
        tabIndex={tabStop ? 0 : -1}
        aria-expanded={open}
        title={locationOf(project)}
        onClick={() => (selected ? onToggle(project.id, !open) : onSelect(project.id))}
        onKeyDown={onKeyDown}
        className="flex h-full min-w-0 grow items-center gap-2 rounded-control pr-1.5 pl-1.5 text-left -outline-offset-2"
      >
        <Name {...props} isMenuOpen={menu.open === 'button'} />
      </button>
      <RowActions
        state={menu}
        label={t('sidebar.projectActions', { project: project.name })}
        items={items}
        tabIndex={tabStop ? 0 : -1}
        onClosed={() => onFocus(key)}
      >
        <IconButton
          size="sm"
          tabIndex={tabStop ? 0 : -1}
          disabled={project.missing}
          label={t('sidebar.newThreadIn', { project: project.name })}
          icon={<Plus size={16} />}
          onClick={() => {
            onSelect(project.id);
            onToggle(project.id, true);
            props.onNewThread(project.id);
          }}
        />
      </RowActions>
    </div>
  );
};

const DropLine = ({ at }: { at: 'before' | 'after' }) => (
  <span
    aria-hidden
    className={cx('absolute inset-x-1 h-0.5 bg-accent', at === 'before' ? '-top-0.5' : '-bottom-0.5')}
  />
);

/** Drags a project to another position in the list. */
function useDrag({ project, below }: ProjectRowProps) {
  const [dropAt, setDropAt] = useState<'before' | 'after' | null>(null);
  const placeOf = (event: DragEvent<HTMLElement>) => {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    return event.clientY < top + height / 2 ? 'before' : 'after';
  };
  const onDrop = (event: DragEvent<HTMLElement>) => {
    const dragged = event.dataTransfer.getData(DRAGGED);
    setDropAt(null);
    if (dragged === '' || dragged === project.id) return;
    event.preventDefault();
    const before = placeOf(event) === 'before' ? project.id : below;
    // The drag data is an id from this list.
    void moveProject(dragged as ProjectId, before);
  };
  return {
    dropAt,
    handlers: {
      onDragStart: (event: DragEvent<HTMLElement>) => {
        event.dataTransfer.setData(DRAGGED, project.id);
        event.dataTransfer.effectAllowed = 'move';
      },
      onDragOver: (event: DragEvent<HTMLElement>) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setDropAt(placeOf(event));
      },
      onDragLeave: () => setDropAt(null),
      onDrop,
    },
  };
}

interface MenuOptions {
  project: Project;
  /** Undefined if it cannot move that way. */
  up: (() => void) | undefined;
  down: (() => void) | undefined;
  t: ReturnType<typeof useT>;
  onRename(): void;
  onRemove(): void;
}

const menuItems = (options: MenuOptions): MenuItem[] => {
  const { project, up, down, t, onRename, onRemove } = options;
  const gone = t(project.remote === undefined ? 'sidebar.folderMissing' : 'sidebar.machineOffline');
  const whyMissing = project.missing ? gone : undefined;
  return [
    {
      label: t('sidebar.rename'),
      icon: <Pencil {...icon} />,
      shortcut: 'F2',
      onSelect: onRename,
    },
    {
      label: t('sidebar.moveUp'),
      icon: <ArrowUp {...icon} />,
      shortcut: 'Alt ↑',
      disabled: up === undefined ? t('app.isFirst') : undefined,
      onSelect: () => up?.(),
    },
    {
      label: t('sidebar.moveDown'),
      icon: <ArrowDown {...icon} />,
      shortcut: 'Alt ↓',
      disabled: down === undefined ? t('app.isLast') : undefined,
      onSelect: () => down?.(),
    },
    'separator',
    {
      label: t('sidebar.import'),
      icon: <FileInput {...icon} />,
      disabled: whyMissing,
      onSelect: () => void importThread(project.id),
    },
    ...(project.remote === undefined
      ? [
          {
            label: t('sidebar.reveal'),
            icon: <FolderSearch {...icon} />,
            disabled: whyMissing,
            onSelect: () => void revealProject(project),
          },
        ]
      : []),
    ...folderItems(options),
    'separator',
    {
      label: t('sidebar.remove'),
      icon: <Trash2 {...icon} />,
      shortcut: 'Del',
      danger: true,
      onSelect: onRemove,
    },
  ];
};

/** Where the folder is. */
const folderItems = ({ project, t }: MenuOptions): MenuItem[] => [
  ...(project.missing
    ? [
        {
          label: t(project.remote === undefined ? 'sidebar.lookAgain' : 'places.tryAgain'),
          icon: <RefreshCw {...icon} />,
          onSelect: () => void lookForFolder(project, t),
        },
      ]
    : []),
  project.remote === undefined
    ? {
        label: t('sidebar.reattach'),
        icon: <FolderSync {...icon} />,
        onSelect: () => void reattachProject(project, t),
      }
    : {
        label: t('sidebar.connection'),
        icon: <MonitorCog {...icon} />,
        onSelect: () => openSettings('places'),
      },
];

/** The label of the row's button: the folder, its name, and its activity while it is folded. */
const Name = ({ project, selected, open, within, isMenuOpen }: ProjectRowProps & { isMenuOpen: boolean }) => {
  const t = useT();
  const Icon = project.missing ? FolderX : selected ? FolderOpen : Folder;
  return (
    <>
      <span aria-hidden className="relative flex size-4 shrink-0 items-center">
        <Icon
          size={16}
          className={cx(
            project.missing ? 'text-deny' : 'text-fg-3',
            open ? 'group-focus-within/project:opacity-0 group-hover/project:opacity-0' : 'opacity-0',
          )}
        />
        <ChevronRight
          size={14}
          className={cx(
            'absolute left-px text-fg-3 transition-transform',
            open &&
              'rotate-90 opacity-0 group-focus-within/project:opacity-100 group-hover/project:opacity-100',
          )}
        />
      </span>
      <span className="min-w-0 truncate font-semibold">{project.name}</span>
      {project.remote !== undefined && (
        <span className="min-w-8 shrink-[9999] truncate text-small text-fg-3">
          {t('sidebar.onMachine', { machine: project.remote.machine })}
        </span>
      )}
      {(project.missing || project.isSample) && (
        // The row's buttons cover it; it stays part of the row's accessible name.
        <span
          className={cx(
            'flex shrink-0 group-focus-within/project:opacity-0 group-hover/project:opacity-0',
            isMenuOpen && 'opacity-0',
          )}
        >
          {project.missing ? (
            <Badge tone={project.remote === undefined ? 'deny' : 'ask'}>
              {t(project.remote === undefined ? 'sidebar.missing' : 'places.offline')}
            </Badge>
          ) : (
            <Badge>{t('sidebar.sample')}</Badge>
          )}
        </span>
      )}
      {!open && (
        <>
          <span className="grow" />
          <WithinMarks within={within} />
        </>
      )}
    </>
  );
};

/** The activity of folded threads. */
export const WithinMarks = ({ within }: { within: Within }) => {
  const t = useT();
  return (
    <span className="flex shrink-0 items-center gap-1.5 group-focus-within/project:invisible group-hover/project:invisible">
      {within.running > 0 && <Running />}
      {within.waiting > 0 && <WaitingMark count={within.waiting} />}
      {within.failed > 0 && (
        // No room for the word beside a name.
        <Badge tone="deny">
          <span title={t('sidebar.failed')}>
            <CircleAlert aria-hidden size={12} />
            <span className="sr-only">{t('sidebar.failed')}</span>
          </span>
        </Badge>
      )}
      {within.unread > 0 && <Unread />}
    </span>
  );
};
