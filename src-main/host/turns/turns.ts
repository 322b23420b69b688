import { AsyncLocalStorage } from 'node:async_hooks';
import type { HumanMessage } from '@langchain/core/messages';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { isActivePhase } from '../../contract/active-phase';
import type { Decision } from '../../contract/approvals';
import type { Attachment } from '../../contract/attachments';
import type { QueuedMessage } from '../../contract/conversation';
import type { ApprovalId, CallId, MessageId, ThreadId, TurnId } from '../../contract/ids';
import { type AppError, fail, ok, type Result } from '../../contract/result';
import { StoppedByPerson } from '../../harness/agent/stopped';
import type { LiveThread } from '../threads/live-thread';
import { LiveThreads, type OpenThreads } from '../threads/live-threads';
import { newMessageId, newTurnId } from '../threads/new-ids';
import type { Hub } from '../window/hub';
import { checkDecision } from './answers';
import { recordStop } from './calls/stop-call';
import { added, forNextStep, forNextTurn } from './messages/queue';
import { QueuedMessages } from './messages/queued-messages';
import { compactThread, type Drive, driveTurn, Paused, type Run, type RunOptions } from './run/run';
import { DELETED, endTurn, failAnyway } from './turn-endings';
import { endAbandoned, type RecoveredLayers, recoverTurns } from './turn-recovery';
import { inListedProject, turnStart } from './turn-start';

export interface TurnsOptions extends RunOptions {
  hub: Hub;
  /** Nothing of the thread runs any more: its turn ended or waits for the person. */
  onRest?: (threadId: ThreadId) => void;
}

/** Starts, resumes, stops and recovers turns: at most one per thread at a time, each ended exactly once. */
export class Turns implements OpenThreads {
  private readonly running = new Map<
    ThreadId,
    { turnId: TurnId; controller: AbortController; done: Promise<void>; run?: Run }
  >();

  private readonly threads: LiveThreads;
  /** What the person can do with queued messages. */
  readonly queued: QueuedMessages;

  constructor(private readonly options: TurnsOptions) {
    this.threads = new LiveThreads(options.storage, options.hub, (threadId) => this.running.has(threadId));
    this.queued = new QueuedMessages(this.threads);
  }

  /** The thread, loaded on first use. */
  thread(threadId: ThreadId): Result<LiveThread> {
    return this.threads.get(threadId);
  }

  /** Whether the thread has an active run. */
  isRunning(threadId: ThreadId): boolean {
    return this.running.has(threadId);
  }

  /** The thread if it is already in memory. */
  loaded(threadId: ThreadId): LiveThread | undefined {
    return this.threads.loaded(threadId);
  }

  /**
   * Stops the thread's run without sending its queue, and unloads the thread before it is deleted. Resolves when nothing of
   * it runs any more. An undo of the deletion restores pending approvals, and the person can continue a run.
   */
  async discard(threadId: ThreadId): Promise<void> {
    this.threads.close(threadId);
    try {
      const run = this.running.get(threadId);
      run?.controller.abort(new Paused(DELETED));
      await run?.done;
    } finally {
      this.threads.open(threadId);
    }
  }

  /** Starts a turn with the person's message, or queues it while one runs or waits. */
  send(
    threadId: ThreadId,
    text: string,
    when: QueuedMessage['when'] = 'next_step',
    attachments: readonly Attachment[] = [],
  ): Result<{ turnId: TurnId | null; queued: boolean }> {
    if (this.closing) return fail('cancelled', 'closing_nothing_started');
    const found = inListedProject(this.options.storage, this.thread(threadId));
    if (!found.ok) return found;
    const live = endAbandoned(found.value, this.options.storage, this.running);
    // Another process does not see this one's queue, and would overwrite it.
    if (!this.running.has(threadId) && !this.options.storage.leases.isFree(threadId))
      return fail('conflict', 'thread_run_elsewhere');
    const message = {
      id: newMessageId(),
      text,
      ...(attachments.length === 0 ? {} : { attachments: [...attachments] }),
      at: Date.now(),
      when,
    };
    if (isActivePhase(live.state.turn.phase) || this.running.has(threadId)) {
      live.emit({ type: 'queue.changed', queue: added(live.state.queue, message) });
      return ok({ turnId: null, queued: true });
    }
    // Messages that a failed turn left queued come first.
    const { taken, rest } = forNextStep(live.state.queue);
    const turnId = this.startTurn(live, [...taken, message], rest);
    return ok({ turnId, queued: false });
  }

