import type { AIMessage, UsageMetadata } from '@langchain/core/messages';
import type { ModelPrice, TokenUsage } from '../contract/usage';

export const NO_USAGE: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** Tokens of a plausible request. A single larger count would make the sums of all days and threads useless. */
const MAX_TOKENS = 100_000_000;

/**
 * Tokens of the request behind a message; null if the provider reported none, only zeros (no answer costs nothing), or more than
 * any request has. LangChain counts cached tokens within the input; here, each token is in one field.
 */
export function usageOf(message: Pick<AIMessage, 'usage_metadata'>): TokenUsage | null {
  const told = message.usage_metadata as UsageMetadata | undefined;
  if (told === undefined) return null;
  const cacheRead = whole(told.input_token_details?.cache_read);
  const cacheWrite = whole(told.input_token_details?.cache_creation);
  const output = whole(told.output_tokens);
  const all = whole(told.input_tokens);
  if (all + output === 0 || Math.max(all, output, cacheRead, cacheWrite) > MAX_TOKENS) return null;
  return {
    input: Math.max(0, all - cacheRead - cacheWrite),
    output,
    cacheRead,
    cacheWrite,
    reasoning: Math.min(output, whole(told.output_token_details?.reasoning)),
  };
}

const whole = (tokens: number | undefined) =>
  tokens === undefined || !Number.isFinite(tokens) ? 0 : Math.max(0, Math.round(tokens));

/** Tokens of the whole request, including cached ones: how full the context was. */
export const requestTokens = ({ input, cacheRead, cacheWrite }: TokenUsage): number =>
  input + cacheRead + cacheWrite;

/** Micro-dollars of one request, rounded up once, so that no sum is below the bill. */
export function costOf(usage: TokenUsage, price: ModelPrice): number {
  const { long } = price;
  const rates = long !== undefined && requestTokens(usage) > long.above ? long : price;
  const millionfold =
    usage.input * rates.input +
    usage.output * rates.output +
    usage.cacheRead * rates.cacheRead +
    usage.cacheWrite * rates.cacheWrite;
  return Math.ceil(millionfold / 1_000_000);
}

/** One request as a step of a turn. */
export interface StepCost {
  usage: TokenUsage;
  /** Micro-dollars; null if the model's price is unknown. */
  cost: number | null;
}

export const stepCost = (usage: TokenUsage, price: ModelPrice | null): StepCost => ({
  usage,
  cost: price === null ? null : costOf(usage, price),
});

/** Formats micro-dollars: `$0.0042`, `$1.50`. Two significant digits, and at least cents. */
export function inDollars(microDollars: number): string {
  const dollars = microDollars / 1_000_000;
  if (dollars === 0 || dollars >= 0.995) return `$${dollars.toFixed(2)}`;
  const digits = Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(dollars))));
  return `$${dollars.toFixed(digits)}`;
}
