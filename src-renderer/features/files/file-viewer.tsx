import type { ProjectId, ThreadId } from '@contract/ids';
import { Copy, FolderSearch, RotateCw, WrapText, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { call, toast, useApp } from '../../link';
import { Button, EmptyState, ErrorNote, IconButton, Skeleton } from '../../ui';
import { useCopyPath } from './copy-path';
import { FileText } from './file-text';
import type { OpenFile } from './lines';
import { isWithin } from './tree';
import { useFile } from './use-file';

interface FileViewerProps {
  projectId: ProjectId;
  /** Needed for scratch files; null reads the project folder and the memories only. */
  threadId: ThreadId | null;
  /** Absolute, as the agent's tools name it. */
  path: string;
  onClose(): void;
}

/** A file, read by pages as it is scrolled, which follows changes on disk and keeps the reader's place. */
export const FileViewer = (props: FileViewerProps) => <Viewer key={props.path} {...props} />;

function Viewer({ projectId, threadId, path, onClose }: FileViewerProps) {
  const t = useT();
  const [wrap, setWrap] = useState(false);
  const { file, show, reload } = useFile(projectId, threadId, path);
  const copyPath = useCopyPath();
  const mount = useApp((app) => app.projects.find((project) => project.id === projectId)?.mount);
  const isOnDisk = mount !== undefined && isWithin(path, mount);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const reveal = async () => {
    const result = await call('files.reveal', { projectId, path });
    if (!result.ok) toast(result.error.message);
  };

  return (
    <section aria-label={path} className="flex h-full min-h-0 flex-col bg-bg">
      <header className="flex h-9 shrink-0 items-center gap-0.5 border-b border-line pr-1.5 pl-3">
        <span className="flex min-w-0 grow items-baseline gap-2" title={path}>
          <span className="selectable truncate font-medium">{name}</span>
          <Facts file={file} />
        </span>
        {file.phase === 'text' && (
          <IconButton
            size="sm"
            label={t('files.wrap')}
            pressed={wrap}
            onClick={() => setWrap(!wrap)}
            icon={<WrapText size={16} strokeWidth={1.5} />}
          />
        )}
        <IconButton
          size="sm"
          label={t('files.copyPath')}
          onClick={() => void copyPath(path)}
          icon={<Copy size={16} strokeWidth={1.5} />}
        />
        {isOnDisk && (
          <IconButton
            size="sm"
            label={t('files.reveal')}
            onClick={() => void reveal()}
            icon={<FolderSearch size={16} strokeWidth={1.5} />}
          />
        )}
        <IconButton
          size="sm"
          label={t('files.backToTree')}
          onClick={onClose}
          icon={<X size={16} strokeWidth={1.5} />}
        />
      </header>
      <div className="min-h-0 grow">
        {file.phase === 'loading' && <Skeleton lines={8} />}
        {file.phase === 'failed' && (
          <div className="p-3">
            <ErrorNote
              message={file.error.kind === 'not_found' ? t('files.viewerGone') : file.error.message}
              detail={file.error.detail}
              actions={
                <Button size="sm" icon={<RotateCw size={14} />} onClick={reload}>
                  {t('files.refresh')}
                </Button>
              }
            />
          </div>
        )}
        {file.phase === 'binary' && (
          <Binary
            size={file.size}
            action={isOnDisk ? <Button onClick={() => void reveal()}>{t('files.reveal')}</Button> : null}
          />
        )}
        {file.phase === 'text' && <FileText file={file} name={name} wrap={wrap} onShow={show} />}
      </div>
    </section>
  );
}

const Facts = ({ file }: { file: OpenFile }) => {
  const t = useT();
  const { bytes } = useFormats();
  if (file.phase !== 'text') return null;
  const lines = file.isWhole
    ? t('files.lines', { count: file.count })
    : t('files.linesSoFar', { count: file.count - 1 });
  return (
    <span className="truncate text-small text-fg-3 tabular-nums">
      {file.size === null ? lines : `${lines} · ${bytes(file.size)}`}
    </span>
  );
};

const Binary = ({ size, action }: { size: number | null; action: ReactNode }) => {
  const t = useT();
  const { bytes } = useFormats();
  return (
    <EmptyState action={action}>
      {size === null ? t('files.binary') : t('files.binarySized', { size: bytes(size) })}
    </EmptyState>
  );
};
