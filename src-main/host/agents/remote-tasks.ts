import { isUnderWay, type RemoteAgent, type RemoteTask, RemoteTaskStatus } from '../../contract/agents';
import type { ThreadId } from '../../contract/ids';
import { type AppError, fail, ok, type Result } from '../../contract/result';
import type { AsyncTask } from '../../harness';
import {
  cancelRun,
  createRun,
  isFinal,
  reportOf,
  statusAfter,
} from '../../harness/agent/middleware/async-tasks';
import type { Storage } from '../../storage';
import type { Hub } from '../window/hub';
import type { RemoteAgents } from './remote-agents';
import { failureOf, statusOf } from './server-failure';

/** Milliseconds between two checks of running tasks, and the maximum while their servers do not answer. */
const LOOK_EVERY = 5_000;
const LOOK_AT_LEAST_EVERY = 60_000;
/** UTF-16 units of a report that are kept. */
const MAX_REPORT = 100_000;

interface RemoteTasksOptions {
  storage: Storage;
  hub: Hub;
  agents: RemoteAgents;
  report: (error: unknown) => void;
  /** Called for a task that has finished on its server. */
  onEnded?: (task: RemoteTask) => void;
  /** For tests. */
  lookEvery?: number;
}

/**
 * The tasks that threads have given to remote agents. They are kept in the database and followed while they are under way,
 * also after a restart.
 */
export class RemoteTasks {
  private timer: NodeJS.Timeout | undefined;
  private wait: number;
  private looking: Promise<void> | null = null;
  private isClosed = false;
  /** One for each check of a task: LangGraph's client never takes its listeners off a signal again. */
  private readonly asking = new Set<AbortController>();
  /** Runs that newer instructions have replaced. Answers about them may still arrive. */
  private readonly replaced = new Set<string>();
  /** Runs that the person cancels. Their end is not announced, unless they finished before. */
  private readonly cancelled = new Set<string>();

  constructor(private readonly options: RemoteTasksOptions) {
    this.wait = this.lookEvery;
  }

  /** Follows the tasks that were under way when the app ended. */
  start(): void {
    this.schedule();
  }

  of(threadId: ThreadId): RemoteTask[] {
    return this.options.storage.remoteTasks.of(threadId);
  }

  /** The tasks of a thread as the harness knows them. */
  currentOf(threadId: ThreadId): AsyncTask[] {
    return this.of(threadId).map((task) => ({
      taskId: task.taskId,
      agentName: task.agentName,
      threadId: task.taskId,
      runId: task.runId,
      status: task.status === 'gone' ? 'error' : task.status,
      createdAt: iso(task.createdAt),
      updatedAt: iso(task.updatedAt),
      description: task.description,
    }));
  }

  /** Takes over what calls of a thread's agent have changed. */
  note(threadId: ThreadId, tasks: readonly AsyncTask[]): void {
    const { remoteTasks } = this.options.storage;
    for (const { taskId, agentName, runId, status, createdAt, description = '' } of tasks) {
      if (this.replaced.has(runId)) continue;
      const known = remoteTasks.get(threadId, taskId);
      const isSameRun = known?.runId === runId;
      if (known !== null && !isSameRun) this.replaced.add(known.runId);
      this.save({
        taskId,
        threadId,
        agentName,
        runId,
        status: RemoteTaskStatus.catch('running').parse(status),
        description,
        report: isSameRun ? known.report : null,
        problem: null,
        createdAt: known?.createdAt ?? Date.parse(createdAt),
        updatedAt: Date.now(),
      });
    }
    this.soon();
  }

  /** Asks the server about a task now. */
  async check(threadId: ThreadId, taskId: string): Promise<Result<Record<string, never>>> {
    const task = this.options.storage.remoteTasks.get(threadId, taskId);
    if (task === null) return fail('not_found', 'remote_task_gone');
    const { problem } = await this.ask(task);
    return problem === null ? ok({}) : { ok: false, error: problem };
  }

  /** Gives a task new instructions. It keeps what it has done so far. */
  async steer(threadId: ThreadId, taskId: string, text: string): Promise<Result<Record<string, never>>> {
    return this.at(threadId, taskId, async (task, agent) => {
      const client = await this.options.agents.clientOf(agent);
      const input = { messages: [{ role: 'user', content: text }] };
      const isKnown = (run: string) => run === task.runId || this.replaced.has(run);
      const payload = { input, multitaskStrategy: 'interrupt' } as const;
      const runId = await createRun(client, taskId, agent.graph, payload, isKnown);
      this.replaced.add(task.runId);
      // In any case: its server may have reported that the old run was interrupted.
      this.save({
        ...task,
        runId,
        status: 'running',
        description: text,
        report: null,
        problem: null,
        updatedAt: Date.now(),
      });
      this.soon();
    });
  }

