import type { Message, Turn, Writing } from '@contract/conversation';
import { type Translate, useFormats, useT } from '../../i18n';
import { Spinner, useElapsed } from '../../ui';

/** Milliseconds before the time is shown. */
const LONG = 3_000;

/** When the last message, or the last call in it, was over. */
export const endOf = (message: Message | undefined): number =>
  message === undefined
    ? 0
    : Math.max(
        message.at,
        ...(message.role === 'agent'
          ? message.calls.map(({ startedAt = 0, durationMs = 0 }) => startedAt + durationMs)
          : []),
      );

/** What the agent does while nothing of it is shown yet: it thinks, or writes a call. */
export const AtWork = ({ turn, since }: { turn: Extract<Turn, { phase: 'running' }>; since: number }) => {
  const t = useT();
  const { duration } = useFormats();
  const ran = useElapsed(since);
  const intent = turn.writing === undefined ? undefined : intentOf(turn.writing, t);
  const words = intent ?? t(turn.detail === 'compacting' ? 'chat.compacting' : 'chat.working');
  return (
    <p className="flex h-6 items-center gap-2 text-fg-3 tabular-nums">
      <Spinner size={14} />
      <span className="min-w-0 truncate">
        {intent === undefined && ran >= LONG
          ? `${words} · ${duration(Math.floor(ran / 1_000) * 1_000)}`
          : words}
      </span>
    </p>
  );
};

function intentOf({ display, path, lines }: Writing, t: Translate): string | undefined {
  const name = path?.slice(path.lastIndexOf('/') + 1);
  if (display === 'command') return t('chat.writingCommand');
  if ((display !== 'write' && display !== 'edit') || name === undefined) return undefined;
  const words = t(display === 'write' ? 'chat.writingFile' : 'chat.editingFile', { name });
  return lines === 0 ? words : `${words} · ${t('chat.lines', { count: lines + 1 })}`;
}
