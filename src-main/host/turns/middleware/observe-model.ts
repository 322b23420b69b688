import { randomUUID } from 'node:crypto';
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, GenerationChunk } from '@langchain/core/outputs';
import { createMiddleware } from 'langchain';
import type { AgentRef } from '../../../harness/agent/agent-ref';
import { partsOf } from '../../../harness/agent/message-parts';
import type { AgentObserver } from '../agent-observer';
import { RefusedError, StreamCutError, UnusableCallsError } from './errors';
import { normaliseCalls } from './normalise-calls';
import { MAX_UNUSABLE_ROUNDS, unusableRounds } from './unusable-calls';

/** Tells the observer of every request to the model and repairs what the model answered. */
export function createModelObserverMiddleware(options: {
  agent: AgentRef;
  observer: AgentObserver;
  /** True where the provider's stream ended without saying why: a cut that nothing else reports. */
  isIncomplete: (message: AIMessage) => boolean;
  /** True where the model declined to answer. */
  isRefusal?: (message: AIMessage) => boolean;
  /** A call of that id was made in the thread before, by whichever agent. */
  isKnownCall?: (callId: string) => boolean;
}) {
  const { agent, observer, isIncomplete, isRefusal, isKnownCall } = options;
  let requests = 0;
  return createMiddleware({
    name: 'modelObserver',
    wrapModelCall: async (request, handler) => {
      // Only rounds of this run count, so that trying again does try.
      const rounds = Math.min(requests++, unusableRounds(request.messages));
      if (rounds >= MAX_UNUSABLE_ROUNDS) throw new UnusableCallsError(rounds);
      observer.modelStarted(agent, request.messages);
      try {
        const answer = await handler(request);
        if (!AIMessage.isInstance(answer)) {
          const said = structuredIn(answer);
          if (said !== undefined) observer.modelEnded(agent, said);
          return answer;
        }
        if (isRefusal?.(answer)) throw new RefusedError();
        if (isIncomplete(answer)) throw new StreamCutError();
        const message = normaliseCalls(answer, request.messages, isKnownCall);
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

/** The model's message in an answer of a form that was asked for, which stands beside what was read from it. */
function structuredIn(answer: unknown): AIMessage | undefined {
  if (typeof answer !== 'object' || answer === null || !('structuredResponse' in answer)) return undefined;
  const { messages } = answer as { messages?: unknown };
  return Array.isArray(messages) ? messages.find((message) => AIMessage.isInstance(message)) : undefined;
}

/**
 * Gives an answer an id of its own where the provider gave none, which the graph would make up only after it was told
 * of, or the id of an earlier message, as some servers do in every answer: the graph would put it in that one's place
 * and take the turn for finished. Other ids stay, since some providers ask for them.
 */
function nameIt(message: AIMessage, thread: readonly BaseMessage[]): void {
  const { id } = message;
  if (id !== undefined && id !== '' && !thread.some((earlier) => earlier.id === id)) return;
  message.id = randomUUID();
  message.lc_kwargs.id = message.id;
}

/** Hands on what the model streams, and nothing else of the run: whoever listens to all of it is told of each step. */
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

/** Asks models to stream by being there. */
class DeltaHandler extends BaseCallbackHandler {
  readonly name = 'deepdesk-deltas';
  /** Models stream when a handler says that it wants them to. */
  readonly lc_prefer_streaming = true;
  /** Deltas arrive before the answer that they are part of. */
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
    const { text, reasoning } = partsOf(chunk.message as AIMessageChunk);
    if (text === '' && reasoning === '') return;
    const { agent, observer } = this.options;
    observer.modelDelta(agent, text, reasoning);
  }
}
