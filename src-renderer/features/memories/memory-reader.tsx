import type { MemoryEntry } from '@contract/app';
import type { MessageId, ThreadId } from '@contract/ids';
import { ArrowLeft, Code, FolderInput, Globe, History, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n';
import { call, toast } from '../../link';
import { Badge, Button, ErrorNote, IconButton, Markdown, Skeleton } from '../../ui';
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
  const hasProject = useOpenMemory((state) => state.projectId !== null);
  const [isRaw, setRaw] = useState(false);
  const [isHistory, setHistory] = useState(false);
  const path = editor.phase === 'reading' ? editor.open.memory.path : editor.path;
  if (isHistory) return <MemoryHistory path={path} onClose={() => setHistory(false)} />;
  return (
    <article aria-label={nameOf(path)} className="flex h-full min-h-0 flex-col">
      <header className="flex h-9 shrink-0 items-center gap-1 border-b border-line px-1.5">
        <IconButton size="sm" label={t('memories.back')} icon={<ArrowLeft size={16} />} onClick={onBack} />
        <h2 className="selectable min-w-0 grow truncate font-medium" title={path}>
          {nameOf(path)}
        </h2>
        {isShared(path) && <Badge>{t('memories.everywhere')}</Badge>}
        {editor.phase === 'reading' && (
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
              onClick={() => setRaw(!isRaw)}
            />
            <IconButton
              size="sm"
              label={t('memories.history')}
              icon={<History size={16} />}
              onClick={() => setHistory(true)}
            />
            <IconButton size="sm" label={t('memories.edit')} icon={<Pencil size={16} />} onClick={onEdit} />
            <IconButton
              size="sm"
              label={t('memories.delete')}
              icon={<Trash2 size={16} />}
              onClick={() => onDelete(path)}
            />
          </>
        )}
      </header>
      <div className="min-h-0 grow overflow-y-auto">
        {editor.phase === 'loading' && <Skeleton lines={5} />}
        {editor.phase === 'failed' && (
          <div className="p-3">
            <ErrorNote
              message={editor.error.message}
              detail={editor.error.detail}
              actions={
                <Button size="sm" onClick={() => onRetry(path)}>
                  {t('memories.tryAgain')}
                </Button>
              }
            />
          </div>
        )}
        {editor.phase === 'reading' && (
          <div className="flex flex-col gap-3 p-3">
            <WrittenBy memory={editor.open.memory} onOpenThread={onOpenThread} />
            {isUnverified(editor.open.memory) && (
              <ErrorNote
                tone="ask"
                message={t('memories.unverifiedWhy')}
                actions={
                  <Button size="sm" onClick={() => void confirm(editor.open.memory)}>
                    {t('memories.confirm')}
                  </Button>
                }
              />
            )}
            {editor.open.text === '' ? (
              <p className="text-fg-3">{t('memories.emptyText')}</p>
            ) : isRaw ? (
              <pre className="selectable font-mono text-small break-words whitespace-pre-wrap">
                {editor.open.text}
              </pre>
            ) : (
              <Markdown text={editor.open.text} onOpenLink={openLink} />
            )}
          </div>
        )}
      </div>
    </article>
  );
};

/** The user confirms what they read. */
async function confirm({ path, updatedAt }: MemoryEntry): Promise<void> {
  const result = await call('memories.confirm', {
    path,
    expectedUpdatedAt: updatedAt,
    projectId: useOpenMemory.getState().projectId,
  });
  if (!result.ok) toast(result.error.message);
}

/** The main process asks the user before it opens a link. */
function openLink(url: string): void {
  void call('link.open', { url }).then((result) => {
    if (!result.ok) toast(result.error.message);
  });
}
