import { ToolMessage } from '@langchain/core/messages';
import { type StructuredToolInterface, type ToolRuntime, tool } from '@langchain/core/tools';
import { Command, ReducedValue, StateSchema } from '@langchain/langgraph';
import type { Client } from '@langchain/langgraph-sdk';
import { createMiddleware } from 'langchain';
import { z } from 'zod';
import { anyText, type Checks, checkOptions, func, listOf } from '../../../base/check-options';
import {
  cancelAsyncTask,
  checkAsyncTask,
  listAsyncTasks,
  startAsyncTask,
  updateAsyncTask,
} from '../../tools/descriptors/async-tasks';
import { asyncSubAgentCheck } from '../option-checks';
import cancelDescription from '../prompts/cancel_async_task.md?raw';
import checkDescription from '../prompts/check_async_task.md?raw';
import listDescription from '../prompts/list_async_tasks.md?raw';
import startDescription from '../prompts/start_async_task.md?raw';
import updateDescription from '../prompts/update_async_task.md?raw';
import { withSection } from '../system-section';
import {
  ASYNC_TASK_STATUSES,
  type AsyncSubAgent,
  type AsyncTask,
  Clients,
  cancelRun,
  createRun,
  isFinal,
  reportOf,
  statusAfter,
  Tasks,
} from './async-tasks';

/** Options of `createAsyncSubAgentMiddleware`. */
export interface AsyncSubAgentMiddlewareOptions {
  /** At least one. */
  asyncSubAgents: readonly AsyncSubAgent[];
  /** Added to the system prompt, with the list of agents. The tools describe themselves. */
  systemPrompt?: string | null;
  /** Connects to an agent's server. Default: LangGraph's client with its own settings from the environment. */
  clientOf?: (agent: AsyncSubAgent) => Promise<Client>;
  /** Tasks that are newer than the thread's state, for example because the person has cancelled one. */
  currentTasks?: () => readonly AsyncTask[];
  /** Called with the tasks that a call has changed, before the call ends. */
  onChanged?: (tasks: readonly AsyncTask[]) => void;
}

const CHECKS: Checks<AsyncSubAgentMiddlewareOptions> = {
  asyncSubAgents: listOf(asyncSubAgentCheck, 'sub-agents'),
  systemPrompt: anyText,
  clientOf: func,
  currentTasks: func,
  onChanged: func,
};

/** The state survives summaries of the conversation. It has the published package's form, so either package reads it. */
const asyncTaskState = new StateSchema({
  /** By `taskId`, see `AsyncTask`. An update replaces the tasks that it contains and keeps the others. */
  asyncTasks: new ReducedValue(Tasks.default({}), {
    inputSchema: Tasks.optional(),
    reducer: (
      known: Record<string, AsyncTask> | undefined,
      update: Record<string, AsyncTask> | undefined,
    ): Record<string, AsyncTask> => ({ ...known, ...update }),
  }),
});

/** Whether a sub-agent works on a server. */
export const isAsyncSubAgent = (agent: object): agent is AsyncSubAgent => 'graphId' in agent;

/**
 * Tools that give tasks to agents on a LangGraph server and return immediately: start, check, update, cancel, list. The tasks
 * are in the thread's state as `asyncTasks`.
 */
export function createAsyncSubAgentMiddleware(options: AsyncSubAgentMiddlewareOptions) {
  checkOptions('createAsyncSubAgentMiddleware', options, CHECKS, ['asyncSubAgents']);
  const { asyncSubAgents: agents, systemPrompt } = options;
  if (agents.length === 0) throw new Error('At least one async subagent must be specified');
  const names = agents.map(({ name }) => name);
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated.length > 0)
    throw new Error(`Duplicate async subagent names: ${[...new Set(repeated)].join(', ')}`);
  const list = agents.map((one) => `- ${one.name}: ${one.description}`).join('\n');
  const tasks = new RemoteTasks(options);
  const onChanged = options.onChanged ?? (() => undefined);
  const section = systemPrompt ? `${systemPrompt}\n\nAvailable async subagent types:\n${list}` : null;
  return createMiddleware({
    name: 'asyncSubAgentMiddleware',
    stateSchema: asyncTaskState,
    tools: [
      asTool(startAsyncTask.name, `${startDescription}\n${list}`, Start, (input, call) =>
        tasks.start(input, call),
      ),
      asTool(checkAsyncTask.name, checkDescription, One, ({ taskId }, call) => tasks.check(taskId, call)),
      asTool(updateAsyncTask.name, updateDescription, Update, (input, call) => tasks.update(input, call)),
      asTool(cancelAsyncTask.name, cancelDescription, One, ({ taskId }, call) => tasks.cancel(taskId, call)),
      asTool(listAsyncTasks.name, listDescription, List, ({ statusFilter }, call) =>
        tasks.list(statusFilter, call),
      ),
    ].map((make) => make(onChanged)),
    wrapModelCall: (request, handler) =>
      handler(
        section === null
          ? request
          : { ...request, systemMessage: withSection(request.systemMessage, section) },
      ),
  });
}

