import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { HumanMessage, type MessageContent } from '@langchain/core/messages';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { Attachment } from '../../contract/attachments';
import type { Decision, QueuedMessage } from '../../contract/conversation';
import type { NewThreadEvent } from '../../contract/events';
import { type ApprovalId, type CallId, type MessageId, type ThreadId, TurnId } from '../../contract/ids';
import { type AppError, fail, ok, type Result } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import { StoppedByPerson } from '../../harness/agent/stopped';
import type { LiveThread } from '../threads/live-thread';
import { LiveThreads, type OpenThreads } from '../threads/live-threads';
import { newMessageId } from '../threads/message-id';
import { titleOfText } from '../threads/thread-titles';
import type { Hub } from '../window/hub';
import { added, forNextStep, forNextTurn } from './queue';
import { QueuedMessages } from './queued-messages';
import { compactThread, type Drive, driveTurn, Paused, type Run, type RunOptions } from './run';
import { recordStop } from './stop-call';
import { endTurn, failAnyway, interruptTurn } from './turn-endings';

export interface TurnsOptions extends RunOptions {
  hub: Hub;
  /** Nothing of the thread runs any more: its turn ended, or waits for the person. */
  onRest?: (threadId: ThreadId) => void;
}

/** Starts, resumes, stops and recovers turns: at most one a thread at a time, each ended exactly once. */
export class Turns implements OpenThreads {
  private readonly running = new Map<
    ThreadId,
    { turnId: TurnId; controller: AbortController; done: Promise<void>; run?: Run }
  >();

  private readonly threads: LiveThreads;
  /** What the person may do with messages that wait. */
  readonly queued: QueuedMessages;

  constructor(private readonly options: TurnsOptions) {
    this.threads = new LiveThreads(options.storage, options.hub, (threadId) => this.running.has(threadId));
    this.queued = new QueuedMessages(this.threads);
  }

  /** The thread, loaded when it is first asked for. */
  thread(threadId: ThreadId): Result<LiveThread> {
    return this.threads.get(threadId);
  }

  /** Whether a run of the thread is under way. */
  isRunning(threadId: ThreadId): boolean {
    return this.running.has(threadId);
  }

  /** The thread where it is in memory already. */
  loaded(threadId: ThreadId): LiveThread | undefined {
    return this.threads.loaded(threadId);
  }

