import type { Approval } from '@contract/approvals';
import type { AgentMessage, ToolCall } from '@contract/conversation';
import type { CallId, ThreadId } from '@contract/ids';
import {
  Box,
  ChevronRight,
  CircleAlert,
  CircleSlash,
  FileSearch2,
  Hand,
  Layers,
  type LucideIcon,
  Square,
  SquareTerminal,
  Undo2,
} from 'lucide-react';
import { memo, type ReactNode, useEffect, useMemo, useState } from 'react';
import { rehearsalKey, useFormats, useT } from '../../../i18n';
import { call as ask, openFile, showTerminal, toast, useAwaitsInput } from '../../../link';
import { Button, cx, ExactText, IconButton, LineCounts, Spinner, useBusy, useElapsed } from '../../../ui';
import { useFolderGone } from '../folder-gone';
import { forkAt } from '../message-menu';
import { AskedDetails } from './asked-details';
import { lineCounts } from './call-change';
import { CallDetails } from './call-details';
import { fileOf, lineOf } from './call-file';
import { CallMedia } from './call-media';
import { useCallMenu } from './call-menu';
import { CallProgress } from './call-progress';
import { DiscardKept } from './discard-kept';
import { isJob, JobExit } from './job-exit';
import { RedactedNote } from './redacted-note';
import { RunningOutput } from './running-output';
import { toolWords, wasRefused } from './tool-words';
import { WhyNot } from './why-not';

interface ToolLineProps {
  threadId: ThreadId;
  call: ToolCall;
  mount: string;
  /** The message that made the call; absent inside a sub-agent. */
  step?: AgentMessage | undefined;
  /** The pending approval of this call. */
  approval?: Approval | undefined;
  renderApproval(approval: Approval): ReactNode;
  /** The messages of this call's sub-agent. */
  nested?: ReactNode;
  /** A question inside the nested part is pending, so it cannot be collapsed. */
  nestedAsks?: boolean;
}

/** One tool call: what it does in words, with its state at the right; expands in place. */
export const ToolLine = memo(function ToolLine(props: ToolLineProps) {
  const { threadId, call, mount, step, approval, renderApproval, nested, nestedAsks = false } = props;
  const t = useT();
  const [opened, setOpened] = useState<boolean>();
  const menu = useCallMenu({ threadId, call, step });
  const gone = useFolderGone();
  const words = toolWords(call, mount, t);
  const counts = useMemo(() => (call.status === 'done' ? lineCounts(call) : undefined), [call]);
  const hasNested = nested !== undefined && nested !== null;
  const open = (hasNested && nestedAsks) || (opened ?? (hasNested && call.status === 'running'));
  if (approval) return <div className="py-2">{renderApproval(approval)}</div>;
  const file = fileOf(call);
  const openable = file !== undefined && (call.savedAt !== undefined || gone === undefined) && (
    <IconButton
      size="sm"
      label={call.savedAt === undefined ? t('tools.openFile') : t('tools.openResult')}
      icon={<FileSearch2 size={16} />}
      onClick={() => openFile(file, lineOf(call))}
      className="opacity-0 group-focus-within/line:opacity-100 group-hover/line:opacity-100"
    />
  );
  return (
    <div data-call={call.callId}>
      {/* Actions come before the state, so that states are aligned in one column. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the menu of its button, which has the focus */}
      <div
        onContextMenu={menu.onContextMenu}
        className="group/line grid min-h-7 grid-cols-[minmax(0,1fr)_auto_auto_auto] items-center gap-x-1"
      >
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpened(!open)}
          className="col-start-1 col-end-4 row-start-1 grid min-h-7 grid-cols-subgrid items-center rounded-control pr-1.5 text-left hover:bg-hover"
        >
          <span className="col-start-1 flex min-w-0 items-center gap-2">
            <LineIcon icon={words.icon} open={open} />
            <span className="flex min-w-0 grow items-baseline gap-1.5">
              <span className="shrink-0 text-fg-2">{words.verb}</span>
              <span
                title={words.object}
                className={cx('min-w-0 truncate', !isProse(call) && 'font-mono text-code')}
              >
                <ExactText text={words.object} />
              </span>
              {words.note !== undefined && (
                <span className="shrink-0 text-small text-fg-3">{words.note}</span>
              )}
              {counts !== undefined && <LineCounts {...counts} />}
              {call.rehearsal !== undefined && !isDiscarded(call) && <InLayer rehearsal={call.rehearsal} />}
            </span>
            {call.sandbox !== undefined && <InSandbox refused={call.sandbox.refused.length > 0} />}
          </span>
          <span className="col-start-3 flex justify-end">
            <State call={call} />
          </span>
        </button>
        <div className="col-start-2 row-start-1 flex items-center gap-1">
          <LineActions threadId={threadId} call={call} isFolderGone={gone !== undefined} />
          {call.terminalId !== undefined && openable}
        </div>
        <div className="col-start-4 row-start-1 w-6">
          {call.terminalId === undefined ? (
            openable
          ) : (
            <IconButton
              size="sm"
              label={t('tools.showTerminal')}
              icon={<SquareTerminal size={16} />}
              onClick={() => call.terminalId !== undefined && showTerminal(call.terminalId)}
            />
          )}
        </div>
      </div>
      {menu.element}
      {open && hasNested && <div className="my-1 ml-2 border-l border-line-strong pl-4">{nested}</div>}
      {!open && <WhyNot call={call} />}
      {!open && call.status === 'running' && call.terminalId !== undefined && (
        <RunningOutput terminalId={call.terminalId} />
      )}
      {call.media !== undefined && <CallMedia threadId={threadId} media={call.media} />}
      {open && call.display === 'ask' && <AskedDetails call={call} />}
      {open && call.display !== 'ask' && (
        <CallDetails
          threadId={threadId}
          call={call}
          {...(step ? { onFork: () => void forkAt(threadId, step, t) } : {})}
        />
      )}
    </div>
  );
});

