import { randomUUID } from 'node:crypto';
import { HumanMessage } from '@langchain/core/messages';
import type { Compaction } from '../agent/context/compaction';
import type { DeepAgent } from '../agent/create-deep-agent';
import { STOPPED_BY_PERSON } from '../agent/stopped';
import type { Decision, Notice, QueuedMessage, ToolCall } from '../contract/conversation';
import type { NewThreadEvent } from '../contract/events';
import { type ApprovalId, type CallId, type MessageId, type ThreadId, TurnId } from '../contract/ids';
import { type AppError, fail, ok, type Result } from '../contract/result';
import type { Storage } from '../storage';
import { answersTo, keepFinished, messageInput, NOTHING_OPEN, unsentMessage } from './graph-input';
import type { Hub } from './hub';
import { type LiveThread, loadThread } from './live-thread';
import { findCall } from './memories';
import { added, atOnce, changed, forNextStep, forNextTurn, moved, without } from './queue';
import { explainRun } from './run-errors';
import { newMessageId, type TurnObserver } from './turn-observer';

/** What a run of one thread is made of; made anew for each run. */
export interface Run {
  agent: DeepAgent;
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

export interface TurnsOptions {
  storage: Storage;
  hub: Hub;
  /** Errors: no such model, no key, the folder is gone. */
  prepare(live: LiveThread, signal: AbortSignal): Promise<Result<Run>>;
  /** A call of the thread finished, so its scratch files may have changed. */
  onScratchChanged(threadId: ThreadId): void;
  /** Where bugs that were caught at a border go. */
  report: (where: string, error: unknown) => void;
}

/** Milliseconds between signs of life of a running thread, for other processes on the same data. */
const HEARTBEAT = 10_000;

/** Milliseconds that a turn that ends waits for its tool calls, so that what they did is told; commands are waited for. */
const TOOLS_SETTLE_WITHIN = 3_000;

/** Threads kept in memory that nobody watches; opening another lets the one used longest ago go. */
const KEPT_IDLE = 8;

const CLOSING = 'Deepdesk is closing. Nothing was started; send it again after the next start.';

const INTERRUPTED: AppError = {
  kind: 'cancelled',
  message:
    'Deepdesk was closed while the agent was working. Everything up to the last finished step is kept, and nothing that ran is repeated without asking.',
};

/** Starts, resumes, stops and recovers turns: at most one a thread at a time, each ended exactly once. */
export class Turns {
  private readonly live = new Map<ThreadId, LiveThread>();
  private readonly running = new Map<
    ThreadId,
    { turnId: TurnId; controller: AbortController; done: Promise<void>; run?: Run }
  >();

  constructor(private readonly options: TurnsOptions) {}

  /** The thread, loaded when it is first asked for. */
  thread(threadId: ThreadId): Result<LiveThread> {
    if (this.discarding.has(threadId)) return fail('not_found', 'This conversation does not exist any more.');
    const known = this.live.get(threadId);
    const found = known ?? loadThread(threadId, this.options.storage, this.options.hub);
    if (!found) return fail('not_found', 'This conversation does not exist any more.');
    // Last in the map is used last.
    this.live.delete(threadId);
    this.live.set(threadId, found);
    if (!known) this.evict();
    return ok(found);
  }

  /** Lets go of threads that neither run nor are watched; what is saved is read again when it is asked for. */
  private evict(): void {
    const idle = [...this.live.values()].filter(
      (live) => !this.running.has(live.id) && !this.options.hub.isWatched(live.id) && live.isSaved,
    );
    for (const live of idle.slice(0, -KEPT_IDLE)) this.live.delete(live.id);
  }

  /**
   * Ends what the thread runs, without going on to what it has queued, and forgets it: it is about to be deleted.
   * Resolves when nothing of it runs any more.
   */
  async discard(threadId: ThreadId): Promise<void> {
    const live = this.live.get(threadId);
    this.live.delete(threadId);
    this.discarding.add(threadId);
    try {
      const run = this.running.get(threadId);
      run?.controller.abort(new Error('Deleted by the person.'));
      await run?.done;
      if (live?.state.turn.phase === 'waiting') this.end(live, live.state.turn.turnId, 'stopped');
    } finally {
      this.discarding.delete(threadId);
    }
  }
  private readonly discarding = new Set<ThreadId>();

