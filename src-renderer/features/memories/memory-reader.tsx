import type { MemoryEntry } from '@contract/app';
import type { MessageId, ThreadId } from '@contract/ids';
import { ArrowLeft, Code, FolderInput, Globe, History, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n';
import { call, openLink, toast } from '../../link';
import {
  Badge,
  Button,
  ErrorNote,
  IconButton,
  LoadFailed,
  Markdown,
  Skeleton,
  useFocusIfLost,
} from '../../ui';
import type { Editor } from './editor';
import { MemoryHistory } from './memory-history';
import { useOpenMemory } from './use-memories';
import { isShared, isUnverified, nameOf, WrittenBy } from './written-by';

interface MemoryReaderProps {
  editor: Extract<Editor, { phase: 'loading' | 'failed' | 'reading' }>;
  onBack(): void;
  onEdit(): void;
  onDelete(path: string): void;
  onMove(path: string): void;
  onRetry(path: string): void;
  onOpenThread(threadId: ThreadId, messageId?: MessageId): void;
}

/** One memory, rendered. */
export const MemoryReader = ({
  editor,
  onBack,
  onEdit,
  onDelete,
  onMove,
  onRetry,
  onOpenThread,
}: MemoryReaderProps) => {
  const t = useT();
  const [isRaw, setRaw] = useState(false);
  const [isHistory, setHistory] = useState(false);
  const back = useFocusIfLost<HTMLButtonElement>(isHistory);
  const path = editor.phase === 'reading' ? editor.open.memory.path : editor.path;
  if (isHistory) return <MemoryHistory path={path} onClose={() => setHistory(false)} />;
  return (
    <article aria-label={nameOf(path)} className="flex h-full min-h-0 flex-col">
      <header className="flex h-9 shrink-0 items-center gap-1 border-b border-line px-1.5">
        <IconButton
          ref={back}
          size="sm"
          label={t('memories.back')}
          icon={<ArrowLeft size={16} />}
          onClick={onBack}
        />
        <h2 className="selectable min-w-0 grow truncate font-medium" title={path}>
          {nameOf(path)}
        </h2>
        {isShared(path) && <Badge>{t('memories.everywhere')}</Badge>}
        {editor.phase === 'reading' && (
          <ReaderActions
            {...{ path, isRaw, onEdit, onDelete, onMove }}
            onRaw={() => setRaw(!isRaw)}
            onHistory={() => setHistory(true)}
          />
        )}
      </header>
      <div className="min-h-0 grow overflow-y-auto">
        {editor.phase === 'loading' && <Skeleton lines={5} />}
        {editor.phase === 'failed' && (
          <div className="p-3">
            <LoadFailed error={editor.error} onRetry={() => onRetry(path)} />
          </div>
        )}
        {editor.phase === 'reading' && (
          <MemoryBody open={editor.open} isRaw={isRaw} onOpenThread={onOpenThread} />
        )}
      </div>
    </article>
  );
};

interface ReaderActionsProps extends Pick<MemoryReaderProps, 'onEdit' | 'onDelete' | 'onMove'> {
  path: string;
  isRaw: boolean;
  onRaw(): void;
  onHistory(): void;
}

const ReaderActions = ({ path, isRaw, onRaw, onHistory, onEdit, onDelete, onMove }: ReaderActionsProps) => {
  const t = useT();
  const hasProject = useOpenMemory((state) => state.projectId !== null);
  return (
    <>
      {hasProject && (
        <IconButton
          size="sm"
          label={t(isShared(path) ? 'memories.moveHere' : 'memories.moveEverywhere')}
          icon={isShared(path) ? <FolderInput size={16} /> : <Globe size={16} />}
          onClick={() => onMove(path)}
        />
      )}
      <IconButton
        size="sm"
        label={t('memories.raw')}
        pressed={isRaw}
        icon={<Code size={16} />}
        onClick={onRaw}
      />
      <IconButton size="sm" label={t('memories.history')} icon={<History size={16} />} onClick={onHistory} />
      <IconButton size="sm" label={t('memories.edit')} icon={<Pencil size={16} />} onClick={onEdit} />
      <IconButton
        size="sm"
        label={t('memories.delete')}
        icon={<Trash2 size={16} />}
        onClick={() => onDelete(path)}
      />
    </>
  );
};

interface MemoryBodyProps extends Pick<MemoryReaderProps, 'onOpenThread'> {
  open: Extract<MemoryReaderProps['editor'], { phase: 'reading' }>['open'];
  isRaw: boolean;
}

/** Who wrote the memory, whether it is unverified, and its text. */
const MemoryBody = ({ open: { memory, text }, isRaw, onOpenThread }: MemoryBodyProps) => {
  const t = useT();
  return (
    <div className="flex flex-col gap-3 p-3">
      <WrittenBy memory={memory} onOpenThread={onOpenThread} />
      {isUnverified(memory) && (
        <ErrorNote
          tone="ask"
          message={t('memories.unverifiedWhy')}
          actions={
            <Button size="sm" onClick={() => void confirm(memory)}>
              {t('memories.confirm')}
            </Button>
          }
        />
      )}
      {text === '' ? (
        <p className="text-fg-3">{t('memories.emptyText')}</p>
      ) : isRaw ? (
        <pre className="selectable font-mono text-small break-words whitespace-pre-wrap">{text}</pre>
      ) : (
        <Markdown text={text} onOpenLink={openLink} />
      )}
    </div>
  );
};

/** The person confirms what they read. */
async function confirm({ path, updatedAt }: MemoryEntry): Promise<void> {
  const result = await call('memories.confirm', {
    path,
    expectedUpdatedAt: updatedAt,
    projectId: useOpenMemory.getState().projectId,
  });
  if (!result.ok) toast(result.error.message);
}
