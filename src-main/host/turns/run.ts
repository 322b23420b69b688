import { inEnglish } from '../../../src-renderer/i18n/errors';
import { errorText } from '../../contract/errors';
import type { CallId, ThreadId, TurnId } from '../../contract/ids';
import { type AppError, appError, fail, ok, type Result } from '../../contract/result';
import type { Compaction } from '../../harness/agent/context/compaction';
import type { Storage } from '../../storage';
import type { LiveThread } from '../threads/live-thread';
import { explainRun } from '../window/run-errors';
import type { ContentOf } from './graph-input';
import { keepLease } from './keep-lease';
import type { ThreadAgent } from './thread-agent';
import { endTurn, failTurn, interruptTurn } from './turn-endings';
import type { TurnObserver } from './turn-observer';

/** What a run of one thread is made of; created for each run. */
export interface Run {
  agent: ThreadAgent;
  observer: TurnObserver;
  /** Words for the person, with what to do next. */
  explain(error: unknown): AppError;
  /** Resolves when no command runs any more: a stopped graph does not wait for what it started. */
  settled(): Promise<void>;
  /** Stops the sub-agent of one `task` call, now or as soon as it begins. */
  stopCall(callId: CallId): void;
  /** Summarises the older messages of the thread, which must be at rest. Null: there is nothing that is worth it. */
  compact(signal: AbortSignal): Promise<Compaction | null>;
}

export interface RunOptions {
  storage: Storage;
  /** Errors: no such model, no key, the folder is gone. */
  prepare(live: LiveThread, signal: AbortSignal): Promise<Result<Run>>;
  contentOf: ContentOf;
  /** A call of the thread finished, so its scratch files may have changed. */
  onScratchChanged(threadId: ThreadId): void;
  /** Where bugs that were caught at a border go. */
  report: (where: string, error: unknown) => void;
}

/** Why a turn is cut off that the person may go on with later. */
export class Paused extends Error {
  override name = 'Paused';

  constructor(readonly told: AppError) {
    super(inEnglish(told));
  }
}

/** Milliseconds that a turn that ends waits for its tool calls, so that what they did is told; commands are waited for. */
const TOOLS_SETTLE_WITHIN = 3_000;

export interface Drive {
  turnId: TurnId;
  controller: AbortController;
  /** Started with a message; else it goes on from where it stood. */
  isNew: boolean;
  /** Told of the run as soon as there is one. */
  onPrepared: (run: Run) => void;
  /** A turn that is cut by closing stays as it is for the next start. */
  isClosing: () => boolean;
}

/** Runs a turn until it ends or waits for the person, under the thread's lease. */
export async function driveTurn(live: LiveThread, options: RunOptions, drive: Drive): Promise<void> {
  const { storage, prepare, report } = options;
  const { turnId, controller, isNew, onPrepared, isClosing } = drive;
  const { signal } = controller;
  const stopped = () => {
    if (isClosing()) return;
    if (signal.reason instanceof Paused) interruptTurn(live, turnId, signal.reason.told);
    else endTurn(live, turnId, 'stopped');
  };
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
      // Siblings of what failed must not run on after the turn has ended.
      controller.abort(error);
      await settled();
      await observer.settled(TOOLS_SETTLE_WITHIN);
      observer.finish();
      observer.close();
      if (wasStopped) stopped();
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
  // With it comes LangGraph, which a start does without.
  const { answersTo, keepFinished, messageInput, NOTHING_OPEN, unsentMessage } = await import(
    './graph-input'
  );
  const config = { configurable: { thread_id: live.id } };
  if (isNew) await keepFinished(live, agent, storage);
  let input = isNew
    ? await messageInput(live, contentOf)
    : ((await unsentMessage(live, agent, contentOf)) ?? (await answersTo(live, agent, storage)).input);
  for (;;) {
    // Each step is on the disk before the next begins: a kill loses one step at most.
    await agent.invoke(input, { ...config, signal, durability: 'sync' });
    observer.finish();
    signal.throwIfAborted();
    // Reading the state back costs as much as the thread is long; only a run that asked something needs it.
    const next = observer.takeAsked() ? await answersTo(live, agent, storage) : NOTHING_OPEN;
    if (next.open === 0 && !next.isStuck) {
      if (observer.answeredNothing) {
        return failTurn(live, turnId, appError('provider', errorText('empty_answer')));
      }
      return endTurn(live, turnId, 'finished');
    }
    if (next.input === null && !next.isStuck) {
      live.emit({ type: 'turn.waiting', turnId, at: Date.now() });
      return;
    }
    input = next.input;
  }
}

/** What compacting needs of `RunOptions`. */
interface CompactOptions<Thread> extends Pick<RunOptions, 'onScratchChanged' | 'report'> {
  storage: Pick<Storage, 'leases'>;
  prepare(
    live: Thread,
    signal: AbortSignal,
  ): Promise<Result<Pick<Run, 'compact' | 'explain'> & { observer: Pick<TurnObserver, 'close'> }>>;
}

/**
 * Summarises the older messages of a thread at rest, under its lease. Null: nothing that is worth it. Errors:
 * `cancelled`, and what the model says.
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