  /** Starts a turn with the person's message, or queues it while one runs or waits. */
  send(
    threadId: ThreadId,
    text: string,
    when: QueuedMessage['when'] = 'next_step',
  ): Result<{ turnId: TurnId | null; queued: boolean }> {
    if (this.closing) return fail('cancelled', CLOSING);
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    const { phase } = live.state.turn;
    const message = { id: newMessageId(), text, at: Date.now(), when };
    if (phase === 'running' || phase === 'waiting' || this.running.has(threadId)) {
      live.emit({ type: 'queue.changed', queue: added(live.state.queue, message) });
      return ok({ turnId: null, queued: true });
    }
    // What a turn that failed left queued was said before.
    const { taken, rest } = forNextStep(live.state.queue);
    const turnId = this.startTurn(live, [...taken, message], rest);
    return ok({ turnId, queued: false });
  }

  /** Changes what is queued. Errors: `not_found` where the message was sent meanwhile. */
  private requeue(
    threadId: ThreadId,
    messageId: MessageId,
    change: (queue: readonly QueuedMessage[]) => QueuedMessage[],
  ): Result<{ live: LiveThread; message: QueuedMessage }> {
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    const { queue } = live.state;
    const message = queue.find((queued) => queued.id === messageId);
    if (!message) return fail('not_found', 'This message was sent already.');
    live.emit({ type: 'queue.changed', queue: change(queue) });
    return ok({ live, message });
  }

  /** Gives a queued message other words, or another time. Errors: `not_found` where it was sent meanwhile. */
  changeQueued(
    threadId: ThreadId,
    messageId: MessageId,
    change: Partial<Pick<QueuedMessage, 'text' | 'when'>>,
  ): Result<Record<string, never>> {
    const done = this.requeue(threadId, messageId, (queue) => changed(queue, messageId, change));
    return done.ok ? ok({}) : done;
  }

  /** Puts a queued message at another place (0-based). Errors: as `changeQueued`. */
  moveQueued(threadId: ThreadId, messageId: MessageId, to: number): Result<Record<string, never>> {
    const done = this.requeue(threadId, messageId, (queue) => moved(queue, messageId, to));
    return done.ok ? ok({}) : done;
  }

  /** Stops what runs and begins a turn with this message and what else was for the next step. Errors: as `changeQueued`. */
  async sendQueued(threadId: ThreadId, messageId: MessageId): Promise<Result<Record<string, never>>> {
    if (this.closing) return fail('cancelled', CLOSING);
    // First in the queue on the disk before anything is stopped; the stop begins before a step could take it.
    const first = this.requeue(threadId, messageId, (queue) => atOnce(queue, messageId));
    if (!first.ok) return first;
    const { live } = first.value;
    const stopped = await this.stop(threadId);
    if (!stopped.ok) return stopped;
    const { phase } = live.state.turn;
    // After a turn that failed or was cut off, nothing goes on by itself.
    if ((phase === 'failed' || phase === 'interrupted') && !this.running.has(threadId))
      this.startQueued(live);
    return ok({});
  }

  /**
   * What the person said for the agent's next step: it leaves the queue and stands in the conversation, in one
   * transaction, and the graph has it with its next checkpoint. Where Deepdesk ends in between, `unsentMessage` finds it.
   */
  takeQueued(live: LiveThread): HumanMessage[] {
    const run = this.running.get(live.id);
    if (!run || run.controller.signal.aborted || this.isForgotten(live)) return [];
    const { taken, rest } = forNextStep(live.state.queue);
    if (taken.length === 0) return [];
    live.emit(...said(taken), { type: 'queue.changed', queue: rest });
    return taken.map(({ id, text }) => new HumanMessage({ id, content: text }));
  }

  /** Sends what is queued, where nothing runs. */
  go(threadId: ThreadId): void {
    const found = this.thread(threadId);
    if (found.ok && !this.running.has(threadId)) this.next(found.value);
  }