  /** Stops the run and starts a turn with this message and the others for the next step. Errors: as for `queued`. */
  async sendQueued(threadId: ThreadId, messageId: MessageId): Promise<Result<Record<string, never>>> {
    if (this.closing) return fail('cancelled', 'closing_nothing_started');
    // The message is saved as first in the queue before anything stops; the stop starts before a step could take it.
    const first = this.queued.putFirst(threadId, messageId);
    if (!first.ok) return first;
    const { live } = first.value;
    await this.halt(live);
    this.startIfFree(live);
    return ok({});
  }

  /** Sends what a stop kept: now, or while the agent works, when each message was meant for. */
  sendKept(threadId: ThreadId): Result<Record<string, never>> {
    if (this.closing) return fail('cancelled', 'closing_nothing_started');
    const released = this.queued.release(threadId);
    if (!released.ok) return released;
    this.startIfFree(released.value.live);
    return ok({});
  }

  /** After a failed, interrupted or stopped turn, the person's wish starts the queue. */
  private startIfFree(live: LiveThread): void {
    if (!isActivePhase(live.state.turn.phase) && !this.running.has(live.id)) this.startQueued(live);
  }

  /** See `QueuedMessages.takeForStep`. */
  async takeQueued(live: LiveThread): Promise<HumanMessage[]> {
    const isWanted = () => {
      const run = this.running.get(live.id);
      return run !== undefined && !run.controller.signal.aborted && !this.threads.isForgotten(live);
    };
    return this.queued.takeForStep(live, isWanted, this.options.contentOf);
  }

  /** Sends queued messages if nothing runs. */
  go(threadId: ThreadId): void {
    const found = this.thread(threadId);
    if (found.ok && !this.running.has(threadId)) this.next(found.value);
  }

  /** Calls the model again after a failure, or continues an interrupted turn. */
  async retry(threadId: ThreadId): Promise<Result<{ turnId: TurnId }>> {
    if (this.closing) return fail('cancelled', 'closing_nothing_started');
    const found = inListedProject(this.options.storage, this.thread(threadId));
    if (!found.ok) return found;
    const live = found.value;
    // The end of a turn is published shortly before its run has cleaned up.
    const run = this.running.get(threadId);
    if (run !== undefined && !isActivePhase(live.state.turn.phase) && run.turnId === turnIdOf(live)) {
      await run.done;
      if (this.closing) return fail('cancelled', 'closing_nothing_started');
    }
    const { phase } = live.state.turn;
    if ((phase !== 'failed' && phase !== 'interrupted') || this.running.has(threadId)) {
      return fail('conflict', 'nothing_to_retry');
    }
    // Purely informative notices, for example that another model took over, stay true.
    const notices = live.state.messages.filter(
      (message) => message.role === 'notice' && message.actions.length > 0,
    );
    const turnId = newTurnId();
    live.emit(...notices.map(({ id }) => ({ type: 'message.removed' as const, messageId: id })), {
      type: 'turn.started',
      turnId,
      at: Date.now(),
    });
    this.begin(live, turnId);
    return ok({ turnId });
  }

