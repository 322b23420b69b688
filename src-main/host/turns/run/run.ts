import { inEnglish } from '../../../../src-renderer/i18n/errors';
import { errorText } from '../../../contract/errors';
import type { CallId, ProjectId, ThreadId, TurnId } from '../../../contract/ids';
import { type AppError, appError, fail, ok, type Result } from '../../../contract/result';
import type { Compaction } from '../../../harness';
import type { Storage } from '../../../storage';
import { PERSON_WAITS, WORK_WAITS } from '../../../storage/database/write-lock';
import type { LiveThread } from '../../threads/live-thread';
import { explainRun } from '../../window/run-errors';
import { keepLease } from '../keep-lease';
import type { ContentOf } from '../messages/graph-input';
import { endTurn, failTurn, interruptTurn } from '../turn-endings';
import type { TurnObserver } from '../turn-observer';
import type { ThreadAgent } from './thread-agent';

/** The parts of one run of a thread; created for each run. */
export interface Run {
  agent: ThreadAgent;
  observer: TurnObserver;
  /** Text for the person, with what to do next. */
  explain(error: unknown): AppError;
  /** Resolves when no command is running: a stopped graph does not wait for its commands. */
  settled(): Promise<void>;
  /** Stops the sub-agent of one `task` call, now or as soon as it starts. */
  stopCall(callId: CallId): void;
  /** Runs what follows a finished turn. Rejects with the signal's reason. */
  atEnd?(signal: AbortSignal): Promise<void>;
  /** Summarizes the older messages of an idle thread. Null: nothing worth summarizing. */
  compact(signal: AbortSignal): Promise<Compaction | null>;
}

export interface RunOptions {
  storage: Storage;
  /** Errors: unknown model, missing key, missing folder. */
  prepare(live: LiveThread, signal: AbortSignal): Promise<Result<Run>>;
  /** The error for the project's folder if it is missing now, else null. */
  missingFolder(projectId: ProjectId): Promise<AppError | null>;
  contentOf: ContentOf;
  /** A call of the thread finished, so its scratch files may have changed. */
  onScratchChanged(threadId: ThreadId): void;
  /** Receives bugs that were caught at a boundary. */
  report: (where: string, error: unknown) => void;
}

/** The reason for interrupting a turn that the person can continue later. */
export class Paused extends Error {
  override name = 'Paused';

  constructor(readonly told: AppError) {
    super(inEnglish(told));
  }
}

/**
 * Milliseconds that an ending turn waits for its tool calls, so that their results are reported; it always waits for
 * commands.
 */
const TOOLS_SETTLE_WITHIN = 3_000;

export interface Drive {
  turnId: TurnId;
  controller: AbortController;
  /** Started with a message; else it continues from its last state. */
  isNew: boolean;
  /** Called with the run as soon as it exists. */
  onPrepared: (run: Run) => void;
  /** A turn interrupted by closing stays unchanged for the next start. */
  isClosing: () => boolean;
}

/** Runs a turn under the thread's lease until it ends or waits for the person. */
export async function driveTurn(live: LiveThread, options: RunOptions, drive: Drive): Promise<void> {
  const { storage, prepare, missingFolder, report } = options;
  const { turnId, controller, isNew, onPrepared, isClosing } = drive;
  const { signal } = controller;
  const stopped = () => {
    if (isClosing()) return;
    if (signal.reason instanceof Paused) interruptTurn(live, turnId, signal.reason.told);
    else endTurn(live, turnId, 'stopped');
  };
  const free = storage.lock.wait(WORK_WAITS, signal);
  if (free !== undefined) await free;
  const lease = storage.leases.acquire(live.id);
  if (!lease.ok) return failTurn(live, turnId, lease.error);
  const letGo = keepLease(storage, live.id, report);
  try {
    const prepared = await prepare(live, signal);
    if (signal.aborted) return stopped();
    if (!prepared.ok) {
      return prepared.error.kind === 'folder_gone'
        ? interruptTurn(live, turnId, prepared.error)
        : failTurn(live, turnId, prepared.error);
    }
    const { observer, explain, settled } = prepared.value;
    onPrepared(prepared.value);
    try {
      await loop(live, turnId, prepared.value, options, isNew, signal);
    } catch (error) {
      const wasStopped = signal.aborted;
      // Siblings of the failed call must not keep running after the turn.
      controller.abort(error);
      await settled();
      await observer.settled(TOOLS_SETTLE_WITHIN);
      await storage.lock.wait(PERSON_WAITS);
      observer.finish();
      observer.close();
      if (wasStopped) return stopped();
      // Whatever failed first: without its folder, the turn can only continue where the person finds it again.
      const missing = await missingFolder(live.state.thread.projectId);
      if (missing !== null) interruptTurn(live, turnId, missing);
      else failTurn(live, turnId, explainRun(error) ?? explain(error));
    } finally {
      observer.close();
    }
  } finally {
    letGo();
    options.onScratchChanged(live.id);
  }
}