const taskId = z.string().describe(`The exact taskId that ${startAsyncTask.name} returned`);
const One = z.object({ taskId });
const Start = z.object({
  description: z.string().describe('The complete task, with everything needed to do it and what to report'),
  agentName: z.string().describe('One of the types above'),
});
const Update = z.object({
  taskId,
  message: z.string().describe('New instructions or information for the task'),
});
const List = z.object({
  statusFilter: z
    .enum([...ASYNC_TASK_STATUSES, 'all'])
    .nullish()
    .describe('List only tasks whose last known status is this. Default: all'),
});

/** What a call says, and the task that it changed. */
interface Answer {
  text: string;
  tasks?: readonly AsyncTask[];
}

type RunPayload = Parameters<typeof createRun>[3];

type OnChanged = (tasks: readonly AsyncTask[]) => void;

const asTool =
  <S extends z.ZodObject>(
    name: string,
    description: string,
    schema: S,
    work: (input: z.output<S>, runtime: ToolRuntime) => Promise<Answer>,
  ) =>
  (onChanged: OnChanged): StructuredToolInterface =>
    tool(
      async (input: z.output<S>, runtime: ToolRuntime) => {
        const answer = (content: string, status: 'success' | 'error') =>
          new ToolMessage({ content, status, name, tool_call_id: runtime.toolCallId });
        try {
          const { text, tasks = [] } = await work(input, runtime);
          if (tasks.length > 0) onChanged(tasks);
          const asyncTasks = Object.fromEntries(tasks.map((task) => [task.taskId, task]));
          return new Command({ update: { messages: [answer(text, 'success')], asyncTasks } });
        } catch (error) {
          runtime.signal?.throwIfAborted();
          return answer(error instanceof Error ? error.message : String(error), 'error');
        }
      },
      { name, description, schema: schema as never },
    ) as StructuredToolInterface;

/** Tasks on servers, by what the thread's state says of them. Errors are for the model. */
class RemoteTasks {
  private readonly agents: ReadonlyMap<string, AsyncSubAgent>;
  private readonly clientOf: (agent: AsyncSubAgent) => Promise<Client>;
  private readonly current: () => readonly AsyncTask[];
  /** Ids of runs that have started. */
  private readonly known = new Set<string>();

  constructor({ asyncSubAgents, clientOf, currentTasks = () => [] }: AsyncSubAgentMiddlewareOptions) {
    this.agents = new Map(asyncSubAgents.map((one) => [one.name, one]));
    const clients = new Clients();
    this.clientOf = clientOf ?? ((agent) => clients.of(agent));
    this.current = currentTasks;
  }

  async start(
    { agentName, description }: z.output<typeof Start>,
    { config, signal }: ToolRuntime,
  ): Promise<Answer> {
    const agent = this.agent(agentName);
    return reaching(agent, 'start', async () => {
      const client = await this.clientOf(agent);
      const { thread_id: id } = await client.threads.create({ ...optionsOf(signal) });
      const parent: unknown = config.configurable?.thread_id;
      const runId = await this.run(client, id, agent.graphId, {
        input: {
          messages: [{ role: 'user', content: description }],
          // Where createCompletionCallbackMiddleware reports.
          ...(typeof parent === 'string' && parent !== '' ? { callbackThreadId: parent } : {}),
        },
        ...optionsOf(signal),
      });
      const task = taskOf({ agentName, description, id, runId });
      return { text: `Started. taskId: ${id}`, tasks: [task] };
    });
  }

  async check(id: string, { state, signal }: ToolRuntime): Promise<Answer> {
    const task = taskIn(this.tasksIn(state), id);
    const agent = this.agent(task.agentName);
    return reaching(agent, 'check', async () => {
      const client = await this.clientOf(agent);
      const run = await client.runs.get(task.threadId, task.runId, { ...optionsOf(signal) });
      const status = statusAfter(task, run);
      const report =
        status === 'success'
          ? {
              result: reportOf(
                (await client.threads.getState(task.threadId, undefined, optionsOf(signal))).values,
              ),
            }
          : status === 'error'
            ? { error: 'The sub-agent failed. Its server has the details.' }
            : {};
      const text = JSON.stringify({ status, threadId: task.threadId, ...report });
      return { text, tasks: [{ ...changed(task, status), checkedAt: now() }] };
    });
  }