interface LineActionsProps extends Pick<ToolLineProps, 'threadId' | 'call'> {
  isFolderGone: boolean;
}

/** What can be undone, stopped or looked at, depending on the call. */
const LineActions = ({ threadId, call, isFolderGone }: LineActionsProps) => {
  const { callId, status, withheld = [], memory, rehearsal } = call;
  return (
    <>
      {withheld.length > 0 && <RedactedNote threadId={threadId} numbers={withheld} />}
      {memory && status === 'done' && <MemoryUndo threadId={threadId} callId={callId} memory={memory} />}
      {rehearsal?.state === 'kept_ignored' && status !== 'running' && !isFolderGone && (
        <DiscardKept threadId={threadId} callId={callId} />
      )}
      {call.display === 'delegate' && (status === 'running' || status === 'waiting') && (
        <StopAgent threadId={threadId} callId={callId} />
      )}
    </>
  );
};

/** The person saw what a command did and discarded it. */
const isDiscarded = ({ status, rehearsal }: ToolCall) =>
  status === 'rejected' && rehearsal?.state === 'discarded';

/** What the call acts on is a sentence, no path, command or pattern. */
const isProse = ({ display }: ToolCall) => display === 'delegate' || display === 'ask';

/** The tool's icon; an arrow while the line is expanded or under the pointer. */
const LineIcon = ({ icon: Icon, open }: { icon: LucideIcon; open: boolean }) => (
  <span className="relative flex size-4 shrink-0 items-center justify-center text-fg-3">
    <Icon aria-hidden size={16} className={cx('group-hover/line:opacity-0', open && 'opacity-0')} />
    <ChevronRight
      aria-hidden
      size={16}
      className={cx('absolute group-hover/line:opacity-100', open ? 'rotate-90' : 'opacity-0')}
    />
  </span>
);

/** A subtle icon if the command ran in the sandbox; a clear one if something was refused. */
const InSandbox = ({ refused }: { refused: boolean }) => {
  const t = useT();
  const words = t(refused ? 'sandbox.wasRefused' : 'sandbox.inside');
  return (
    <span title={words} className={cx('shrink-0', refused ? 'text-ask-text' : 'text-fg-3')}>
      <Box aria-hidden size={14} />
      <span className="sr-only">{words}</span>
    </span>
  );
};

/** The result of a command that ran in a throwaway layer first. */
const InLayer = ({ rehearsal: { state, paths } }: { rehearsal: NonNullable<ToolCall['rehearsal']> }) => {
  const t = useT();
  const text = t(`outcome.${rehearsalKey({ state, paths })}`, { count: paths });
  return <span className="shrink-0 text-small text-fg-3">{text}</span>;
};

/** Milliseconds before a spinner shows: most calls finish earlier. */
const SPIN_AFTER = 400;

