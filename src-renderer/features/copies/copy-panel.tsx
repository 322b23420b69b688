import type { Project } from '@contract/app';
import type { CopyDifference } from '@contract/copies';
import type { ThreadId } from '@contract/ids';
import { Copy, FileDiff, FileSearch2, FolderInput } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n';
import { useLiveAnswer } from '../../link';
import {
  Badge,
  Button,
  ContextMenu,
  EmptyState,
  LineCounts,
  LoadFailed,
  PathList,
  PathName,
  Skeleton,
  useBusy,
  useContextMenu,
  useCopy,
  useFocusBack,
  useKept,
} from '../../ui';
import { bringIn } from './bring-in';
import { CopyFile } from './copy-file';
import { keptFor } from './kept-for';
import { ThrowAway } from './throw-away';

interface CopyPanelProps {
  /** The copy. */
  project: Project;
  threadId: ThreadId;
  /** `path` is relative to the folder. */
  onOpenFile(path: string): void;
}

/** What a private copy changed, compared with the folder, to bring it in or throw it away. */
export const CopyPanel = (props: CopyPanelProps) => <Panel key={props.project.id} {...props} />;

/** The open file and the choices stay while another tab is shown, and when the panel becomes a drawer. */
const Panel = (props: CopyPanelProps) => {
  const { project, threadId, onOpenFile } = props;
  const [path, changePath] = useKept<string | undefined>(keptFor(project), 'path', () => undefined);
  const [last, setLast] = useState<string>();
  if (path !== undefined)
    return (
      <CopyFile
        key={path}
        project={project}
        threadId={threadId}
        path={path}
        onBack={() => {
          setLast(path);
          // Another file may be shown by the time that this one was brought in.
          changePath((now) => (now === path ? undefined : now));
        }}
        onOpenFile={() => onOpenFile(path)}
      />
    );
  return <List {...props} cameFrom={last} onOpen={(next) => changePath(() => next)} />;
};

interface ListProps extends CopyPanelProps {
  cameFrom: string | undefined;
  onOpen(path: string): void;
}

const List = ({ project, threadId, cameFrom, onOpen, onOpenFile }: ListProps) => {
  const t = useT();
  const { answer, reload } = useLiveAnswer('copies.changes', { projectId: project.id });
  /** Files that the person left out. */
  const [left, setLeft] = useKept<ReadonlySet<string>>(keptFor(project), 'left out', () => new Set());
  const [busy, during] = useBusy();
  const keepsFocus = useFocusBack(answer);
  if (project.missing) return <EmptyState icon={<FileDiff size={32} />}>{t('copies.goneHint')}</EmptyState>;
  if (answer.phase === 'loading') return <Skeleton lines={5} />;
  if (answer.phase === 'failed')
    return (
      <div className="flex flex-col items-start gap-2 p-3">
        <LoadFailed error={answer.error} onRetry={reload} />
        <ThrowAway project={project} />
      </div>
    );
  const { files, more, uncounted = 0 } = answer.value;
  const chosen = files.filter(({ path, state }) => state !== 'conflict' && !left.has(path));
  const isAll = chosen.length === files.length;
  const bring = async () => {
    const paths = isAll ? undefined : chosen.map(({ path }) => path);
    await during(bringIn({ projectId: project.id, threadId }, paths === undefined ? {} : { paths }, t));
    reload();
  };
  const toggle = (path: string) =>
    setLeft((before) => {
      const next = new Set(before);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  const conflicts = files.filter(({ state }) => state === 'conflict').length;
  return (
    <div className="flex h-full min-h-0 flex-col" {...keepsFocus}>
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line py-1.5 pr-2 pl-3">
        <span className="grow text-small text-fg-2 tabular-nums">
          {t('copies.count', { count: files.length + more })}
        </span>
        <span className="ml-auto flex flex-wrap justify-end gap-2">
          <ThrowAway project={project} />
          <Button
            size="sm"
            variant="primary"
            busy={busy}
            disabled={chosen.length === 0}
            icon={<FolderInput aria-hidden size={14} />}
            onClick={() => void bring()}
          >
            {isAll ? t('copies.bringIn') : t('copies.bringInSome', { count: chosen.length })}
          </Button>
        </span>
      </div>
      {conflicts > 0 && (
        <p role="status" className="shrink-0 border-b border-line px-3 py-1.5 text-small text-ask-text">
          {t('copies.conflicts', { count: conflicts })}
        </p>
      )}
      {files.length === 0 ? (
        <EmptyState icon={<FileDiff size={32} />}>{t('copies.same')}</EmptyState>
      ) : (
        <PathList
          items={files}
          label={t('copies.files')}
          notes={[
            more > 0 && t('changes.more', { count: more }),
            uncounted > 0 && t('changes.uncounted', { count: uncounted }),
          ]}
          cameFrom={cameFrom}
        >
          {(file) => (
            <Row
              file={file}
              chosen={file.state !== 'conflict' && !left.has(file.path)}
              onToggle={() => toggle(file.path)}
              onOpen={() => onOpen(file.path)}
              onOpenFile={() => onOpenFile(file.path)}
            />
          )}
        </PathList>
      )}
    </div>
  );
};

interface RowProps {
  file: CopyDifference;
  chosen: boolean;
  onToggle(): void;
  onOpen(): void;
  onOpenFile(): void;
}

const Row = ({ file, chosen, onToggle, onOpen, onOpenFile }: RowProps) => {
  const t = useT();
  const copy = useCopy();
  const menu = useContextMenu();
  const { path, state, added, removed } = file;
  return (
    <li onContextMenu={menu.onContextMenu} className="flex h-full list-none items-center pl-3 hover:bg-hover">
      <input
        type="checkbox"
        aria-label={t('copies.choose', { path })}
        disabled={state === 'conflict'}
        checked={chosen}
        onChange={onToggle}
      />
      <button
        type="button"
        data-row
        title={path}
        className="flex h-full min-w-0 grow items-center gap-2 px-2 text-left -outline-offset-2"
        onClick={onOpen}
      >
        <PathName path={path} />
        {file.obeyed === true && <Badge tone="ask">{t('copies.obeyed')}</Badge>}
        {state === 'conflict' && <Badge tone="deny">{t('copies.conflict')}</Badge>}
        {state === 'merge' && <Badge tone="accent">{t('copies.merge')}</Badge>}
        {added !== null && removed !== null && <LineCounts added={added} removed={removed} />}
        <span className="w-14 shrink-0 truncate text-right text-small text-fg-3">
          {t(`changes.${file.change}`)}
        </span>
      </button>
      <ContextMenu
        state={menu}
        label={t('changes.rowActions', { path })}
        items={() => [
          { label: t('changes.openChanges'), icon: <FileDiff size={14} />, onSelect: onOpen },
          {
            label: t('changes.openFile'),
            icon: <FileSearch2 size={14} />,
            disabled: file.change === 'removed' ? t('changes.fileGone') : undefined,
            onSelect: onOpenFile,
          },
          {
            label: t('files.copyRelative'),
            icon: <Copy size={14} />,
            onSelect: () => copy(path, t('files.pathCopied')),
          },
          'separator',
          {
            label: t('copies.bringInFile'),
            icon: <FolderInput size={14} />,
            checked: chosen,
            disabled: state === 'conflict' ? t('git.hasConflict') : undefined,
            onSelect: onToggle,
          },
        ]}
      />
    </li>
  );
};
