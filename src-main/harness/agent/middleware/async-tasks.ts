import type { Client, ClientConfig, Run } from '@langchain/langgraph-sdk';
import { z } from 'zod';
import { optional } from '../../../contract/shared/optional';
import { partsOf } from '../message-parts';

/** A sub-agent on a server that speaks LangGraph's protocol. It works in the background. */
export interface AsyncSubAgent {
  /** Unique in its agent. */
  name: string;
  /** When to use it, for the model that delegates tasks. */
  description: string;
  /** Its graph or assistant on the server. */
  graphId: string;
  /** The server's address. Default: that of LangGraph's client, which reads it from the environment. */
  url?: string;
  /** Sent with each request, for example to sign in. */
  headers?: Record<string, string>;
}

/** Statuses of tasks on LangGraph servers. A server may have others. */
export const ASYNC_TASK_STATUSES = [
  'pending',
  'running',
  'success',
  'error',
  'cancelled',
  'timeout',
  'interrupted',
] as const;
/** The status of a task on a LangGraph server: that of its run there, or `cancelled`. */
export type AsyncTaskStatus = (typeof ASYNC_TASK_STATUSES)[number];

/** A task in the thread's state. Times are ISO 8601. */
export interface AsyncTask {
  /** The thread on the server. */
  taskId: string;
  /** The `name` of its AsyncSubAgent. */
  agentName: string;
  /** The same as `taskId`. */
  threadId: string;
  /** The last run on that thread. */
  runId: string;
  /** As last asked. */
  status: AsyncTaskStatus;
  /** When it was started. */
  createdAt: string;
  /** The last instructions. */
  description?: string | undefined;
  /** When it last got new instructions or another status. */
  updatedAt?: string | undefined;
  /** When the server was last asked. */
  checkedAt?: string | undefined;
}

const Task = z.object({
  taskId: z.string(),
  agentName: z.string(),
  threadId: z.string(),
  runId: z.string(),
  // A server may have statuses of its own.
  status: z.string() as unknown as z.ZodType<AsyncTaskStatus>,
  createdAt: z.string(),
  description: z.string().optional(),
  updatedAt: z.string().optional(),
  checkedAt: z.string().optional(),
});
export const Tasks = z.record(z.string(), Task);

export interface Server {
  url?: string | undefined;
  headers?: Record<string, string> | undefined;
}

/** LangGraph's hosted servers need the header; others ignore it. */
const headersOf = ({ headers }: Server) => ({ 'x-auth-scheme': 'langsmith', ...headers });

/** A client for a server. Its package is loaded with the first one. */
export async function clientFor(
  server: Server,
  more: Pick<ClientConfig, 'apiKey' | 'callerOptions'> = {},
): Promise<Client> {
  const { Client } = await import('@langchain/langgraph-sdk');
  const apiUrl = server.url === undefined ? {} : { apiUrl: server.url };
  return new Client({ ...apiUrl, ...more, defaultHeaders: headersOf(server) });
}

/** By itself, the client would repeat a request whose answer was lost, and start a task again. */
export const ONCE = { callerOptions: { maxRetries: 0 } };

/** One client for all agents with the same address and headers. */
export class Clients {
  private readonly known = new Map<string, Promise<Client>>();

  of(agent: AsyncSubAgent): Promise<Client> {
    const key = JSON.stringify([agent.url ?? '', Object.entries(headersOf(agent)).sort()]);
    const client = this.known.get(key) ?? clientFor(agent, ONCE);
    this.known.set(key, client);
    return client;
  }
}

/**
 * Starts a run on a thread of a server. If the answer is lost, the server is asked for the thread's last run, which is this one
 * unless it is known already. A failure means that the run has not started.
 */
export async function createRun(
  client: Client,
  threadId: string,
  graphId: string,
  payload: NonNullable<Parameters<Client['runs']['create']>[2]>,
  isKnown: (runId: string) => boolean,
): Promise<string> {
  const { signal } = payload;
  try {
    return (await client.runs.create(threadId, graphId, payload)).run_id;
  } catch (error) {
    signal?.throwIfAborted();
    const [last] = await client.runs.list(threadId, { limit: 1, ...optional({ signal }) }).catch(() => []);
    if (last === undefined || isKnown(last.run_id)) throw error;
    return last.run_id;
  }
}

/** Whether the server has answered that it does not do it, so that nothing has happened and a repetition is no use. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429;

/** Statuses that never change. */
const FINAL: ReadonlySet<AsyncTaskStatus> = new Set([
  'cancelled',
  'success',
  'error',
  'timeout',
  'interrupted',
]);

export const isFinal = ({ status }: Pick<AsyncTask, 'status'>): boolean => FINAL.has(status);

/**
 * Cancels the last run of a task. If the answer is lost, the server is asked for the run. Null: it is not known whether the
 * run was cancelled, which `why` explains. A failure means that it was not.
 */
export async function cancelRun(
  client: Client,
  task: Pick<AsyncTask, 'threadId' | 'runId'>,
  signal?: AbortSignal,
): Promise<{ status: AsyncTaskStatus } | { status: null; why: unknown }> {
  const { threadId, runId } = task;
  try {
    await client.runs.cancel(threadId, runId, false, 'interrupt', { ...optional({ signal }) });
    return { status: 'cancelled' };
  } catch (why) {
    signal?.throwIfAborted();
    if (isRefused(why)) throw why;
    const run = await client.runs.get(threadId, runId, { ...optional({ signal }) }).catch(() => null);
    signal?.throwIfAborted();
    if (run === null || !isFinal(run)) return { status: null, why };
    return { status: run.status === 'success' ? 'success' : 'cancelled' };
  }
}

/** Servers call a cancelled run interrupted, or failed. */
export const statusAfter = (task: AsyncTask, run: Pick<Run, 'status'>): AsyncTaskStatus =>
  task.status === 'cancelled' && run.status !== 'success' ? 'cancelled' : run.status;

/** The last message of a thread on a server, as text. */
export function reportOf(values: unknown): string {
  const { messages } = (values ?? {}) as { messages?: unknown };
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (last === undefined) return 'It ended without a message.';
  const content = typeof last === 'object' && last !== null && 'content' in last ? last.content : last;
  if (typeof content === 'string') return content;
  const text = Array.isArray(content) ? partsOf({ content } as never).text : '';
  return text === '' ? JSON.stringify(content) : text;
}
