import { randomUUID } from 'node:crypto';
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, GenerationChunk } from '@langchain/core/outputs';
import { createMiddleware } from 'langchain';
import type { AgentRef } from '../../../harness';
import { partsOf } from '../../../harness/agent/message-parts';
import type { AgentObserver } from '../agent-observer';
import { RefusedError, StreamCutError, UnusableCallsError } from './errors';
import { normalizeCalls } from './normalize-calls';
import { type FindInProject, withProjectPaths } from './root-paths';
import { MAX_UNUSABLE_ROUNDS, unusableRounds } from './unusable-calls';

/** Reports every model request to the observer and repairs the model's answers. */
export function createModelObserverMiddleware(options: {
  agent: AgentRef;
  observer: AgentObserver;
  /** True if the provider's stream ended without a reason: nothing else reports such a cut. */
  isIncomplete: (message: AIMessage) => boolean;
  /** True if the model declined to answer. */
  isRefusal?: (message: AIMessage) => boolean;
  /** Whether any agent made a call with that id in the thread before. */
  isKnownCall?: (callId: string) => boolean;
  /** The project's path for one that takes the project folder for the root. */
  findInProject?: FindInProject;
}) {
  const { agent, observer, isIncomplete, isRefusal, isKnownCall, findInProject } = options;
  let requests = 0;
  return createMiddleware({
    name: 'modelObserver',
    wrapModelCall: async (request, handler) => {
      // Only rounds of this run count, so that a retry really tries again.
      const rounds = Math.min(requests++, unusableRounds(request.messages));
      if (rounds >= MAX_UNUSABLE_ROUNDS) throw new UnusableCallsError(rounds);
      const { signal } = request.runtime;
      await observer.maySave?.(signal);
      observer.modelStarted(agent, request.messages);
      try {
        const answer = await handler(request);
        await observer.maySave?.(signal);
        if (!AIMessage.isInstance(answer)) {
          const said = structuredIn(answer);
          if (said !== undefined) observer.modelEnded(agent, said);
          return answer;
        }
        if (isRefusal?.(answer)) throw new RefusedError();
        if (isIncomplete(answer)) throw new StreamCutError();
        const usable = normalizeCalls(answer, request.messages, isKnownCall);
        const { files = {} } = request.state as { files?: Record<string, unknown> };
        const message =
          findInProject === undefined ? usable : await withProjectPaths(usable, files, findInProject);
        nameIt(message, request.state.messages);
        observer.modelEnded(agent, message);
        return message;
      } catch (error) {
        observer.modelFailed(agent);
        throw error;
      }
    },
  });
}

/** The model's message in a structured answer, beside the parsed value. */
function structuredIn(answer: unknown): AIMessage | undefined {
  if (typeof answer !== 'object' || answer === null || !('structuredResponse' in answer)) return undefined;
  const { messages } = answer as { messages?: unknown };
  return Array.isArray(messages) ? messages.find((message) => AIMessage.isInstance(message)) : undefined;
}

/**
 * Assigns an id if the provider gave none, which the graph would generate only after it was reported, or if the id repeats
 * an earlier message's, as on some servers: the graph would replace that message and treat the turn as finished. Other ids
 * stay, because some providers require them.
 */
function nameIt(message: AIMessage, thread: readonly BaseMessage[]): void {
  const { id } = message;
  if (id !== undefined && id !== '' && !thread.some((earlier) => earlier.id === id)) return;
  message.id = randomUUID();
  message.lc_kwargs.id = message.id;
}

/** Forwards only the model's stream: a listener for the whole run would get every step. */
export function createDeltaMiddleware(options: { agent: AgentRef; observer: AgentObserver }) {
  const callbacks = [new DeltaHandler(options)];
  return createMiddleware({
    name: 'deltas',
    wrapModelCall: (request, handler) => {
      const model = (request.model as BaseChatModel).withConfig({ callbacks });
      return handler({ ...request, model });
    },
  });
}

/** Its presence makes models stream. */
class DeltaHandler extends BaseCallbackHandler {
  readonly name = 'deepdesk-deltas';
  /** Models stream if a handler requests it. */
  readonly lc_prefer_streaming = true;
  /** Deltas arrive before the answer that contains them. */
  override awaitHandlers = true;

  constructor(private readonly options: { agent: AgentRef; observer: AgentObserver }) {
    super();
  }

  override handleLLMNewToken(
    _token: string,
    _index: unknown,
    _runId: string,
    _parent?: string,
    _tags?: string[],
    fields?: { chunk?: GenerationChunk | ChatGenerationChunk },
  ): void {
    const chunk = fields?.chunk;
    if (chunk === undefined || !('message' in chunk)) return;
    const { agent, observer } = this.options;
    const message = chunk.message as AIMessageChunk;
    for (const piece of message.tool_call_chunks ?? []) observer.callDelta?.(agent, piece);
    const { text, reasoning } = partsOf(message);
    if (text === '' && reasoning === '') return;
    observer.modelDelta(agent, text, reasoning);
  }
}
