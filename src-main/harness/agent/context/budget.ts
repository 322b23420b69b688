import { AIMessage, type BaseMessage, type UsageMetadata } from '@langchain/core/messages';
import type { ContextSize } from './cut-point';
import { tokensOfMessages } from './tokens';

/** Where the model's window is known: when to compact, and how much then stays. */
const TRIGGER_KNOWN: ContextSize = { type: 'fraction', value: 0.85 };
const KEEP_KNOWN: ContextSize = { type: 'fraction', value: 0.1 };
const TRIGGER_UNKNOWN: ContextSize = { type: 'tokens', value: 170_000 };
const KEEP_UNKNOWN: ContextSize = { type: 'messages', value: 6 };
/** Tokens kept of a model without a known window, where tokens are needed. */
const KEEP_TOKENS_UNKNOWN = 17_000;
/** Part of the window that a request may fill; the rest is for the answer and for what the estimate misses. */
const CEILING = 0.95;
/** The estimate is believed to be off by at most this much. */
const MAX_CORRECTION = 3;

export interface Budget {
  /** Tokens of the model's window; undefined where not known. */
  window: number | undefined;
  triggers: readonly ContextSize[];
  keep: ContextSize;
}

/** The budget of a model, from what is asked for and what is known of it. */
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

/** Whether one of the triggers is reached, or `part` of it. */
export function isReached(budget: Budget, tokens: number, messages: number, part = 1): boolean {
  return budget.triggers.some((trigger) => {
    if (trigger.type === 'messages') return messages >= trigger.value * part;
    const limit = tokensFor(trigger, budget.window);
    return limit !== undefined && tokens >= limit * part;
  });
}

/** Tokens that a size stands for; undefined for messages, and for a part of an unknown window. */
function tokensFor(size: ContextSize, window: number | undefined): number | undefined {
  if (size.type === 'tokens') return size.value;
  return size.type === 'fraction' && window !== undefined ? size.value * window : undefined;
}

/** What stays when messages go. */
export function kept(budget: Budget): { tokens: number } | { messages: number } {
  const { keep, window } = budget;
  if (keep.type === 'messages') return { messages: keep.value };
  return { tokens: keptTokens(keep, window) };
}

export const keptTokens = (keep: ContextSize, window: number | undefined): number =>
  tokensFor(keep, window) ?? KEEP_TOKENS_UNKNOWN;

/** Tokens that a request may have; undefined where the window is not known. */
export const ceilingOf = (budget: Budget): number | undefined =>
  budget.window === undefined ? undefined : Math.floor(budget.window * CEILING);

/**
 * How much more a request cost than was estimated, by the last answer that says so and was given to this same view:
 * from `since` on. At least 1, so that a lucky guess is never relied on.
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

/** Input tokens that the provider counted for an answer; 0 where it did not say. */
function reportedInput(message: BaseMessage): number {
  if (!AIMessage.isInstance(message)) return 0;
  const usage = message.usage_metadata as UsageMetadata | undefined;
  return usage?.input_tokens ?? 0;
}
