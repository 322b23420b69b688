import type { FileMark } from '@contract/commands/files';
import type { ErrorInWords } from '@contract/result';
import {
  Brain,
  ChevronRight,
  File,
  FileSymlink,
  Folder,
  FolderOpen,
  FolderSymlink,
  NotebookPen,
  RotateCw,
} from 'lucide-react';
import type { DragEvent, MouseEvent } from 'react';
import { useT } from '../../../i18n';
import { Button, cx, LineName, plainName, Spinner } from '../../../ui';
import { NameField } from './name-field';
import type { Row } from './tree';

/** Indent per level in pixels: the width of the icon that expands a directory. */
const INDENT = 14;

interface TreeRowProps {
  row: Row;
  id: string;
  isFocused: boolean;
  /** Whether the tree has the keyboard focus, so the focused row shows its ring. */
  hasKeyboard: boolean;
  isOpenFile: boolean;
  /** The git status of the file, or of the folder's contents. */
  mark: FileMark | undefined;
  /** Whether ignore files exclude it. Searches and quick open exclude it too. */
  isIgnored: boolean;
  /** Whether it is the drop target. */
  isTarget: boolean;
  isRenaming: boolean;
  canDrag: boolean;
  onActivate(): void;
  onRetry(): void;
  onMenu(event: MouseEvent): void;
  onDragStart(event: DragEvent): void;
  onDragOver(event: DragEvent): void;
  onDrop(event: DragEvent): void;
  /** Applies the name of a new or renamed row. Returns the error, if any. */
  onName(name: string): Promise<ErrorInWords | undefined>;
  onCancelName(): void;
}

/** Pointer and drag events of a row. */
type Pointing = Pick<TreeRowProps, 'onMenu' | 'onDragStart' | 'onDragOver' | 'onDrop'>;
const pointing = ({ onMenu, onDragStart, onDragOver, onDrop }: Pointing) => ({
  onContextMenu: onMenu,
  onDragStart,
  onDragOver,
  onDrop,
});

/**
 * The tree keeps the focus, not its rows: a row that is scrolled away would lose it, and a row that gives it away on mouse
 * down cannot be dragged.
 */
const NO_FOCUS = undefined;

/** One row of the tree, 28 px high. */
export const TreeRow = (props: TreeRowProps) => {
  const { row, id, isFocused, hasKeyboard, isOpenFile, mark, onActivate, onRetry } = props;
  const t = useT();
  const indent = { paddingLeft: 8 + (row.level - 1) * INDENT };
  if (row.kind === 'loading' || row.kind === 'empty') return <NoteRow row={row} indent={indent} />;
  if (row.kind === 'naming')
    return (
      <NamingRow id={id} row={row} indent={indent} onName={props.onName} onCancel={props.onCancelName} />
    );

  const look = cx(
    'flex h-7 w-full items-center gap-1.5 pr-2 text-left',
    isOpenFile ? 'bg-accent-soft' : 'hover:bg-hover',
    isFocused && hasKeyboard && 'outline-2 -outline-offset-2 outline-accent',
    props.isTarget && 'bg-accent-soft outline-1 -outline-offset-1 outline-accent',
  );
  const shared = { id, 'aria-level': row.level, 'aria-selected': isOpenFile };
  if (row.kind === 'failed')
    return (
      <FailedRow {...shared} className={look} style={indent} message={row.error.message} onRetry={onRetry} />
    );
  if (row.kind === 'more') {
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the focused tree handles the keys
      <div
        {...shared}
        role="treeitem"
        tabIndex={NO_FOCUS}
        className={cx(look, 'text-accent')}
        style={indent}
        onClick={onActivate}
      >
        <span className="size-3.5 shrink-0" />
        <span className="truncate">{t('files.showMore', { count: row.left })}</span>
      </div>
    );
  }
  const said =
    mark !== undefined ? t(MARK_WORDS[mark]) : props.isIgnored ? t('files.markIgnored') : undefined;
  const isFolder = row.kind === 'root' || row.entry.kind === 'directory';
  const name = row.kind === 'root' ? row.root.label : row.entry.name;
  const title =
    row.kind === 'entry'
      ? plainName(row.path)
      : row.root.kind === 'scratch'
        ? t('files.scratchHint')
        : row.path;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the focused tree handles the keys
    <div
      {...shared}
      role="treeitem"
      tabIndex={NO_FOCUS}
      aria-expanded={isFolder ? row.expanded : undefined}
      {...(row.kind === 'entry' ? { 'aria-posinset': row.position, 'aria-setsize': row.siblings } : {})}
      className={cx(look, row.kind === 'root' && 'font-medium')}
      style={indent}
      title={said === undefined ? title : `${title} · ${said}`}
      draggable={props.canDrag && !props.isRenaming}
      onClick={onActivate}
      {...pointing(props)}
    >
      <ChevronRight
        aria-hidden
        size={14}
        className={cx('shrink-0 text-fg-3', isFolder ? row.expanded && 'rotate-90' : 'invisible')}
      />
      <span aria-hidden className="shrink-0 text-fg-3">
        <Icon row={row} />
      </span>
      <RowName {...props} name={name} note={said} />
      {row.kind === 'entry' && row.entry.kind === 'link' && (
        <span className="text-small text-fg-3">{t('files.link')}</span>
      )}
      {row.kind === 'entry' && row.entry.kind === 'other' && (
        <span className="text-small text-fg-3">{t('files.special')}</span>
      )}
      {row.kind === 'root' && row.root.isOffline === true && (
        <span className="ml-auto shrink-0 pl-1 text-small font-medium text-ask-text">
          {t('places.offline')}
        </span>
      )}
      {mark !== undefined && !props.isRenaming && (
        <span className={cx('ml-auto shrink-0 pl-1 text-small font-medium', MARK_COLORS[mark])}>
          <span aria-hidden>{isFolder ? '•' : MARK_LETTERS[mark]}</span>
          <span className="sr-only">{t(MARK_WORDS[mark])}</span>
        </span>
      )}
    </div>
  );
};

