import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AIMessage } from '@langchain/core/messages';
import type { Client, Run } from '@langchain/langgraph-sdk';
import { createMiddleware } from 'langchain';
import { z } from 'zod';
import { anyText, type Checks, checkOptions, func, recordOf, text } from '../../../base/check-options';
import { optional } from '../../../contract/shared/optional';
import { checkAsyncTask } from '../../tools/descriptors/async-tasks';
import { clientFor, isRefused, ONCE } from './async-tasks';

/** Whom `createCompletionCallbackMiddleware` tells. */
export interface CompletionCallbackOptions {
  /** The graph or assistant of the thread that is told. */
  callbackGraphId: string;
  /** Its server. Default: this agent's own. */
  url?: string;
  /** Sent with each request. */
  headers?: Record<string, string>;
  /** Ours: receives why a thread could not be told. Default: a warning of the process. */
  onError?: (error: unknown) => void;
}

const CHECKS: Checks<CompletionCallbackOptions> = {
  callbackGraphId: text,
  url: text,
  headers: recordOf(anyText, 'texts'),
  onError: func,
};

/** UTF-16 units of a report in a notification. The whole report is read by asking about the task. */
const MAX_REPORT = 500;

const FAILED = 'The agent encountered an error while calling the model.';

const State = z.object({
  /** The thread that gave this agent its task, as part of the input. Absent: nobody is told. */
  callbackThreadId: z.string().optional(),
});

/**
 * For an agent on a server that is somebody's asynchronous sub-agent: tells the thread that started it, in a new run with a
 * message, that it has finished or that its model failed. With `createDeepAgent` it is outside other middleware, so a request
 * that is repeated has not failed yet. With `createAgent`, list it first.
 */
export function createCompletionCallbackMiddleware(options: CompletionCallbackOptions) {
  checkOptions('createCompletionCallbackMiddleware', options, CHECKS, ['callbackGraphId']);
  const { callbackGraphId, url, headers, onError = warn } = options;
  const tell = async (state: unknown, runtime: unknown, text: (taskId: string | undefined) => string) => {
    const found = State.safeParse(state);
    const threadId = found.success ? found.data.callbackThreadId : undefined;
    if (threadId === undefined) return;
    const taskId = taskIdIn(runtime);
    const content = `${taskId === undefined ? '' : `[task_id=${taskId}]`}${text(taskId)}`;
    try {
      const client = await clientFor(optional({ url, headers }), { apiKey: null, ...ONCE });
      await tellOnce(client, threadId, callbackGraphId, content);
    } catch (error) {
      onError(error);
    }
  };
  return createMiddleware({
    name: 'CompletionCallbackMiddleware',
    stateSchema: State,
    afterAgent: (state, runtime) =>
      tell(state, runtime, (taskId) => `Completed. Result: ${reportOf(state.messages, taskId)}`),
    wrapModelCall: async (request, handler) => {
      try {
        return await handler(request);
      } catch (error) {
        const isStopped = request.runtime.signal?.aborted === true;
        if (!isStopped) await tell(request.state, request.runtime, () => FAILED);
        throw error;
      }
    },
  });
}

/** Milliseconds before each attempt to tell. */
const PAUSES = [0, 500, 2_000, 8_000];

/** A run that may have started although its answer was lost is searched for before another one is started. */
async function tellOnce(client: Client, threadId: string, graphId: string, content: string): Promise<void> {
  const mark = randomUUID();
  const isMarked = ({ metadata }: Pick<Run, 'metadata'>) => Object.values(metadata ?? {}).includes(mark);
  let failed: unknown = null;
  for (const pause of PAUSES) {
    await delay(pause);
    try {
      if (failed !== null && (await client.runs.list(threadId, { limit: 20 })).some(isMarked)) return;
      await client.runs.create(threadId, graphId, {
        input: { messages: [{ role: 'user', content }] },
        metadata: { completion_callback: mark },
        // Otherwise the server refuses it while the thread is at work.
        multitaskStrategy: 'enqueue',
      });
      return;
    } catch (error) {
      if (isRefused(error)) throw error;
      failed = error;
    }
  }
  throw failed;
}

const warn = (error: unknown) =>
  process.emitWarning(`The thread that waits for this agent could not be told: ${String(error)}`);

/** The task's id there is this agent's own thread. */
function taskIdIn(runtime: unknown): string | undefined {
  const { configurable } = (runtime ?? {}) as { configurable?: { thread_id?: unknown } };
  const id = configurable?.thread_id;
  return typeof id === 'string' ? id : undefined;
}

function reportOf(messages: readonly unknown[], taskId: string | undefined): string {
  const last = messages.at(-1);
  const text = AIMessage.isInstance(last) ? last.text : '';
  if (text.length <= MAX_REPORT) return text === '' ? 'It ended without a message.' : text;
  const more =
    taskId === undefined ? '' : ` Use \`${checkAsyncTask.name}(taskId='${taskId}')\` to get all of it.`;
  return `${text.slice(0, MAX_REPORT)}... [full result truncated]${more}`;
}
