import type { MemoryEntry } from '@contract/app';
import type { MessageId, ThreadId } from '@contract/ids';
import { useFormats, useT } from '../../i18n';
import { call, toast, useApp } from '../../link';

/** `preferences.md` of `/memories/preferences.md` and of `/memories/shared/preferences.md`. */
export const nameOf = (path: string): string => path.replace(/^\/memories\/(shared\/)?/, '');

/** It is for everywhere. */
export const isShared = (path: string): boolean => path.startsWith('/memories/shared/');

/** Nobody confirmed it. */
export const isUnverified = ({ writtenBy }: MemoryEntry): boolean =>
  writtenBy.by === 'agent' && writtenBy.unverified === true;

/** Describes who last wrote a memory. */
export function useWriter(memory: MemoryEntry): string {
  const t = useT();
  const { writtenBy } = memory;
  const threadId = writtenBy.by === 'agent' ? writtenBy.threadId : null;
  const thread = useApp((app) => app.threads.find((other) => other.id === threadId)?.title);
  if (writtenBy.by === 'person') return t('memories.byPerson');
  return thread === undefined ? t('memories.byAgent') : t('memories.byAgentIn', { thread });
}

/** Who wrote it and when. Links to the thread where it was written, if that still exists. */
export const WrittenBy = ({
  memory,
  onOpenThread,
}: {
  memory: MemoryEntry;
  onOpenThread(id: ThreadId, messageId?: MessageId): void;
}) => {
  const t = useT();
  const { ago, moment } = useFormats();
  const writer = useWriter(memory);
  const { writtenBy } = memory;
  const threadId = writtenBy.by === 'agent' ? writtenBy.threadId : null;
  const isThere = useApp((app) => app.threads.some((thread) => thread.id === threadId));
  const isGone = threadId !== null && !isThere;
  const openOrigin = async (id: ThreadId) => {
    const callId = writtenBy.by === 'agent' ? writtenBy.callId : null;
    const result = await call('memories.origin', { threadId: id, callId });
    if (!result.ok) toast(t('memories.threadGone'));
    else onOpenThread(id, result.value.messageId ?? undefined);
  };
  return (
    <span className="flex min-w-0 items-baseline gap-1 text-small text-fg-3">
      {threadId !== null && isThere ? (
        <button
          type="button"
          className="min-w-0 truncate rounded-control text-accent hover:underline"
          title={t('memories.openThread')}
          onClick={() => void openOrigin(threadId)}
        >
          {writer}
        </button>
      ) : (
        <span className="min-w-0 truncate">
          {isGone ? `${writer} · ${t('memories.threadGone')}` : writer}
        </span>
      )}
      <time className="shrink-0" title={moment(memory.updatedAt)}>
        · {ago(memory.updatedAt, Date.now())}
      </time>
    </span>
  );
};
