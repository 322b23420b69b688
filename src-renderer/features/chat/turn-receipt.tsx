import type { MemoryChange, ToolCall } from '@contract/conversation';
import type { MessageId, ThreadId } from '@contract/ids';
import { ChevronRight, FileDiff, ReceiptText, Undo2 } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { changedAt, openFile, revert, showChanges } from '../../link';
import { Button, cx, ExactText, LineCounts, useFocusBack } from '../../ui';
import { isJob, JobExit } from './calls/job-exit';
import { useFolderGone } from './folder-gone';
import { MemoryUse, useUsedMemories } from './memory-use';
import type { ByCall, FinishedTurn, NestedMessage } from './segments';
import { hasFailed, type TurnFacts, turnFacts } from './turn-facts';
import { type TurnFiles, useTurnFiles } from './use-turn-files';

interface TurnReceiptProps {
  threadId: ThreadId;
  mount: string;
  turn: FinishedTurn;
  nested: ByCall<NestedMessage[]>;
}

/** This many files or commands are named in the line; more are counted. */
const NAMED = 2;
/** Characters of a command in the line. */
const MAX_COMMAND_LENGTH = 40;

/** The end of a turn in one line: files, commands, memories, and cost. It opens to the whole list. */
export const TurnReceipt = ({ threadId, mount, turn, nested }: TurnReceiptProps) => {
  const t = useT();
  const { money } = useFormats();
  const [open, setOpen] = useState(false);
  const facts = turnFacts(turn, nested);
  const [first] = turn.asked;
  const changes = useTurnFiles(threadId, facts.mayChangeFiles ? first : undefined);
  const keepsFocus = useFocusBack(changes);
  const used = useUsedMemories({ threadId, asked: turn.asked });
  const { commands, memories, costMicroDollars: cost } = facts;
  const pieces: ReactNode[] = [
    ...filePieces(changes, t),
    ...commandPieces(commands, t),
    ...(memories.length > 0 ? [t('receipt.memories', { count: memories.length })] : []),
    ...(cost > 0 ? [money(cost)] : []),
  ];
  const hasMemoryUse = used.some(({ path }) => path.startsWith('/memories/'));
  if (first === undefined || (pieces.length === 0 && !hasMemoryUse)) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form
    <div role="group" aria-label={t('receipt.title')} className="pt-1.5 text-small text-fg-2">
      <div className="flex min-h-8 items-center gap-1 border-t border-line" {...keepsFocus}>
        {pieces.length > 0 && (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="group/receipt flex min-h-7 min-w-0 grow items-center gap-2 rounded-control pr-1.5 text-left hover:bg-hover"
          >
            <Mark open={open} />
            <span className="flex min-w-0 items-baseline overflow-hidden whitespace-pre tabular-nums">
              {pieces.map((piece, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have a fixed order
                <Fragment key={index}>
                  {index > 0 && <span className="text-fg-3"> · </span>}
                  {piece}
                </Fragment>
              ))}
            </span>
          </button>
        )}
        <MemoryUse threadId={threadId} used={used} />
        <UndoActions threadId={threadId} first={first} changes={changes} />
      </div>
      {open && <Details mount={mount} changes={changes} facts={facts} />}
    </div>
  );
};

const Mark = ({ open }: { open: boolean }) => (
  <span className="relative flex size-4 shrink-0 items-center justify-center text-fg-3">
    <ReceiptText aria-hidden size={14} className={cx('group-hover/receipt:opacity-0', open && 'opacity-0')} />
    <ChevronRight
      aria-hidden
      size={16}
      className={cx('absolute group-hover/receipt:opacity-100', open ? 'rotate-90' : 'opacity-0')}
    />
  </span>
);

type T = ReturnType<typeof useT>;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A name or a command gets shorter where the line is narrow; lines, exit codes and the cost stay. */
const PIECE = 'flex min-w-0 items-baseline gap-1';

function filePieces({ files, more }: TurnFiles, t: T): ReactNode[] {
  if (files.length === 0) return [];
  if (files.length + more <= NAMED)
    return files.map(({ path, added, removed }) => (
      <span key={path} title={path} className={PIECE}>
        <span className="truncate">
          <ExactText text={nameOf(path)} oneLine />
        </span>{' '}
        <Counts added={added} removed={removed} />
      </span>
    ));
  const sum = (side: 'added' | 'removed') => files.reduce((total, file) => total + (file[side] ?? 0), 0);
  return [
    <span key="files">
      {t('receipt.files', { count: files.length + more })}
      {/* The lines of the others are not counted. */}
      {more === 0 && (
        <>
          {' '}
          <Counts added={sum('added')} removed={sum('removed')} />
        </>
      )}
    </span>,
  ];
}

function commandPieces(commands: readonly ToolCall[], t: T): ReactNode[] {
  if (commands.length <= NAMED)
    return commands.map((call) => (
      <span key={call.callId} className={PIECE}>
        <CommandText call={call} limit={MAX_COMMAND_LENGTH} className="truncate" /> <Exit call={call} />
      </span>
    ));
  const failed = commands.filter(hasFailed).length;
  return [
    t('receipt.commands', { count: commands.length }),
    ...(failed > 0
      ? [
          <span key="failed" className="text-deny">
            {t('receipt.failed', { count: failed })}
          </span>,
        ]
      : []),
  ];
}