const State = ({ call }: { call: ToolCall }) => {
  const t = useT();
  const formats = useFormats();
  const box = 'flex shrink-0 items-center gap-1.5 text-small text-fg-3 tabular-nums';
  // A question takes as long as the person thinks, which its call does not count.
  const isTimed = call.durationMs !== undefined && call.display !== 'ask';
  const took = isTimed ? <span>{formats.duration(call.durationMs ?? 0)}</span> : null;
  const badExit = typeof call.exitCode === 'number' && call.exitCode !== 0;
  switch (call.status) {
    case 'pending':
      return <span className={box}>{t('tools.statePending')}</span>;
    case 'waiting':
      return (
        <span className={cx(box, 'text-ask-text')}>
          <Hand aria-hidden size={14} /> {t('tools.stateWaiting')}
        </span>
      );
    case 'running':
      return <Running call={call} />;
    case 'done':
    case 'failed':
      if (wasRefused(call)) {
        return (
          <span className={cx(box, 'text-deny')}>
            <CircleSlash aria-hidden size={14} /> {t('tools.stateRefused')}
          </span>
        );
      }
      return (
        <span className={box}>
          {typeof call.exitCode === 'number' && (
            <span className={cx(badExit && 'text-deny')}>{t('tools.exit', { code: call.exitCode })}</span>
          )}
          {call.status === 'failed' && !badExit && (
            <span className="flex items-center gap-1 text-deny">
              <CircleAlert aria-hidden size={14} /> {t('tools.stateFailed')}
            </span>
          )}
          {isJob(call) ? <JobExit call={call} took={took} /> : took}
        </span>
      );
    case 'rejected':
    case 'cancelled':
      return (
        <span className={box}>
          <CircleSlash aria-hidden size={14} />
          {isDiscarded(call)
            ? t('outcome.discarded')
            : t(call.status === 'rejected' ? 'tools.stateRejected' : 'tools.stateCancelled')}
        </span>
      );
    default:
      return call.status satisfies never;
  }
};

const Running = ({ call: { startedAt, progress, callId } }: { call: ToolCall }) => {
  const t = useT();
  const formats = useFormats();
  const awaitsInput = useAwaitsInput((terminal) => terminal.callId === callId);
  const ran = useElapsed(startedAt);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const spin = setTimeout(() => setShown(true), SPIN_AFTER);
    return () => clearTimeout(spin);
  }, []);
  if (awaitsInput) {
    return (
      <span className="flex shrink-0 items-center gap-1.5 text-small text-ask-text">
        <Hand aria-hidden size={14} /> {t('tools.stateAwaitsInput')}
      </span>
    );
  }
  if (!shown) return <span className="sr-only">{t('tools.stateRunning')}</span>;
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-small text-fg-3 tabular-nums">
      <Spinner size={14} />
      {progress !== undefined && <CallProgress progress={progress} />}
      {ran >= 1_000 && <span>{formats.duration(Math.floor(ran / 1_000) * 1_000)}</span>}
      <span className="sr-only">{t('tools.stateRunning')}</span>
    </span>
  );
};

interface MemoryUndoProps {
  threadId: ThreadId;
  callId: CallId;
  memory: NonNullable<ToolCall['memory']>;
}

const MemoryUndo = ({ threadId, callId, memory }: MemoryUndoProps) => {
  const t = useT();
  const [busy, during] = useBusy();
  if (memory.undone) return <span className="px-1.5 text-small text-fg-3">{t('tools.undone')}</span>;
  const undo = async () => {
    const result = await during(ask('memories.undo', { threadId, callId }));
    if (!result.ok) toast(result.error.message);
  };
  return (
    <Button
      size="sm"
      variant="ghost"
      busy={busy}
      aria-label={t('tools.undoLabel', { path: memory.path })}
      icon={<Undo2 aria-hidden size={14} />}
      onClick={() => void undo()}
    >
      {t('tools.undo')}
    </Button>
  );
};

/** Stops one sub-agent; its siblings continue. */
const StopAgent = ({ threadId, callId }: { threadId: ThreadId; callId: CallId }) => {
  const t = useT();
  const [busy, during] = useBusy();
  const stop = async () => {
    const result = await during(ask('thread.stopCall', { threadId, callId }));
    if (!result.ok) toast(result.error.message);
  };
  return (
    <Button
      size="sm"
      variant="ghost"
      busy={busy}
      icon={<Square aria-hidden size={12} fill="currentColor" />}
      onClick={() => void stop()}
    >
      {t('tools.stopAgent')}
    </Button>
  );
};

interface FoldProps {
  calls: readonly ToolCall[];
  renderCall(call: ToolCall): ReactNode;
}

/** A series of read-only calls as one line: "Read 6 files". */
export const Fold = ({ calls, renderCall }: FoldProps) => {
  const t = useT();
  const [open, setOpen] = useState(false);
  const onlyReads = calls.every((call) => call.display === 'read');
  const count = calls.length;
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-7 w-full items-center gap-2 rounded-control pr-1.5 text-left text-fg-2 hover:bg-hover"
      >
        {open ? (
          <ChevronRight aria-hidden size={16} className="rotate-90 text-fg-3" />
        ) : (
          <Layers aria-hidden size={16} className="text-fg-3" />
        )}
        {onlyReads ? t('tools.readFiles', { count }) : t('tools.lookedAround', { count })}
      </button>
      {open && <div className="ml-2 border-l border-line pl-4">{calls.map(renderCall)}</div>}
    </div>
  );
};
