import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, SystemMessage } from '@langchain/core/messages';
import { createMiddleware } from 'langchain';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { ProviderId } from '../contract/app';
import type { AppError, Result } from '../contract/result';
import type { ModelPrice, TokenUsage } from '../contract/usage';
import { toAppError } from './errors';
import { estimateTokens } from './estimate-tokens';
import { failureOf, notingProgress } from './failures';
import { type SpendGuard, SpendingLimitError } from './spend-guard';
import { mayAnotherModelAnswer } from './trouble';
import { NO_USAGE, stepCost, usageOf } from './usage';

/** A model by `provider:name`, with its price. */
export interface PricedModel {
  model: string;
  price: ModelPrice | null;
}

export interface FallbackModel extends PricedModel {
  /** Creates it on demand. A failure (no key) moves the request to the next one. */
  open(): Promise<Result<BaseChatModel>>;
}

/** One request in its final form. */
export interface SentRequest {
  /** `provider:name` */
  model: string;
  system: SystemMessage | null;
  messages: readonly BaseMessage[];
  tools: readonly unknown[];
  /** It asks for a summary of the conversation. */
  isSummary: boolean;
}

/** A request that was answered, or cut off during the answer. */
export interface Spent {
  model: string;
  /** Null if not reported. */
  usage: TokenUsage | null;
  /** Micro-dollars; null if the price is unknown. */
  cost: number | null;
  isSummary: boolean;
}

export interface ModelCallOptions {
  /** The thread that pays; sub-agents spend for their thread. */
  threadId: string;
  /** The agent's own model. */
  first: PricedModel;
  /** The price of a different model in a request, such as a sub-agent's; undefined if unknown. */
  pricedOf?: (chat: object) => PricedModel | undefined;
  /** In the order of use. */
  fallbacks?: readonly FallbackModel[];
  guard?: SpendGuard;
  /** Keys in use, to be removed from messages. */
  secrets?: readonly string[];
  /** Called before another model is asked. The run stays with it. */
  onFallback?: (change: { from: string; to: string; reason: AppError }) => void;
}

/** Notifications for one of the agents that share a `ModelCalls`. */
export interface ModelCallListener {
  onSent?: (request: SentRequest) => void;
  onSpent?: (spent: Spent) => void;
}

interface Asked {
  estimate: number;
  signal: AbortSignal | undefined;
  /** Sends the request to the model, or if null, to the request's own model. */
  send(model: string, chat: BaseChatModel | null): Promise<unknown>;
  /** The request in its final form, for observers. */
  told(model: string): SentRequest;
}

/**
 * Wraps each model request: checks the budget first, and moves the request to the next model if one is unreachable,
 * overloaded or has no account. Never does so once text was streamed. One instance serves an agent and its sub-agents for
 * one run.
 */
export class ModelCalls {
  /** The run's current fallback, by the intended model. */
  private readonly reached = new Map<string, number>();

  constructor(private readonly options: ModelCallOptions) {}

  /** Middleware for one agent. Place it inside the middleware that observes answers, next to the model. */
  middleware(listener: ModelCallListener = {}) {
    return createMiddleware({
      name: 'modelCall',
      wrapModelCall: async (request, handler) => {
        const system = request.systemMessage.text === '' ? null : request.systemMessage;
        const { messages, tools } = request;
        return this.ask(
          this.pricedOf(request.model),
          {
            estimate: estimateTokens({ messages: system === null ? messages : [system, ...messages], tools }),
            signal: request.runtime.signal,
            send: async (model, chat) => handler(chat === null ? request : withModel(request, model, chat)),
            told: (model) => ({ model, system, messages, tools, isSummary: false }),
          },
          listener,
        ) as ReturnType<typeof handler>;
      },
    });
  }

  /** A request outside the agent's loop: for a summary. Rejects like the model, or with a `SpendingLimitError`. */
  async invoke(
    chat: BaseChatModel,
    messages: BaseMessage[],
    config: { signal?: AbortSignal; callbacks?: [] },
    listener: ModelCallListener = {},
  ): Promise<AIMessage> {
    const first = messages[0];
    const system = SystemMessage.isInstance(first) ? first : null;
    const answer = await this.ask(
      this.pricedOf(chat),
      {
        estimate: estimateTokens({ messages }),
        signal: config.signal,
        send: (_, other) => (other ?? chat).invoke(messages, config),
        told: (model) => ({
          model,
          system,
          messages: system === null ? messages : messages.slice(1),
          tools: [],
          isSummary: true,
        }),
      },
      listener,
    );
    if (!AIMessage.isInstance(answer)) throw new Error('The model gave no message.');
    return answer;
  }