type Indent = { paddingLeft: number };

/** Shown instead of a folder's rows while they load or if there are none. */
const NoteRow = ({ row, indent }: { row: Extract<Row, { kind: 'loading' | 'empty' }>; indent: Indent }) => {
  const t = useT();
  const words = {
    project: 'files.emptyFolder',
    memories: 'files.emptyMemories',
    scratch: 'files.emptyScratch',
    place: 'files.emptyFolder',
  } as const;
  const isLoading = row.kind === 'loading';
  const text = t(isLoading ? 'files.loading' : row.level === 2 ? words[row.root.kind] : 'files.emptyFolder');
  return (
    <div className="flex h-7 items-center gap-1.5 pr-2 text-small text-fg-3" style={indent}>
      <span className="size-3.5 shrink-0" />
      {isLoading && <Spinner size={12} />}
      <span className="truncate" title={text}>
        {text}
      </span>
    </div>
  );
};

interface NamingRowProps {
  id: string;
  row: Extract<Row, { kind: 'naming' }>;
  indent: Indent;
  onName: TreeRowProps['onName'];
  onCancel(): void;
}

/** A new file or folder that has no name yet. */
const NamingRow = ({ id, row, indent, onName, onCancel }: NamingRowProps) => {
  const t = useT();
  const isFolder = row.what === 'directory';
  return (
    <div
      id={id}
      role="treeitem"
      tabIndex={NO_FOCUS}
      aria-level={row.level}
      aria-selected={false}
      className="flex h-7 items-center gap-1.5 pr-2"
      style={indent}
    >
      <span className="size-3.5 shrink-0" />
      <span aria-hidden className="shrink-0 text-fg-3">
        {isFolder ? <Folder size={16} /> : <File size={16} />}
      </span>
      <NameField
        label={t(isFolder ? 'files.newFolderName' : 'files.newFileName')}
        name=""
        onName={onName}
        onCancel={onCancel}
      />
    </div>
  );
};

interface FailedRowProps {
  id: string;
  'aria-level': number;
  'aria-selected': boolean;
  className: string;
  style: Indent;
  message: string;
  onRetry(): void;
}

/** A folder that could not be read. */
const FailedRow = ({ message, onRetry, ...shared }: FailedRowProps) => {
  const t = useT();
  return (
    <div {...shared} role="treeitem" tabIndex={NO_FOCUS} title={message}>
      <span className="size-3.5 shrink-0" />
      <span role="alert" className="min-w-0 grow truncate text-small text-deny">
        {message}
      </span>
      <Button size="sm" variant="ghost" tabIndex={-1} icon={<RotateCw size={12} />} onClick={onRetry}>
        {t('files.tryAgain')}
      </Button>
    </div>
  );
};

/** The name of a file or folder, or the field to rename it. `note`: its git status. */
const RowName = (props: TreeRowProps & { name: string; note: string | undefined }) => {
  const { name, note, mark } = props;
  const t = useT();
  if (props.isRenaming)
    return (
      <NameField
        label={t('files.renameOf', { name })}
        name={name}
        onName={props.onName}
        onCancel={props.onCancelName}
      />
    );
  return (
    <span
      className={cx('flex min-w-0', mark === undefined ? props.isIgnored && 'text-fg-3' : MARK_COLORS[mark])}
    >
      <LineName name={name} />
      {mark === undefined && props.isIgnored && <span className="sr-only"> {note}</span>}
    </span>
  );
};

const MARK_LETTERS: Record<FileMark, string> = { changed: 'M', untracked: 'U', conflict: '!' };
const MARK_WORDS = {
  changed: 'files.markChanged',
  untracked: 'files.markUntracked',
  conflict: 'files.markConflict',
} as const;
const MARK_COLORS: Record<FileMark, string> = {
  changed: 'text-ask-text',
  untracked: 'text-ok',
  conflict: 'text-deny',
};

const Icon = ({ row }: { row: Extract<Row, { kind: 'root' | 'entry' }> }) => {
  const look = { size: 16 };
  if (row.kind === 'root' && row.root.kind === 'memories') return <Brain {...look} />;
  if (row.kind === 'root' && row.root.kind === 'scratch') return <NotebookPen {...look} />;
  if (row.kind === 'root' && row.root.kind === 'place') return <FolderSymlink {...look} />;
  if (row.kind === 'root' || row.entry.kind === 'directory')
    return row.expanded ? <FolderOpen {...look} /> : <Folder {...look} />;
  return row.entry.kind === 'link' ? <FileSymlink {...look} /> : <File {...look} />;
};
