import type { MemoryChoice, UsedMemory } from '@contract/commands/memories';
import type { MessageId, ThreadId } from '@contract/ids';
import { Brain, Pin, VolumeX } from 'lucide-react';
import { useEffect } from 'react';
import { create } from 'zustand';
import { useT } from '../../i18n';
import { call, onHostEvent, toast } from '../../link';
import { Badge, IconButton, Popover } from '../../ui';

const MEMORIES = '/memories/';

interface Known {
  turns: ReadonlyMap<string, readonly UsedMemory[]>;
  choices: Readonly<Record<string, MemoryChoice>>;
}

/** The memories used in threads' turns, requested once for all visible answers of a thread. */
const useUses = create<{ threads: ReadonlyMap<ThreadId, Known> }>()(() => ({ threads: new Map() }));
const holders = new Map<ThreadId, { count: number; stop: () => void }>();

const put = (threadId: ThreadId, known: Known | undefined) =>
  useUses.setState(({ threads }) => {
    const next = new Map(threads);
    if (known === undefined) next.delete(threadId);
    else next.set(threadId, known);
    return { threads: next };
  });

async function load(threadId: ThreadId): Promise<void> {
  const result = await call('memories.used', { threadId });
  // On failure, the answers appear without this additional information.
  if (!result.ok || !holders.has(threadId)) return;
  const { turns, choices } = result.value;
  put(threadId, { turns: new Map(turns.map(({ messageId, used }) => [messageId, used])), choices });
}

function hold(threadId: ThreadId): () => void {
  const held = holders.get(threadId);
  if (held) held.count += 1;
  else {
    const stop = onHostEvent('turn.ended', (event) => {
      if (event.threadId === threadId) void load(threadId);
    });
    holders.set(threadId, { count: 1, stop });
    void load(threadId);
  }
  return () => {
    const now = holders.get(threadId);
    if (!now) return;
    now.count -= 1;
    if (now.count > 0) return;
    now.stop();
    holders.delete(threadId);
    put(threadId, undefined);
  };
}

interface MemoryUseProps {
  threadId: ThreadId;
  /** The person's messages of the turn. */
  asked: readonly MessageId[];
}

/** The memories and instructions that the model was given in a turn; empty while unknown. */
export function useUsedMemories({ threadId, asked }: MemoryUseProps): readonly UsedMemory[] {
  useEffect(() => hold(threadId), [threadId]);
  const turns = useUses(({ threads }) => threads.get(threadId)?.turns);
  return turns === undefined ? NONE : asked.flatMap((id) => turns.get(id) ?? []);
}

const NONE: readonly UsedMemory[] = [];

/** In a turn's receipt: the memories that it used, and what the thread should do with them. */
export const MemoryUse = ({ threadId, used }: { threadId: ThreadId; used: readonly UsedMemory[] }) => {
  const t = useT();
  const choices = useUses(({ threads }) => threads.get(threadId)?.choices);
  const memories = used.filter(({ path }) => path.startsWith(MEMORIES));
  // The project's instructions alone are nothing to report after each turn.
  if (memories.length === 0) return null;
  return (
    <Popover
      label={t('chat.memoriesUsed')}
      width="min(26rem, 90vw)"
      trigger={
        <button
          type="button"
          className="flex h-6 shrink-0 items-center gap-1 rounded-control text-fg-3 tabular-nums hover:text-fg"
        >
          <Brain aria-hidden size={14} />
          {t('chat.memoriesUsedCount', { count: memories.length })}
        </button>
      }
    >
      <ul aria-label={t('chat.memoriesUsed')} className="flex flex-col p-1.5">
        {used.map((one) => (
          <Used key={`${one.how} ${one.path}`} threadId={threadId} used={one} choice={choices?.[one.path]} />
        ))}
      </ul>
      <p className="border-t border-line px-3 py-2 text-small text-fg-3">{t('chat.memoryChoiceHint')}</p>
    </Popover>
  );
};

const Used = ({
  threadId,
  used,
  choice,
}: {
  threadId: ThreadId;
  used: UsedMemory;
  choice: MemoryChoice | undefined;
}) => {
  const t = useT();
  const { path, how, tokens, unverified } = used;
  const name = path.replace(/^\/memories\//, '');
  const isMemory = path.startsWith(MEMORIES);
  const choose = async (wanted: MemoryChoice) => {
    const result = await call('memories.choose', {
      threadId,
      path,
      choice: choice === wanted ? null : wanted,
    });
    if (!result.ok) return toast(result.error.message);
    const known = useUses.getState().threads.get(threadId);
    if (known) put(threadId, { ...known, choices: result.value.choices });
  };
  return (
    <li className="flex min-h-7 items-center gap-2 px-1.5">
      <span className="min-w-0 grow truncate" title={path}>
        {name}
      </span>
      {unverified && <Badge tone="ask">{t('memories.unverified')}</Badge>}
      <span className="shrink-0 text-small text-fg-3 tabular-nums">
        {t(how === 'loaded' ? 'chat.memoryLoaded' : 'chat.memoryRead')} ·{' '}
        {t('chat.memoryTokens', { count: tokens })}
      </span>
      {isMemory && (
        <span className="flex shrink-0">
          <IconButton
            size="sm"
            label={t('chat.memoryPin', { name })}
            aria-pressed={choice === 'pinned'}
            className={choice === 'pinned' ? 'text-accent!' : ''}
            icon={<Pin size={14} />}
            onClick={() => void choose('pinned')}
          />
          <IconButton
            size="sm"
            label={t('chat.memoryMute', { name })}
            aria-pressed={choice === 'muted'}
            className={choice === 'muted' ? 'text-accent!' : ''}
            icon={<VolumeX size={14} />}
            onClick={() => void choose('muted')}
          />
        </span>
      )}
    </li>
  );
};