  async update({ taskId: id, message }: z.output<typeof Update>, runtime: ToolRuntime): Promise<Answer> {
    const task = taskIn(this.tasksIn(runtime.state), id);
    const agent = this.agent(task.agentName);
    return reaching(agent, 'update', async () => {
      const client = await this.clientOf(agent);
      this.known.add(task.runId);
      const runId = await this.run(client, task.threadId, agent.graphId, {
        input: { messages: [{ role: 'user', content: message }] },
        multitaskStrategy: 'interrupt',
        ...optionsOf(runtime.signal),
      });
      const updated: AsyncTask = {
        ...task,
        runId,
        status: 'running',
        description: message,
        updatedAt: now(),
      };
      return { text: `Updated. taskId: ${task.taskId}`, tasks: [updated] };
    });
  }

  async cancel(id: string, { state, signal }: ToolRuntime): Promise<Answer> {
    const task = taskIn(this.tasksIn(state), id);
    if (isFinal(task)) return { text: `It had ended already. status: ${task.status}` };
    const agent = this.agent(task.agentName);
    return reaching(agent, 'cancel', async () => {
      const client = await this.clientOf(agent);
      const done = await cancelRun(client, task, signal);
      if (done.status === null)
        throw new Error(
          `the server did not answer (${textOf(done.why)}). The task may still be cancelled: check it before you cancel it again.`,
        );
      const tasks = [changed(task, done.status)];
      if (done.status === 'success') return { text: `It had ended already. status: ${done.status}`, tasks };
      return { text: `Cancelled. taskId: ${task.taskId}`, tasks };
    });
  }

  async list(filter: string | null | undefined, { state, signal }: ToolRuntime): Promise<Answer> {
    const all = Object.values(this.tasksIn(state));
    const wanted = filter && filter !== 'all' ? all.filter(({ status }) => status === filter) : all;
    if (wanted.length === 0) return { text: 'There are no such tasks.' };
    const tasks = await Promise.all(wanted.map((task) => this.refreshed(task, signal)));
    const lines = tasks.map(
      (task) => `- taskId: ${task.taskId} agent: ${task.agentName} status: ${task.status}`,
    );
    return { text: `${tasks.length} tasks:\n${lines.join('\n')}`, tasks };
  }

  /** As last known if its server does not answer. */
  private async refreshed(task: AsyncTask, signal: AbortSignal | undefined): Promise<AsyncTask> {
    const agent = this.agents.get(task.agentName);
    if (agent === undefined || isFinal(task)) return task;
    try {
      const client = await this.clientOf(agent);
      const run = await client.runs.get(task.threadId, task.runId, { ...optionsOf(signal) });
      return changed(task, statusAfter(task, run));
    } catch {
      signal?.throwIfAborted();
      return task;
    }
  }

  private async run(client: Client, threadId: string, graphId: string, payload: RunPayload): Promise<string> {
    const id = await createRun(client, threadId, graphId, payload, (run) => this.known.has(run));
    this.known.add(id);
    return id;
  }

  private tasksIn(state: unknown): Record<string, AsyncTask> {
    const current = this.current().map((task) => [task.taskId, task] as const);
    return { ...tasksIn(state), ...Object.fromEntries(current) };
  }

  private agent(name: string): AsyncSubAgent {
    const agent = this.agents.get(name);
    if (agent !== undefined) return agent;
    const types = [...this.agents.keys()].join(', ');
    throw new Error(`Error: there is no async sub-agent of type ${name}; the types are ${types}.`);
  }
}

const now = () => new Date().toISOString();

const optionsOf = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

const taskOf = (made: { agentName: string; description: string; id: string; runId: string }): AsyncTask => ({
  taskId: made.id,
  agentName: made.agentName,
  threadId: made.id,
  runId: made.runId,
  status: 'running',
  createdAt: now(),
  description: made.description,
});

const changed = (task: AsyncTask, status: AsyncTask['status']): AsyncTask =>
  status === task.status ? task : { ...task, status, updatedAt: now() };

function tasksIn(state: unknown): Record<string, AsyncTask> {
  const { asyncTasks } = (state ?? {}) as { asyncTasks?: unknown };
  const found = Tasks.safeParse(asyncTasks ?? {});
  return found.success ? found.data : {};
}

function taskIn(tasks: Record<string, AsyncTask>, id: string): AsyncTask {
  const task = tasks[id.trim()];
  if (task !== undefined) return task;
  throw new Error(`Error: there is no task '${id}'. ${listAsyncTasks.name} shows all of them.`);
}

async function reaching(agent: AsyncSubAgent, what: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`Error: could not ${what} the task of ${agent.name}: ${textOf(error)}`, { cause: error });
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