  /** One decision on one pending call. It is saved before this returns, and used once. */
  decide(
    threadId: ThreadId,
    id: ApprovalId,
    digest: string,
    decision: Decision,
  ): Result<Record<string, never>> {
    if (this.closing) return fail('cancelled', 'closing_nothing_started');
    const found = inListedProject(this.options.storage, this.thread(threadId));
    if (!found.ok) return found;
    const live = found.value;
    const approval = live.state.approvals.find((open) => open.id === id);
    const fits = approval === undefined ? ok({}) : checkDecision(approval, decision);
    if (!fits.ok) return fits;
    const taken = this.options.storage.approvals.take(threadId, id, digest, decision, Date.now());
    if (!taken.ok) {
      this.options.report('decision', `${id} in ${threadId} was refused: ${inEnglish(taken.error)}`);
      return taken;
    }
    const { callId } = taken.value.approval;
    live.emit({ type: 'approval.decided', approvalId: id, callId, decision });
    const { turn } = live.state;
    if (turn.phase === 'waiting' && !this.running.has(threadId)) {
      live.emit({ type: 'turn.resumed', turnId: turn.turnId, at: Date.now() });
      this.begin(live, turn.turnId);
    }
    return ok({});
  }

  /** Stops the turn and everything it started, and keeps the queue; resolves when nothing of it runs any more. */
  async stop(threadId: ThreadId): Promise<Result<Record<string, never>>> {
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = endAbandoned(found.value, this.options.storage, this.running);
    // Whatever cannot be saved, what runs stops.
    this.running.get(threadId)?.controller.abort(new StoppedByPerson());
    // Before the run ends: a message sent from now on is not kept.
    if (isActivePhase(live.state.turn.phase) || this.running.has(threadId)) this.queued.keep(live);
    await this.halt(live);
    return ok({});
  }

  /** Stops the turn. What is queued and not kept comes next. */
  private async halt(live: LiveThread): Promise<void> {
    const threadId = live.id;
    const meant = this.running.get(threadId)?.turnId ?? turnIdOf(live);
    // A run may just be stopping at an approval, or resuming after a decision; a queued message starts another turn.
    for (;;) {
      const run = this.running.get(threadId);
      if (!run || run.turnId !== meant) break;
      run.controller.abort(new StoppedByPerson());
      await run.done;
    }
    const { turn } = live.state;
    if (turn.phase === 'waiting' && turn.turnId === meant) {
      endTurn(live, turn.turnId, 'stopped');
      // As after a stopped run: queued messages come next.
      this.next(live);
    }
  }

  /** Interrupts the thread's run with a reason; the person can continue it later. */
  async pause(threadId: ThreadId, told: AppError): Promise<void> {
    const run = this.running.get(threadId);
    run?.controller.abort(new Paused(told));
    await run?.done;
  }

