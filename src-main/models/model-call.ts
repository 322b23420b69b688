import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, SystemMessage } from '@langchain/core/messages';
import { createMiddleware } from 'langchain';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { ProviderId } from '../contract/app';
import type { AppError, Result } from '../contract/result';
import type { ModelPrice, TokenUsage } from '../contract/usage';
import { toAppError } from './errors';
import { estimateTokens } from './estimate-tokens';
import { failureOf } from './failures';
import { type SpendGuard, SpendingLimitError } from './spend-guard';
import { mayAnotherModelAnswer } from './trouble';
import { NO_USAGE, stepCost, usageOf } from './usage';

/** A model that may be asked, by `provider:name`, with what it costs. */
export interface PricedModel {
  model: string;
  price: ModelPrice | null;
}

export interface FallbackModel extends PricedModel {
  /** Makes it when it is needed. A failure (no key) sends the request to the next. */
  open(): Promise<Result<BaseChatModel>>;
}

/** One request as it goes to a model, after all that shapes it. */
export interface SentRequest {
  /** `provider:name` */
  model: string;
  system: SystemMessage | null;
  messages: readonly BaseMessage[];
  tools: readonly unknown[];
  /** It asks for a summary of the conversation. */
  isSummary: boolean;
}

/** A request that was answered, or cut while it was. */
export interface Spent {
  model: string;
  /** Null where nobody told. */
  usage: TokenUsage | null;
  /** Micro-dollars; null where the price is not known. */
  cost: number | null;
  isSummary: boolean;
}

export interface ModelCallOptions {
  /** Whose spending it is; sub-agents spend for their thread. */
  threadId: string;
  /** The model of the agent itself. */
  first: PricedModel;
  /** Of another model that a request brings, as a sub-agent's may be; undefined where it is not known. */
  pricedOf?: (chat: object) => PricedModel | undefined;
  /** In the order in which they are asked. */
  fallbacks?: readonly FallbackModel[];
  guard?: SpendGuard;
  /** Keys in use, to be taken out of what is told. */
  secrets?: readonly string[];
  /** Told before another model is asked. The rest of the run stays with it. */
  onFallback?: (change: { from: string; to: string; reason: AppError }) => void;
}

/** What one of the agents that share a `ModelCalls` is told. */
export interface ModelCallListener {
  onSent?: (request: SentRequest) => void;
  onSpent?: (spent: Spent) => void;
}

interface Asked {
  estimate: number;
  signal: AbortSignal | undefined;
  /** Sends it to the model, or where that is null to the one that the request brings. */
  send(model: string, chat: BaseChatModel | null): Promise<unknown>;
  /** As it is sent, for who wants to know. */
  told(model: string): SentRequest;
}

/**
 * What stands around each request to a model: asks before it spends, and hands the request to the next model where one
 * cannot be reached, is overloaded, or has no account. Never after a word was streamed. One serves an agent and its
 * sub-agents for one run.
 */
export class ModelCalls {
  /** The fall-back that the run has come to, by the model that was meant. */
  private readonly reached = new Map<string, number>();

  constructor(private readonly options: ModelCallOptions) {}

  /** Middleware for one agent, to be placed inside of what observes answers, next to the model. */
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

  /** A request beside the agent's own loop: for a summary. Rejects as the model does, or with a `SpendingLimitError`. */
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

  /** Asks one model. Rejects as it does, or with a `SpendingLimitError`. */
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
    try {
      onSent?.(request);
      const answer = await send(model, chat);
      const message = answerIn(answer);
      settle(message === null ? null : usageOf(message));
      return answer;
    } catch (error) {
      // What was stopped may have been at work already, and is billed.
      if (failureOf(error)?.streamed === true || signal?.aborted === true) settle(null);
      else reserved?.value.release();
      throw error;
    }
  }
}

const providerIn = (model: string): ProviderId => ProviderId.parse(model.slice(0, model.indexOf(':')));

/** A request as another model can take it: what only Anthropic knows stays behind. */
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

/** The model's message in what a handler gives: itself, or beside a structured response. */
function answerIn(answer: unknown): AIMessage | null {
  if (AIMessage.isInstance(answer)) return answer;
  if (typeof answer !== 'object' || answer === null || !('messages' in answer)) return null;
  const { messages } = answer;
  return Array.isArray(messages)
    ? (messages.find((message): message is AIMessage => AIMessage.isInstance(message)) ?? null)
    : null;
}