  /**
   * Ends what the thread runs, without going on to what it has queued, and forgets it: it is about to be deleted.
   * Resolves when nothing of it runs any more.
   */
  async discard(threadId: ThreadId): Promise<void> {
    const live = this.threads.close(threadId);
    try {
      const run = this.running.get(threadId);
      run?.controller.abort(new Error('Deleted by the person.'));
      await run?.done;
      if (live?.state.turn.phase === 'waiting') endTurn(live, live.state.turn.turnId, 'stopped');
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
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    const { phase } = live.state.turn;
    const message = {
      id: newMessageId(),
      text,
      ...(attachments.length === 0 ? {} : { attachments: [...attachments] }),
      at: Date.now(),
      when,
    };
    if (phase === 'running' || phase === 'waiting' || this.running.has(threadId)) {
      live.emit({ type: 'queue.changed', queue: added(live.state.queue, message) });
      return ok({ turnId: null, queued: true });
    }
    // What a turn that failed left queued was said before.
    const { taken, rest } = forNextStep(live.state.queue);
    const turnId = this.startTurn(live, [...taken, message], rest);
    return ok({ turnId, queued: false });
  }

  /** Stops what runs and begins a turn with this message and what else was for the next step. Errors: as `queued`'s. */
  async sendQueued(threadId: ThreadId, messageId: MessageId): Promise<Result<Record<string, never>>> {
    if (this.closing) return fail('cancelled', 'closing_nothing_started');
    // First in the queue on the disk before anything is stopped; the stop begins before a step could take it.
    const first = this.queued.putFirst(threadId, messageId);
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
  async takeQueued(live: LiveThread): Promise<HumanMessage[]> {
    const contents = new Map<QueuedMessage, MessageContent>();
    for (;;) {
      const run = this.running.get(live.id);
      if (!run || run.controller.signal.aborted || this.threads.isForgotten(live)) return [];
      const { taken, rest } = forNextStep(live.state.queue);
      if (taken.length === 0) return [];
      // While its files are read, the person may still change a message, or take it back.
      const unread = taken.find((message) => !contents.has(message));
      if (unread !== undefined) {
        contents.set(unread, await this.options.contentOf(live, unread));
        continue;
      }
      live.emit(...said(taken), { type: 'queue.changed', queue: rest });
      return taken.map(
        (message) => new HumanMessage({ id: message.id, content: contents.get(message) ?? message.text }),
      );
    }
  }

  /** Sends what is queued, where nothing runs. */
  go(threadId: ThreadId): void {
    const found = this.thread(threadId);
    if (found.ok && !this.running.has(threadId)) this.next(found.value);
  }

  /** Asks the model again after a failure, or goes on with a turn that was cut off. */
  async retry(threadId: ThreadId): Promise<Result<{ turnId: TurnId }>> {
    if (this.closing) return fail('cancelled', 'closing_nothing_started');
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    // Its end is told a moment before its run has put its things away.
    const run = this.running.get(threadId);
    if (run !== undefined && !isActive(live) && run.turnId === turnIdOf(live)) {
      await run.done;
      if (this.closing) return fail('cancelled', 'closing_nothing_started');
    }
    const { phase } = live.state.turn;
    if ((phase !== 'failed' && phase !== 'interrupted') || this.running.has(threadId)) {
      return fail('conflict', 'nothing_to_retry');
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
    if (this.closing) return fail('cancelled', 'closing_nothing_started');
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    const approval = live.state.approvals.find((open) => open.id === id);
    if (approval && !approval.allowed.includes(decision.type)) {
      return fail('invalid', 'decision_not_allowed', { decision: decision.type });
    }
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
      run.controller.abort(new StoppedByPerson());
      await run.done;
    }
    const { turn } = live.state;
    if (turn.phase === 'waiting' && turn.turnId === meant) {
      endTurn(live, turn.turnId, 'stopped');
      // As after a run that was stopped: what was queued comes next.
      this.next(live);
    }
    return ok({});
  }

  /** Cuts the thread's run off, with what stands in its way: the person may go on with it later. */
  async pause(threadId: ThreadId, told: AppError): Promise<void> {
    const run = this.running.get(threadId);
    run?.controller.abort(new Paused(told));
    await run?.done;
  }

  /**
   * Summarises the older messages now; messages sent meanwhile wait. Errors: `conflict` while the agent works, and what
   * the model says.
   */
  async compact(threadId: ThreadId): Promise<Result<{ tokensBefore: number; tokensAfter: number } | null>> {
    if (this.closing) return fail('cancelled', 'closing_nothing_started');
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    // A turn that has just ended may still be putting its things away.
    if (!isActive(live)) await this.settled(threadId);
    if (isActive(live) || this.running.has(threadId)) return fail('conflict', 'compact_after_turn');
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
   * Stops the sub-agent of one `task` call; its siblings and the turn go on. Durable when it answers: also after a kill
   * the sub-agent does not go on. Errors: `invalid` for other calls, `conflict` where it has ended.
   */
  stopCall(threadId: ThreadId, callId: CallId): Result<Record<string, never>> {
    const found = this.thread(threadId);
    if (!found.ok) return found;
    const live = found.value;
    const recorded = recordStop(live, callId, this.options.storage);
    if (!recorded.ok) return recorded;
    this.running.get(threadId)?.run?.stopCall(callId);
    const turnId = turnIdOf(live);
    if (turnId !== undefined) this.goOnAtRest(live, turnId);
    return ok({});
  }

  /** Takes a turn that waits, or is just coming to rest, up again: one of its questions was settled without a decision. */
  private goOnAtRest(live: LiveThread, turnId: TurnId): void {
    const goOn = () => {
      const { turn } = live.state;
      if (this.closing || this.threads.isForgotten(live) || this.running.has(live.id)) return;
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
      interruptTurn(live, turn.turnId);
    }
  }

  /** Messages, queue and turn are saved at once: a kill in between would leave a message that nobody answers. */
  private startTurn(live: LiveThread, messages: QueuedMessage[], queue: QueuedMessage[]): TurnId {
    const turnId = newTurnId();
    const at = live.now();
    const { thread, todos } = live.state;
    const [first] = messages;
    const words = first?.text.trim() || first?.attachments?.[0]?.name;
    const title = thread.title === '' ? titleOfText(words ?? '') : thread.title;
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

  /**
   * A decision may come from what listens to a run, within that run's asynchronous context. LangGraph would take what is
   * begun there for a part of it, with a state of its own.
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
      // A bug, or a database that cannot be written: the turn must end all the same.
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

  /** A decision was taken that nothing has used yet; one on a call that is asked about again will never be. */
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
}

/** The person's words as they stand in the conversation. */
const said = (messages: readonly QueuedMessage[]): NewThreadEvent[] =>
  messages.map(({ id, text, attachments }) => ({
    type: 'message.added',
    message: {
      role: 'user',
      id,
      at: Date.now(),
      text,
      ...optional({ attachments }),
    },
  }));

const isActive = ({ state: { turn } }: LiveThread) => turn.phase === 'running' || turn.phase === 'waiting';

const turnIdOf = ({ state: { turn } }: LiveThread) => ('turnId' in turn ? turn.turnId : undefined);

const newTurnId = () => TurnId.parse(randomUUID());
