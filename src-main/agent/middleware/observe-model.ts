import { randomUUID } from 'node:crypto';
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { AIMessage, type AIMessageChunk } from '@langchain/core/messages';
import type { ChatGenerationChunk, GenerationChunk } from '@langchain/core/outputs';
import { createMiddleware } from 'langchain';
import { RefusedError, StreamCutError, UnusableCallsError } from '../errors';
import { partsOf } from '../message-parts';
import type { AgentObserver, AgentRef } from '../observer';
import { MAX_UNUSABLE_ROUNDS, unusableRounds } from '../unusable-calls';
import { normaliseCalls } from './normalise-calls';

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
        nameIt(message);
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

/** Some providers give their answers no id; the graph would make one up only after it was told of. */
function nameIt(message: AIMessage): void {
  if (message.id !== undefined) return;
  message.id = randomUUID();
  message.lc_kwargs.id = message.id;
}

/** Metadata key that tells which agent a model run belongs to; inherited by every run below a sub-agent. */
export const AGENT_METADATA = 'deepdesk_agent';

/** Hands on what a model streams. Asks models to stream by being there. */
export class DeltaHandler extends BaseCallbackHandler {
  readonly name = 'deepdesk-deltas';
  /** Models stream when a handler says that it wants them to. */
  readonly lc_prefer_streaming = true;
  /** Deltas arrive before the answer that they are part of. */
  override awaitHandlers = true;
  private readonly agents = new Map<string, AgentRef>();

  constructor(private readonly observer: AgentObserver) {
    super();
  }

  override handleChatModelStart(
    _model: unknown,
    _messages: unknown,
    runId: string,
    _parent?: string,
    _extra?: unknown,
    _tags?: string[],
    metadata?: Record<string, unknown>,
  ): void {
    this.agents.set(runId, agentOf(metadata?.[AGENT_METADATA]));
  }

  override handleLLMNewToken(
    _token: string,
    _index: unknown,
    runId: string,
    _parent?: string,
    _tags?: string[],
    fields?: { chunk?: GenerationChunk | ChatGenerationChunk },
  ): void {
    const chunk = fields?.chunk;
    if (chunk === undefined || !('message' in chunk)) return;
    const { text, reasoning } = partsOf(chunk.message as AIMessageChunk);
    if (text === '' && reasoning === '') return;
    this.observer.modelDelta(this.agents.get(runId) ?? null, text, reasoning);
  }

  override handleLLMEnd(_output: unknown, runId: string): void {
    this.agents.delete(runId);
  }

  override handleLLMError(_error: unknown, runId: string): void {
    this.agents.delete(runId);
  }
}

function agentOf(value: unknown): AgentRef {
  if (value === null || typeof value !== 'object') return null;
  const { callId, name } = value as { callId?: unknown; name?: unknown };
  return typeof callId === 'string' && typeof name === 'string' ? { callId, name } : null;
}