  /** Takes a queued message back; answers its text. */
  withdraw(threadId: ThreadId, messageId: MessageId): Result<{ text: string }> {
    const taken = this.requeue(threadId, messageId, (queue) => without(queue, messageId));
    return taken.ok ? ok({ text: taken.value.message.text }) : taken;
  }

  /** Asks the model again after a failure, or goes on with a turn that was cut off. */
  retry(threadId: ThreadId): Result<{ turnId: TurnId }> {
    if (this.closing) return fail('cancelled', CLOSING);
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    const { phase } = live.state.turn;
    if ((phase !== 'failed' && phase !== 'interrupted') || this.running.has(threadId)) {
      return fail('conflict', 'There is nothing to try again in this conversation.');
    }
    // What only tells, as that another model took over, stays true.
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

  /** One decision on one waiting call. It is saved before this answers, and used once. */
  decide(
    threadId: ThreadId,
    id: ApprovalId,
    digest: string,
    decision: Decision,
  ): Result<Record<string, never>> {
    if (this.closing) return fail('cancelled', CLOSING);
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    const approval = live.state.approvals.find((open) => open.id === id);
    if (approval && !approval.allowed.includes(decision.type)) {
      return fail('invalid', `This call cannot be answered by "${decision.type}".`);
    }
    const taken = this.options.storage.approvals.take(threadId, id, digest, decision, Date.now());
    if (!taken.ok) return taken;
    const { callId } = taken.value.approval;
    live.emit({ type: 'approval.decided', approvalId: id, callId, decision });
    const { turn } = live.state;
    if (turn.phase === 'waiting' && !this.running.has(threadId)) {
      live.emit({ type: 'turn.resumed', turnId: turn.turnId, at: Date.now() });
      this.begin(live, turn.turnId);
    }
    return ok({});
  }

  /** Ends the turn and everything it started; resolves when nothing of it runs any more. */
  async stop(threadId: ThreadId): Promise<Result<Record<string, never>>> {
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    const meant = this.running.get(threadId)?.turnId ?? turnIdOf(live);
    // A run may be just coming to rest at a question, or be taken up by a decision; a queued message's turn is another.
    for (;;) {
      const run = this.running.get(threadId);
      if (!run || run.turnId !== meant) break;
      run.controller.abort(new Error('Stopped by the person.'));
      await run.done;
    }
    const { turn } = live.state;
    if (turn.phase === 'waiting' && turn.turnId === meant) {
      this.end(live, turn.turnId, 'stopped');
      // As after a run that was stopped: what was queued comes next.
      this.next(live);
    }
    return ok({});
  }

  /**
   * Summarises the older messages now; messages sent meanwhile wait. Errors: `conflict` while the agent works, and what
   * the model says.
   */
  async compact(threadId: ThreadId): Promise<Result<{ tokensBefore: number; tokensAfter: number } | null>> {
    if (this.closing) return fail('cancelled', CLOSING);
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    // A turn that has just ended may still be putting its things away.
    if (!isActive(live)) await this.settled(threadId);
    if (isActive(live) || this.running.has(threadId))
      return fail('conflict', 'The agent is at work. Compact the conversation when this turn has ended.');
    const controller = new AbortController();
    const work = this.compactNow(live, controller.signal);
    const done = work
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        this.running.delete(threadId);
        if (!this.isForgotten(live)) this.next(live);
      });
    this.running.set(threadId, { turnId: newTurnId(), controller, done });
    return work;
  }

  private async compactNow(live: LiveThread, signal: AbortSignal) {
    const { leases } = this.options.storage;
    const lease = leases.acquire(live.id);
    if (!lease.ok) return lease;
    try {
      const prepared = await this.options.prepare(live, signal);
      if (!prepared.ok) return prepared;
      const { compact, explain, observer } = prepared.value;
      try {
        const made = await compact(signal);
        return ok(made && { tokensBefore: made.tokensBefore, tokensAfter: made.tokensAfter });
      } catch (error) {
        return signal.aborted
          ? fail('cancelled', 'Compacting was stopped. Nothing has changed.')
          : { ok: false as const, error: explainRun(error) ?? explain(error) };
      } finally {
        observer.close();
      }
    } finally {
      leases.release(live.id);
      this.options.onScratchChanged(live.id);
    }
  }

