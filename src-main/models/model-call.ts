import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import { createMiddleware } from 'langchain';
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

export interface ModelCallOptions {
  /** Whose spending it is; sub-agents spend for their thread. */
  threadId: string;
  /** The model of the agent itself. */
  first: PricedModel;
  /** In the order in which they are asked. */
  fallbacks?: readonly FallbackModel[];
  guard?: SpendGuard;
  /** Keys in use, to be taken out of what is told. */
  secrets?: readonly string[];
  /** Told before another model is asked. The rest of the run stays with it. */
  onFallback?: (change: { from: string; to: string; reason: AppError }) => void;
  /** Told of each request that was answered, or cut while it was. */
  onSpent?: (spent: { model: string; usage: TokenUsage | null; cost: number | null }) => void;
}

/**
 * Middleware around each request to a model: asks before it spends, and hands the request to the next model where one
 * cannot be reached, is overloaded, or has no account. Never after a word was streamed. One instance serves an agent
 * and its sub-agents. To be placed inside of what observes answers, next to the model.
 */
export function createModelCallMiddleware(options: ModelCallOptions) {
  const models: readonly (PricedModel & Partial<FallbackModel>)[] = [
    options.first,
    ...(options.fallbacks ?? []),
  ];
  /** The model that the run has come to. */
  let reached = 0;

  return createMiddleware({
    name: 'modelCall',
    wrapModelCall: async (request, handler) => {
      const signal = request.runtime.signal;
      const system = request.systemMessage.text === '' ? [] : [request.systemMessage];
      const estimate = estimateTokens({
        messages: [...system, ...request.messages],
        tools: request.tools,
      });

      /** Asks one model. Rejects as it does, or with a `SpendingLimitError`. */
      const ask = async ({ model, price }: PricedModel, chat: BaseChatModel | null) => {
        const reserved = options.guard?.reserve({ threadId: options.threadId, model, price, estimate });
        if (reserved?.ok === false) throw new SpendingLimitError(reserved.error);
        const settle = (usage: TokenUsage | null) => {
          const { cost } = reserved?.value.settle(usage) ?? stepCost(usage ?? NO_USAGE, usage && price);
          options.onSpent?.({ model, usage, cost });
        };
        try {
          const answer = await handler(chat === null ? request : withModel(request, model, chat));
          const message = answerIn(answer);
          settle(message === null ? null : usageOf(message));
          return answer;
        } catch (error) {
          // What was stopped may have been at work already, and is billed.
          if (failureOf(error)?.streamed === true || signal?.aborted === true) settle(null);
          else reserved?.value.release();
          throw error;
        }
      };

      let at = reached;
      let failed: { error: unknown; from: string; reason: AppError } | null = null;
      for (;;) {
        const model = models[at];
        if (model === undefined) throw failed?.error ?? new Error('There is no model to ask.');
        const opened = await model.open?.();
        if (opened?.ok === false) {
          const { error } = opened;
          failed ??= { error: new Error(error.message), from: model.model, reason: error };
          at += 1;
          continue;
        }
        if (failed !== null && at > reached) {
          reached = at;
          options.onFallback?.({ from: failed.from, to: model.model, reason: failed.reason });
        }
        try {
          return await ask(model, opened?.value ?? null);
        } catch (error) {
          const mayGoOn =
            signal?.aborted !== true &&
            !(error instanceof SpendingLimitError) &&
            failureOf(error)?.streamed !== true &&
            mayAnotherModelAnswer(error);
          if (!mayGoOn) throw error;
          const reason = toAppError(error, providerIn(model.model), options.secrets);
          failed = { error, from: model.model, reason };
          at += 1;
        }
      }
    },
  });
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