  private pricedOf(chat: unknown): PricedModel {
    const known = typeof chat === 'object' && chat !== null ? this.options.pricedOf?.(chat) : undefined;
    return known ?? this.options.first;
  }

  private async ask(own: PricedModel, asked: Asked, listener: ModelCallListener): Promise<unknown> {
    const { fallbacks = [], onFallback, secrets } = this.options;
    const { signal } = asked;
    const models: readonly (PricedModel & Partial<FallbackModel>)[] = [
      own,
      ...fallbacks.filter(({ model }) => model !== own.model),
    ];
    const reached = this.reached.get(own.model) ?? 0;
    let failed: { error: unknown; from: string; reason: AppError } | null = null;
    for (let at = reached; ; at += 1) {
      const model = models[at];
      if (model === undefined) throw failed?.error ?? new Error('There is no model to ask.');
      const opened = await model.open?.();
      if (opened?.ok === false) {
        const { error } = opened;
        failed ??= { error: new Error(inEnglish(error)), from: model.model, reason: error };
        continue;
      }
      if (failed !== null && at > (this.reached.get(own.model) ?? 0)) {
        this.reached.set(own.model, at);
        onFallback?.({ from: failed.from, to: model.model, reason: failed.reason });
      }
      try {
        return await this.send(model, opened?.value ?? null, asked, listener);
      } catch (error) {
        const mayGoOn =
          signal?.aborted !== true &&
          !(error instanceof SpendingLimitError) &&
          failureOf(error)?.streamed !== true &&
          mayAnotherModelAnswer(error);
        if (!mayGoOn) throw error;
        failed = { error, from: model.model, reason: toAppError(error, providerIn(model.model), secrets) };
      }
    }
  }

  /** Asks one model. Rejects like the model, or with a `SpendingLimitError`. */
  private async send(
    { model, price }: PricedModel,
    chat: BaseChatModel | null,
    { estimate, signal, send, told }: Asked,
    { onSent, onSpent }: ModelCallListener,
  ): Promise<unknown> {
    const { guard, threadId } = this.options;
    const reserved = guard?.reserve({ threadId, model, price, estimate });
    if (reserved?.ok === false) throw new SpendingLimitError(reserved.error);
    const request = told(model);
    const settle = (usage: TokenUsage | null) => {
      const { cost } = reserved?.value.settle(usage) ?? stepCost(usage ?? NO_USAGE, usage && price);
      onSpent?.({ model, usage, cost, isSummary: request.isSummary });
    };
    const progress = { isRunning: true };
    try {
      onSent?.(request);
      const answer = await notingProgress(progress, () => send(model, chat));
      const message = answerIn(answer);
      settle(message === null ? null : usageOf(message));
      return answer;
    } catch (error) {
      // A stopped request may have started, and is billed. None runs during the wait before a retry.
      const wasStopped = signal?.aborted === true && progress.isRunning;
      if (failureOf(error)?.streamed === true || wasStopped) settle(null);
      else reserved?.value.release();
      throw error;
    }
  }
}

const providerIn = (model: string): ProviderId => ProviderId.parse(model.slice(0, model.indexOf(':')));

/** Adapts a request for another model: drops Anthropic-only fields. */
function withModel<R extends { model: unknown; modelSettings?: Record<string, unknown> | undefined }>(
  request: R,
  model: string,
  chat: BaseChatModel,
): R {
  const { cache_control: mark, ...settings } = request.modelSettings ?? {};
  const isAnthropic = providerIn(model) === 'anthropic' && mark !== undefined;
  return {
    ...request,
    model: chat,
    ...(request.modelSettings === undefined
      ? {}
      : { modelSettings: isAnthropic ? { ...settings, cache_control: mark } : settings }),
  };
}

/** The model's message in a handler's result: the result itself, or beside a structured response. */
function answerIn(answer: unknown): AIMessage | null {
  if (AIMessage.isInstance(answer)) return answer;
  if (typeof answer !== 'object' || answer === null || !('messages' in answer)) return null;
  const { messages } = answer;
  return Array.isArray(messages)
    ? (messages.find((message): message is AIMessage => AIMessage.isInstance(message)) ?? null)
    : null;
}