const CommandText = ({ call, limit, className }: { call: ToolCall; limit?: number; className?: string }) => {
  const command = typeof call.args.command === 'string' ? call.args.command.trim() : call.name;
  const line = command.split('\n', 1)[0] ?? '';
  const shown = limit === undefined ? command : [...line].slice(0, limit).join('');
  return (
    <code title={command} className={cx('font-mono', className)}>
      <ExactText text={shown === command ? shown : `${shown}…`} strict />
    </code>
  );
};

const Exit = ({ call }: { call: ToolCall }) => {
  const t = useT();
  const { status, exitCode } = call;
  if (typeof exitCode === 'number')
    return <span className={cx(exitCode !== 0 && 'text-deny')}>{t('tools.exit', { code: exitCode })}</span>;
  if (status === 'done') return isJob(call) ? <JobExit call={call} /> : null;
  // What the person stopped did not fail.
  if (status === 'cancelled') return <span>{t('tools.stateCancelled')}</span>;
  return <span className="text-deny">{t('tools.stateFailed')}</span>;
};

const Counts = ({ added, removed }: { added: number | null; removed: number | null }) =>
  added === null || removed === null ? null : <LineCounts added={added} removed={removed} />;

interface UndoActionsProps {
  threadId: ThreadId;
  first: MessageId;
  changes: TurnFiles;
}

/** Shows the changes, undoes them, and as long as they are undone, brings them back. None of it without the folder. */
const UndoActions = ({ threadId, first, changes: { files, more, undo } }: UndoActionsProps) => {
  const t = useT();
  const gone = useFolderGone();
  if (files.length === 0) return null;
  if (gone !== undefined) return <span className="shrink-0 pl-1 text-fg-3">{gone}</span>;
  const count = files.length + more;
  const restore = () => {
    for (const revertId of undo.reverts)
      revert(threadId, { kind: 'revert', revertId }, { shownInPlace: true });
  };
  return (
    <>
      {undo.done > 0 && (
        <>
          <span role="status" className="shrink-0 pl-1 text-fg-3">
            {undo.done === count
              ? t('receipt.undone')
              : t('receipt.partlyUndone', { done: undo.done, count })}
          </span>
          <Button size="sm" variant="ghost" onClick={restore}>
            {t('receipt.restore')}
          </Button>
        </>
      )}
      <Button
        size="sm"
        variant="ghost"
        icon={<FileDiff aria-hidden size={14} />}
        onClick={() => showChanges(threadId, first)}
      >
        {t('receipt.review')}
      </Button>
      {undo.possible && (
        <Button
          size="sm"
          variant="ghost"
          aria-label={t('receipt.undoLabel')}
          icon={<Undo2 aria-hidden size={14} />}
          onClick={() => revert(threadId, { kind: 'turn', messageId: first }, { shownInPlace: true })}
        >
          {t('receipt.undo')}
        </Button>
      )}
    </>
  );
};

interface DetailsProps {
  mount: string;
  changes: TurnFiles;
  facts: TurnFacts;
}

const Details = ({ mount, changes: { files, more }, facts: { commands, memories } }: DetailsProps) => {
  const t = useT();
  const gone = useFolderGone();
  const changed: Record<MemoryChange['change'], string> = {
    created: t('tools.remembered'),
    changed: t('tools.rewrote'),
    deleted: t('tools.forgot'),
  };
  return (
    <ul className="mb-2 ml-2 flex flex-col gap-1 border-l border-line py-1 pl-4">
      {files.map(({ path, change, added, removed, undone }) => (
        <li key={path} className="flex min-w-0 items-baseline gap-2">
          {change === 'removed' || (gone !== undefined && !path.startsWith('/')) ? (
            <span className="min-w-0 truncate">
              <ExactText text={path} oneLine />
            </span>
          ) : (
            <button
              type="button"
              onClick={() => openFile(changedAt(path, mount))}
              className={cx(
                'min-w-0 truncate rounded-mark text-accent hover:underline',
                undone !== null && 'line-through',
              )}
            >
              <ExactText text={path} oneLine />
            </button>
          )}
          <Counts added={added} removed={removed} />
          {change !== 'changed' && <span className="shrink-0 text-fg-3">{t(`changes.${change}`)}</span>}
        </li>
      ))}
      {more > 0 && <li className="text-fg-3">{t('changes.more', { count: more })}</li>}
      {commands.map((call) => (
        <li key={call.callId} className="min-w-0 break-words">
          <CommandText call={call} /> <Exit call={call} />
        </li>
      ))}
      {memories.map(({ path, change, undone }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same memory may be written twice
        <li key={index} className={cx(undone && 'line-through')}>
          {changed[change]} <ExactText text={path} oneLine />
        </li>
      ))}
    </ul>
  );
};