  async cancel(threadId: ThreadId, taskId: string): Promise<Result<Record<string, never>>> {
    return this.at(threadId, taskId, async (task, agent) => {
      if (!isUnderWay(task)) return;
      const client = await this.options.agents.clientOf(agent);
      this.cancelled.add(task.runId);
      const done = await cancelRun(client, { threadId: taskId, runId: task.runId });
      if (done.status === null) throw done.why;
      // Meanwhile its server may have told that the run was interrupted, which counts as cancelled.
      const now = this.options.storage.remoteTasks.get(threadId, taskId);
      if (now?.runId !== task.runId || now.status === 'success') return;
      if (done.status === 'success') await this.ask(now);
      else this.save({ ...now, status: 'cancelled', problem: null, updatedAt: Date.now() });
    });
  }

  /** Stops following. The tasks continue on their servers. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    this.isClosed = true;
    for (const asking of this.asking) asking.abort();
    await this.looking;
  }

  private async at(
    threadId: ThreadId,
    taskId: string,
    work: (task: RemoteTask, agent: RemoteAgent) => Promise<void>,
  ): Promise<Result<Record<string, never>>> {
    const task = this.options.storage.remoteTasks.get(threadId, taskId);
    if (task === null) return fail('not_found', 'remote_task_gone');
    const agent = this.agentOf(task);
    if (agent === null) return fail('not_found', 'remote_agent_gone');
    try {
      await work(task, agent);
      return ok({});
    } catch (error) {
      return failureOf(error, agent);
    }
  }

  private agentOf({ threadId, agentName }: RemoteTask): RemoteAgent | null {
    const record = this.options.storage.threads.get(threadId);
    return record === null ? null : this.options.agents.named({ id: record.thread.projectId }, agentName);
  }

  /** Brings a task up to date. A server that does not answer leaves it as it was, with the reason. */
  private async ask(task: RemoteTask): Promise<RemoteTask> {
    const agent = this.agentOf(task);
    if (agent === null)
      return this.change(task, { problem: errorOf(fail('not_found', 'remote_agent_gone')) });
    const asking = new AbortController();
    this.asking.add(asking);
    const { signal } = asking;
    try {
      const client = await this.options.agents.clientOf(agent);
      const run = await client.runs.get(task.taskId, task.runId, { signal });
      const known = this.currentOf(task.threadId).find(({ taskId }) => taskId === task.taskId);
      // The answer to a cancellation may have been lost.
      const asked = this.cancelled.has(task.runId) && isFinal(run) ? 'cancelled' : known?.status;
      const status = RemoteTaskStatus.catch('running').parse(
        statusAfter({ ...known, status: asked } as AsyncTask, run),
      );
      const report =
        status === 'success' && task.report === null
          ? reportOf((await client.threads.getState(task.taskId, undefined, { signal })).values)
          : task.report;
      return this.change(task, { status, report: report?.slice(0, MAX_REPORT) ?? null, problem: null });
    } catch (error) {
      if (signal.aborted) return task;
      if (statusOf(error) === 404) return this.change(task, { status: 'gone', problem: null });
      return this.change(task, { problem: errorOf(failureOf(error, agent)) });
    } finally {
      this.asking.delete(asking);
    }
  }

  /** Drops an answer about a run that the person has since replaced. */
  private change(task: RemoteTask, change: Partial<RemoteTask>): RemoteTask {
    const now = this.options.storage.remoteTasks.get(task.threadId, task.taskId);
    if (now === null || now.runId !== task.runId || now.status !== task.status) return now ?? task;
    const next = { ...now, ...change };
    if (JSON.stringify(next) === JSON.stringify(now)) return now;
    const saved = this.save({ ...next, updatedAt: Date.now() });
    const isExpected = this.cancelled.has(now.runId) && saved.status !== 'success';
    const isNews = isUnderWay(now) && !isUnderWay(saved) && !isExpected;
    if (isNews) this.options.onEnded?.(saved);
    return saved;
  }

  private save(task: RemoteTask): RemoteTask {
    this.options.storage.remoteTasks.save(task);
    this.options.hub.app({ type: 'agents.taskChanged', threadId: task.threadId });
    return task;
  }

  private get lookEvery(): number {
    return this.options.lookEvery ?? LOOK_EVERY;
  }

  private soon(): void {
    this.wait = this.lookEvery;
    this.schedule();
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (this.isClosed || this.options.storage.remoteTasks.underWay().length === 0) return;
    this.timer = setTimeout(() => {
      this.looking ??= this.look().finally(() => {
        this.looking = null;
        this.schedule();
      });
    }, this.wait);
    this.timer.unref();
  }

  private async look(): Promise<void> {
    const tasks = this.options.storage.remoteTasks.underWay();
    const asked = await Promise.allSettled(tasks.map((task) => this.ask(task)));
    for (const one of asked) if (one.status === 'rejected') this.options.report(one.reason);
    const answered = asked.some((one) => one.status === 'fulfilled' && one.value.problem === null);
    this.wait = answered ? this.lookEvery : Math.min(2 * this.wait, LOOK_AT_LEAST_EVERY);
  }
}

const iso = (at: number): string => new Date(at).toISOString();

const errorOf = ({ error }: { error: AppError }): AppError => error;