  /**
   * Stops the sub-agent of one `task` call; its siblings and the turn go on. Durable when it answers: also after a kill
   * the sub-agent does not go on. Errors: `invalid` for other calls, `conflict` where it has ended.
   */
  stopCall(threadId: ThreadId, callId: CallId): Result<Record<string, never>> {
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    const { messages, approvals, turn } = live.state;
    const call = findCall(messages, callId);
    if (call?.name !== 'task') return fail('invalid', 'Only sub-agents can be stopped by themselves.');
    if (!isOpen(call)) return fail('conflict', 'This sub-agent has ended already.');
    const open = messages.flatMap((message) =>
      message.role === 'agent' && message.parentCallId === callId ? message.calls.filter(isOpen) : [],
    );
    const own = new Set(open.map((one) => one.callId));
    const asked = approvals.filter((approval) => own.has(approval.callId));
    const { journal, approvals: questions } = this.options.storage;
    for (const { id } of asked) questions.drop(threadId, id);
    // What it was at, too: a decision that was taken on it must not be used any more.
    for (const id of [callId, ...own]) {
      journal.begin(threadId, id, 'stopped');
      journal.finish(threadId, id, JSON.stringify({ content: STOPPED_BY_PERSON, status: 'error' }));
    }
    live.emit(
      ...asked.map((approval) => ({
        type: 'approval.withdrawn' as const,
        approvalId: approval.id,
        callId: approval.callId,
      })),
      ...[...asked.map((approval) => approval.callId), callId].map((id) => ({
        type: 'tool.ended' as const,
        callId: id,
        status: 'cancelled' as const,
        result: STOPPED_BY_PERSON,
        durationMs: call.startedAt === undefined ? 0 : Date.now() - call.startedAt,
      })),
    );
    this.running.get(threadId)?.run?.stopCall(callId);
    if ('turnId' in turn) this.goOnAtRest(live, turn.turnId);
    return ok({});
  }

  /** Takes a turn that waits, or is just coming to rest, up again: one of its questions was settled without a decision. */
  private goOnAtRest(live: LiveThread, turnId: TurnId): void {
    const goOn = () => {
      const { turn } = live.state;
      if (this.closing || this.isForgotten(live) || this.running.has(live.id)) return;
      if (turn.phase !== 'waiting' || turn.turnId !== turnId) return;
      live.emit({ type: 'turn.resumed', turnId, at: Date.now() });
      this.begin(live, turnId);
    };
    this.settled(live.id)
      .then(goOn)
      .catch((error: unknown) => this.options.report('turn', error));
  }

  /** Resolves when no turn of the thread is under way: it ended, or waits for the person. */
  async settled(threadId: ThreadId): Promise<void> {
    while (this.running.has(threadId)) await this.running.get(threadId)?.done;
  }

  /** Ends every run for quitting; the turns stay as they are in the database and are taken up at the next start. */
  async close(): Promise<void> {
    const runs = [...this.running.values()];
    this.closing = true;
    for (const { controller } of runs) controller.abort(new Error('Deepdesk is closing.'));
    await Promise.all(runs.map(({ done }) => done));
  }
  private closing = false;

  /**
   * After a start: turns that wait go on waiting; turns that were running when Deepdesk was ended are marked, and the
   * person may continue them. Threads that another living process runs are left alone.
   */
  recover(): void {
    const { storage } = this.options;
    for (const threadId of storage.threads.unfinished()) {
      const lease = storage.leases.acquire(threadId);
      if (!lease.ok) continue;
      storage.leases.release(threadId);
      const found = this.thread(threadId);
      if (!found.ok) continue;
      const live = found.value;
      const { turn, approvals } = live.state;
      if (turn.phase !== 'running' && turn.phase !== 'waiting') continue;
      if (approvals.length > 0) {
        if (turn.phase === 'running')
          live.emit({ type: 'turn.waiting', turnId: turn.turnId, at: Date.now() });
        continue;
      }
      live.emit(
        { type: 'message.added', message: noticeOf(INTERRUPTED, ['continue']) },
        { type: 'turn.ended', turnId: turn.turnId, at: Date.now(), reason: 'interrupted' },
      );
    }
  }

