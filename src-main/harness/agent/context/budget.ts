import { AIMessage, type BaseMessage, type UsageMetadata } from '@langchain/core/messages';
import type { ContextSize } from './cut-point';
import { tokensOfMessages } from './tokens';

/** For a model with a known window: when to compact, and how much to keep. */
export const TRIGGER_KNOWN: ContextSize = { type: 'fraction', value: 0.85 };
export const KEEP_KNOWN: ContextSize = { type: 'fraction', value: 0.1 };
export const TRIGGER_UNKNOWN: ContextSize = { type: 'tokens', value: 170_000 };
export const KEEP_UNKNOWN: ContextSize = { type: 'messages', value: 6 };
/** Tokens to keep for a model with an unknown window, where a token count is needed. */
const KEEP_TOKENS_UNKNOWN = 17_000;
/** Share of the window that a request may fill. The rest is for the answer and for estimation errors. */
const CEILING = 0.95;
/** The estimate is assumed to be off by at most this factor. */
const MAX_CORRECTION = 3;

export interface Budget {
  /** Tokens of the model's window; undefined if unknown. */
  window: number | undefined;
  triggers: readonly ContextSize[];
  keep: ContextSize;
}

/** Computes a model's budget from the options and the model's window. */
export function budgetFor(
  window: number | undefined,
  trigger: ContextSize | readonly ContextSize[] | undefined,
  keep: ContextSize | undefined,
): Budget {
  const known = window !== undefined;
  const wanted = trigger ?? (known ? TRIGGER_KNOWN : TRIGGER_UNKNOWN);
  return {
    window,
    triggers: Array.isArray(wanted) ? wanted : [wanted as ContextSize],
    keep: keep ?? (known ? KEEP_KNOWN : KEEP_UNKNOWN),
  };
}

/** Whether a trigger is reached, or `part` of it. */
export function isReached(budget: Budget, tokens: number, messages: number, part = 1): boolean {
  return budget.triggers.some((trigger) => {
    if (trigger.type === 'messages') return messages >= trigger.value * part;
    const limit = tokensFor(trigger, budget.window);
    return limit !== undefined && tokens >= limit * part;
  });
}

/** Tokens that a size stands for; undefined for messages, and for a fraction of an unknown window. */
function tokensFor(size: ContextSize, window: number | undefined): number | undefined {
  if (size.type === 'tokens') return size.value;
  return size.type === 'fraction' && window !== undefined ? size.value * window : undefined;
}

/** What a compaction keeps. */
export function kept(budget: Budget): { tokens: number } | { messages: number } {
  const { keep, window } = budget;
  if (keep.type === 'messages') return { messages: keep.value };
  return { tokens: keptTokens(keep, window) };
}

export const keptTokens = (keep: ContextSize, window: number | undefined): number =>
  tokensFor(keep, window) ?? KEEP_TOKENS_UNKNOWN;

/** The most tokens that a request may have; undefined if the window is unknown. */
export const ceilingOf = (budget: Budget): number | undefined =>
  budget.window === undefined ? undefined : Math.floor(budget.window * CEILING);

/**
 * How much more a request cost than estimated. It uses the last answer from `since` on that reports usage for this same
 * view. At least 1, so that nothing relies on a low count.
 */
export function correctionOf(
  messages: readonly BaseMessage[],
  view: readonly BaseMessage[],
  since: number,
  fixedTokens: number,
): number {
  const index = messages.findLastIndex((message, at) => at >= since && reportedInput(message) > 0);
  const answer = messages[index];
  if (answer === undefined) return 1;
  const after = messages.length - index;
  const shown = view.slice(0, view.length - after);
  const estimate = fixedTokens + tokensOfMessages(shown);
  return Math.min(MAX_CORRECTION, Math.max(1, reportedInput(answer) / Math.max(1, estimate)));
}

/** Input tokens that the provider counted for an answer; 0 if not reported. */
function reportedInput(message: BaseMessage): number {
  if (!AIMessage.isInstance(message)) return 0;
  const usage = message.usage_metadata as UsageMetadata | undefined;
  return usage?.input_tokens ?? 0;
}
