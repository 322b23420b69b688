import { z } from 'zod';
import { ProjectId, RemoteAgentId, ThreadId } from './ids';
import { AppError } from './result';

/** An agent on a LangGraph server, as the person describes it. Never holds a secret. */
export const RemoteAgentDraft = z.strictObject({
  /** What the agent of a thread calls it. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/),
  /** When to use it, for the agent of a thread. */
  description: z.string().min(1).max(1_000),
  /** `https://host:port/path`, without a name or password. */
  address: z
    .string()
    .max(2_000)
    .regex(/^https?:\/\/[^\s@?#]+$/i),
  /** Its graph or assistant on the server. */
  graph: z.string().min(1).max(200),
  /** The header that carries the key: `x-api-key: KEY`, or `authorization: Bearer KEY`. */
  header: z.enum(['x-api-key', 'authorization']),
  /** The only project that has it. Null: every project has it. */
  projectId: ProjectId.nullable(),
});
export type RemoteAgentDraft = z.infer<typeof RemoteAgentDraft>;

/** A remote agent as stored. */
export const RemoteAgent = RemoteAgentDraft.extend({
  id: RemoteAgentId,
  /** Milliseconds since 1970. */
  createdAt: z.number(),
});
export type RemoteAgent = z.infer<typeof RemoteAgent>;

/** A remote agent as the window shows it. */
export const RemoteAgentInfo = RemoteAgent.extend({ hasSecret: z.boolean() });
export type RemoteAgentInfo = z.infer<typeof RemoteAgentInfo>;

/** To whom the key of a remote agent goes. */
export const serverOfAgent = ({ address, header }: Pick<RemoteAgentDraft, 'address' | 'header'>): string =>
  JSON.stringify([address.replace(/^([a-z]+:\/\/[^/]+).*$/i, '$1').toLowerCase(), header]);

/** The state of a task as its server tells it. `gone`: the server does not know it any more. */
export const RemoteTaskStatus = z.enum([
  'pending',
  'running',
  'success',
  'error',
  'cancelled',
  'timeout',
  'interrupted',
  'gone',
]);
export type RemoteTaskStatus = z.infer<typeof RemoteTaskStatus>;

/** A task that a thread's agent has given to a remote agent. Times are in milliseconds since 1970. */
export const RemoteTask = z.object({
  /** The thread on the server. */
  taskId: z.string(),
  threadId: ThreadId,
  agentName: z.string(),
  /** The last run on the server's thread. */
  runId: z.string(),
  status: RemoteTaskStatus,
  /** The last instructions. */
  description: z.string(),
  /** The last answer of the remote agent, once it has finished. Text from outside. */
  report: z.string().nullable(),
  /** Why its server could not be asked last time; null if it answered. */
  problem: AppError.nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type RemoteTask = z.infer<typeof RemoteTask>;

/** Whether a task may still change on its own. */
export const isUnderWay = ({ status }: Pick<RemoteTask, 'status'>): boolean =>
  status === 'pending' || status === 'running';