  /** Messages, queue and turn are saved at once: a kill in between would leave a message that nobody answers. */
  private startTurn(live: LiveThread, messages: QueuedMessage[], queue: QueuedMessage[]): TurnId {
    const turnId = newTurnId();
    const at = Date.now();
    const { thread, todos } = live.state;
    const title = thread.title === '' ? titleOf(messages[0]?.text ?? '') : thread.title;
    const isPlanDone = todos.length > 0 && todos.every((todo) => todo.status === 'completed');
    live.emit(
      ...(queue.length === live.state.queue.length ? [] : [{ type: 'queue.changed' as const, queue }]),
      ...said(messages),
      { type: 'thread.changed', thread: { ...thread, title, updatedAt: at } },
      ...(isPlanDone ? [{ type: 'todos.changed' as const, todos: [] }] : []),
      { type: 'turn.started', turnId, at },
    );
    this.begin(live, turnId, true);
    return turnId;
  }

  private begin(live: LiveThread, turnId: TurnId, isNew = false): void {
    const controller = new AbortController();
    const done = this.drive(live, turnId, controller, isNew).catch((error: unknown) => {
      // A bug, or a database that cannot be written: the turn must end all the same.
      this.options.report('turn', error);
      this.failAnyway(live, turnId, error);
    });
    const finished = done.then(() => {
      this.running.delete(live.id);
      if (this.isForgotten(live)) return;
      try {
        this.next(live);
      } catch (error) {
        this.options.report('turn', error);
      }
    });
    this.running.set(live.id, { turnId, controller, done: finished });
  }

  /** A decision was taken that nothing has used yet; one on a call that is asked about anew will never be. */
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

  /** Deleted while it ran: nothing more may be started or told. */
  private isForgotten(live: LiveThread): boolean {
    return this.live.get(live.id) !== live;
  }