async function loop(
  live: LiveThread,
  turnId: TurnId,
  run: Run,
  { storage, contentOf }: RunOptions,
  isNew: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { agent, observer } = run;
  // This import brings LangGraph, which is not needed at startup.
  const { answersTo, keepFinished, messageInput, NOTHING_OPEN, unsentMessage } = await import(
    '../messages/graph-input'
  );
  const config = { configurable: { thread_id: live.id } };
  if (isNew) await keepFinished(live, agent, storage);
  let input = isNew
    ? await messageInput(live, contentOf)
    : ((await unsentMessage(live, agent, contentOf)) ?? (await answersTo(live, agent, storage)).input);
  for (;;) {
    // Each step is saved before the next one starts: a kill loses one step at most.
    await agent.run(input, { ...config, signal, durability: 'sync' });
    observer.finish();
    await storage.lock.wait(WORK_WAITS, signal);
    signal.throwIfAborted();
    // Reading the state takes time proportional to the thread's length; only a run that asked something needs it.
    const next = observer.takeAsked() ? await answersTo(live, agent, storage) : NOTHING_OPEN;
    if (next.open === 0 && !next.isStuck) {
      if (observer.answeredNothing) {
        return failTurn(live, turnId, appError('provider', errorText('empty_answer')));
      }
      await run.atEnd?.(signal);
      signal.throwIfAborted();
      return endTurn(live, turnId, 'finished');
    }
    if (next.input === null && !next.isStuck) {
      live.emit({ type: 'turn.waiting', turnId, at: Date.now() });
      return;
    }
    input = next.input;
  }
}

/** The part of `RunOptions` for compacting. */
interface CompactOptions<Thread> extends Pick<RunOptions, 'onScratchChanged' | 'report'> {
  storage: Pick<Storage, 'leases' | 'lock'>;
  prepare(
    live: Thread,
    signal: AbortSignal,
  ): Promise<Result<Pick<Run, 'compact' | 'explain'> & { observer: Pick<TurnObserver, 'close'> }>>;
}

/**
 * Summarizes the older messages of an idle thread under its lease. Null: nothing worth summarizing. Errors: `cancelled`, and
 * those of the model.
 */
export async function compactThread<Thread extends Pick<LiveThread, 'id'>>(
  live: Thread,
  options: CompactOptions<Thread>,
  signal: AbortSignal,
): Promise<Result<{ tokensBefore: number; tokensAfter: number } | null>> {
  const { storage, prepare, report } = options;
  const lease = storage.leases.acquire(live.id);
  if (!lease.ok) return lease;
  const letGo = keepLease(storage, live.id, report);
  try {
    const prepared = await prepare(live, signal);
    if (!prepared.ok) return prepared;
    const { compact, explain, observer } = prepared.value;
    try {
      const made = await compact(signal);
      return ok(made && { tokensBefore: made.tokensBefore, tokensAfter: made.tokensAfter });
    } catch (error) {
      return signal.aborted
        ? fail('cancelled', 'compacting_stopped')
        : { ok: false, error: explainRun(error) ?? explain(error) };
    } finally {
      observer.close();
    }
  } finally {
    letGo();
    options.onScratchChanged(live.id);
  }
}