  /**
   * Summarizes the older messages now; messages sent during it wait. Errors: `conflict` while the agent works, and those of
   * the model.
   */
  async compact(threadId: ThreadId): Promise<Result<{ tokensBefore: number; tokensAfter: number } | null>> {
    if (this.closing) return fail('cancelled', 'closing_nothing_started');
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    // A turn that has just ended may still be cleaning up.
    if (!isActivePhase(live.state.turn.phase)) await this.settled(threadId);
    if (isActivePhase(live.state.turn.phase) || this.running.has(threadId))
      return fail('conflict', 'compact_after_turn');
    const controller = new AbortController();
    const work = compactThread(live, this.options, controller.signal);
    const done = work
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        this.running.delete(threadId);
        if (!this.threads.isForgotten(live)) this.next(live);
      });
    this.running.set(threadId, { turnId: newTurnId(), controller, done });
    return work;
  }

  /**
   * Stops the sub-agent of one `task` call; its siblings and the turn continue. Durable when it returns: the sub-agent does
   * not continue even after a kill. Errors: `invalid` for other calls, `conflict` if it has finished.
   */
  stopCall(threadId: ThreadId, callId: CallId): Result<Record<string, never>> {
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    const recorded = recordStop(live, callId, this.options.storage);
    if (!recorded.ok) return recorded;
    this.running.get(threadId)?.run?.stopCall(callId);
    const turnId = turnIdOf(live);
    if (turnId !== undefined) this.continueWhenIdle(live, turnId);
    return ok({});
  }

  /** Resumes a turn that waits or is about to: one of its approvals was settled without a decision. */
  private continueWhenIdle(live: LiveThread, turnId: TurnId): void {
    const continueTurn = () => {
      const { turn } = live.state;
      if (this.closing || this.threads.isForgotten(live) || this.running.has(live.id)) return;
      if (turn.phase !== 'waiting' || turn.turnId !== turnId) return;
      live.emit({ type: 'turn.resumed', turnId, at: Date.now() });
      this.begin(live, turnId);
    };
    this.settled(live.id)
      .then(continueTurn)
      .catch((error: unknown) => this.options.report('turn', error));
  }

  /** Resolves when the thread has no active turn: it ended or waits for the person. */
  async settled(threadId: ThreadId): Promise<void> {
    while (this.running.has(threadId)) await this.running.get(threadId)?.done;
  }

  /** Stops every run for quitting; the turns stay unchanged in the database and are recovered at the next start. */
  async close(): Promise<void> {
    const runs = [...this.running.values()];
    this.closing = true;
    for (const { controller } of runs) controller.abort(new Error('Deepdesk is closing.'));
    await Promise.all(runs.map(({ done }) => done));
  }
  private closing = false;

  /** At startup. `rehearsals` is null if this is not the first process of the data folder. */
  recover(rehearsals: RecoveredLayers | null): Promise<void> {
    const { storage, report } = this.options;
    return recoverTurns({ storage, report, thread: (threadId) => this.thread(threadId) }, rehearsals);
  }

  /** Messages, queue and turn are saved together: a kill in between would leave a message without an answer. */
  private startTurn(live: LiveThread, messages: QueuedMessage[], queue: QueuedMessage[]): TurnId {
    const turnId = newTurnId();
    live.emit(...turnStart(live, { turnId, messages, queue }));
    this.begin(live, turnId, true);
    return turnId;
  }

  /**
   * A decision may arrive in a listener, inside that run's asynchronous context. LangGraph would treat a run started there
   * as part of it, with separate state.
   */
  private readonly outsideRuns = AsyncLocalStorage.snapshot();

  private begin(live: LiveThread, turnId: TurnId, isNew = false): void {
    const controller = new AbortController();
    const drive: Drive = {
      turnId,
      controller,
      isNew,
      onPrepared: (run) => {
        const running = this.running.get(live.id);
        if (running?.turnId === turnId) running.run = run;
      },
      isClosing: () => this.closing,
    };
    const done = this.outsideRuns(() => driveTurn(live, this.options, drive)).catch((error: unknown) => {
      // A bug, or a database that cannot be written: the turn must end anyway.
      this.options.report('turn', error);
      failAnyway(live, turnId, error, this.options.report);
    });
    const finished = done.then(() => {
      this.running.delete(live.id);
      if (this.threads.isForgotten(live)) return;
      try {
        this.next(live);
      } catch (error) {
        this.options.report('turn', error);
      }
      if (!this.closing && !this.running.has(live.id)) this.options.onRest?.(live.id);
    });
    this.running.set(live.id, { turnId, controller, done: finished });
  }

  /** Whether there is an unused decision; one on a call that is asked about again will never be used. */
  private isDecided(live: LiveThread): boolean {
    const { approvals, journal } = this.options.storage;
    const open = new Set(live.state.approvals.map((approval) => approval.callId));
    return approvals
      .taken(live.id)
      .some(
        ({ approval: { callId } }) =>
          !open.has(callId) && journal.lookup(live.id, callId)?.state !== 'finished',
      );
  }

  /** Sends the first queued message when the thread is free. */
  private next(live: LiveThread): void {
    if (this.closing) return;
    const { turn } = live.state;
    if (turn.phase === 'waiting' && this.isDecided(live)) {
      // The decision came while the run was just stopping.
      live.emit({ type: 'turn.resumed', turnId: turn.turnId, at: Date.now() });
      this.begin(live, turn.turnId);
      return;
    }
    if (turn.phase === 'idle') this.startQueued(live);
  }

  private startQueued(live: LiveThread): void {
    const { taken, rest } = forNextTurn(live.state.queue);
    if (taken.length > 0) this.startTurn(live, taken, rest);
  }
}

const turnIdOf = ({ state: { turn } }: LiveThread) => ('turnId' in turn ? turn.turnId : undefined);