  /** Sends the first queued message when the thread is free. */
  private next(live: LiveThread): void {
    if (this.closing) return;
    const { turn } = live.state;
    if (turn.phase === 'waiting' && this.isDecided(live)) {
      // The decision came while the run was just coming to rest.
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

  private async drive(
    live: LiveThread,
    turnId: TurnId,
    controller: AbortController,
    isNew: boolean,
  ): Promise<void> {
    const { storage } = this.options;
    const { signal } = controller;
    const lease = storage.leases.acquire(live.id);
    if (!lease.ok) return this.failTurn(live, turnId, lease.error);
    const heartbeat = setInterval(() => {
      try {
        storage.leases.heartbeat(live.id);
      } catch (error) {
        this.options.report('lease', error);
      }
    }, HEARTBEAT);
    try {
      const prepared = await this.options.prepare(live, signal);
      if (signal.aborted) return this.stopped(live, turnId);
      if (!prepared.ok) return this.failTurn(live, turnId, prepared.error);
      const { observer, explain, settled } = prepared.value;
      const running = this.running.get(live.id);
      if (running?.turnId === turnId) running.run = prepared.value;
      try {
        await this.loop(live, turnId, prepared.value, isNew, signal);
      } catch (error) {
        const wasStopped = signal.aborted;
        // Siblings of what failed must not run on after the turn has ended.
        controller.abort(error);
        await settled();
        await observer.settled(TOOLS_SETTLE_WITHIN);
        observer.finish();
        observer.close();
        if (wasStopped) this.stopped(live, turnId);
        else this.failTurn(live, turnId, explainRun(error) ?? explain(error));
      } finally {
        observer.close();
      }
    } finally {
      clearInterval(heartbeat);
      storage.leases.release(live.id);
      this.options.onScratchChanged(live.id);
    }
  }

  /** Stopped by the person; a turn that is cut by closing stays as it is for the next start. */
  private stopped(live: LiveThread, turnId: TurnId): void {
    if (!this.closing) this.end(live, turnId, 'stopped');
  }

  private async loop(live: LiveThread, turnId: TurnId, run: Run, isNew: boolean, signal: AbortSignal) {
    const { agent, observer } = run;
    const config = { configurable: { thread_id: live.id } };
    const { storage } = this.options;
    if (isNew) await keepFinished(live, agent, storage);
    let input = isNew
      ? messageInput(live)
      : ((await unsentMessage(live, agent)) ?? (await answersTo(live, agent, storage)).input);
    for (;;) {
      // Each step is on the disk before the next begins: a kill loses one step at most.
      await agent.invoke(input, { ...config, signal, durability: 'sync' });
      observer.finish();
      signal.throwIfAborted();
      // Reading the state back costs as much as the thread is long; only a run that asked something needs it.
      const next = observer.takeAsked() ? await answersTo(live, agent, storage) : NOTHING_OPEN;
      if (next.open === 0 && !next.isStuck) {
        if (observer.answeredNothing) {
          return this.failTurn(live, turnId, {
            kind: 'provider',
            message:
              'The model gave an empty answer. Nothing was lost; ask it again, or choose another model.',
          });
        }
        return this.end(live, turnId, 'finished');
      }
      if (next.input === null && !next.isStuck) {
        live.emit({ type: 'turn.waiting', turnId, at: Date.now() });
        return;
      }
      input = next.input;
    }
  }

  private failTurn(live: LiveThread, turnId: TurnId, error: AppError): void {
    live.emit(
      { type: 'message.added', message: noticeOf(error, actionsFor(error)) },
      { type: 'turn.ended', turnId, at: Date.now(), reason: 'failed', error },
    );
  }

  /** The last resort: ends the turn even where that cannot be saved, unless it has come to rest already. */
  private failAnyway(live: LiveThread, turnId: TurnId, error: unknown): void {
    const { turn } = live.state;
    if (turn.phase !== 'running' || turn.turnId !== turnId) return;
    const told: AppError = explainRun(error) ?? {
      kind: 'internal',
      message: 'Something went wrong in Deepdesk itself. Your message is kept. Retry to go on.',
      detail: String(error).slice(0, 1_000),
    };
    try {
      this.failTurn(live, turnId, told);
    } catch (second) {
      this.options.report('turn', second);
      if (live.state.turn.phase !== 'running') return;
      live.emitUnsaved({ type: 'message.added', message: noticeOf(told, ['retry']) });
      live.emitUnsaved({ type: 'turn.ended', turnId, at: Date.now(), reason: 'failed', error: told });
    }
  }

  private end(live: LiveThread, turnId: TurnId, reason: 'finished' | 'stopped'): void {
    for (const { id, callId } of live.state.approvals) {
      live.emit({ type: 'approval.withdrawn', approvalId: id, callId });
    }
    live.emit({ type: 'thread.changed', thread: { ...live.state.thread, updatedAt: Date.now() } });
    live.emit({ type: 'turn.ended', turnId, at: Date.now(), reason });
  }
}

/** The person's words as they stand in the conversation. */
const said = (messages: readonly QueuedMessage[]): NewThreadEvent[] =>
  messages.map(({ id, text }) => ({
    type: 'message.added',
    message: { role: 'user', id, at: Date.now(), text },
  }));

function actionsFor({ kind }: AppError): Notice['actions'] {
  switch (kind) {
    case 'no_key':
    case 'bad_key':
      return ['key', 'retry'];
    case 'spending_limit':
      return ['ceiling', 'retry'];
    case 'no_price':
      return ['price', 'retry'];
    default:
      return ['retry'];
  }
}

const noticeOf = (error: AppError, actions: Notice['actions']): Notice => ({
  role: 'notice',
  id: newMessageId(),
  at: Date.now(),
  error,
  actions,
});

const isOpen = ({ status }: ToolCall) => status === 'pending' || status === 'waiting' || status === 'running';

const isActive = ({ state: { turn } }: LiveThread) => turn.phase === 'running' || turn.phase === 'waiting';

const turnIdOf = ({ state: { turn } }: LiveThread) => ('turnId' in turn ? turn.turnId : undefined);

const newTurnId = () => TurnId.parse(randomUUID());

/** The first line of the first message, short enough for the sidebar. */
function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const chars = [...line];
  return chars.length > 60 ? `${chars.slice(0, 59).join('')}…` : line;
}
