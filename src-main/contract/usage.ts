import { z } from 'zod';

const Tokens = z.number().int().nonnegative();

/** Tokens by how they are billed. `input`, `cacheRead` and `cacheWrite` do not overlap: together they are the request. */
export const TokenUsage = z.object({
  /** Read afresh, at the full price. */
  input: Tokens,
  /** Written by the model, reasoning included. */
  output: Tokens,
  /** Taken from the provider's prompt cache. */
  cacheRead: Tokens,
  /** Put into the provider's prompt cache, where that has a price of its own. */
  cacheWrite: Tokens,
  /** The part of `output` that was reasoning, where the provider says. */
  reasoning: Tokens,
});
export type TokenUsage = z.infer<typeof TokenUsage>;

/** Micro-dollars for a million tokens: $1.25 is 1,250,000. Whole numbers below $1,000, so that sums are exact. */
const Rate = z.number().int().nonnegative().max(1_000_000_000);

const Rates = z.strictObject({ input: Rate, output: Rate, cacheRead: Rate, cacheWrite: Rate });

/** What a model costs. */
export const ModelPrice = z.strictObject({
  ...Rates.shape,
  /** Requests with more tokens than this are billed at these rates as a whole. */
  long: z.strictObject({ above: z.number().int().positive(), ...Rates.shape }).optional(),
  /** Day (YYYY-MM-DD) for which the price is known to hold; the provider may have changed it since. */
  asOf: z.iso.date(),
});
export type ModelPrice = z.infer<typeof ModelPrice>;

const ABILITIES = ['images', 'audio', 'video', 'pdf', 'tools', 'reasoning', 'promptCaching'] as const;

/** What a model takes (the first four) and does. */
export const ModelAbilities = z.record(z.enum(ABILITIES), z.boolean());
export type ModelAbilities = z.infer<typeof ModelAbilities>;

/** What is known of a model; null where nobody knows, never a guess. */
export const ModelFacts = z.object({
  /** Tokens that fit in a request together with its answer. */
  contextWindow: z.number().int().positive().nullable(),
  /** Tokens of the longest answer. */
  maxOutput: z.number().int().positive().nullable(),
  abilities: ModelAbilities.nullable(),
  price: ModelPrice.nullable(),
});
export type ModelFacts = z.infer<typeof ModelFacts>;

/** What the person says of a model; it wins over what is built in. A null takes a built-in fact back. */
export const ModelOverride = z.strictObject({
  contextWindow: z.number().int().min(1_000).max(100_000_000).nullable().optional(),
  maxOutput: z.number().int().min(1).max(10_000_000).nullable().optional(),
  abilities: z.partialRecord(z.enum(ABILITIES), z.boolean()).optional(),
  price: ModelPrice.nullable().optional(),
});
export type ModelOverride = z.infer<typeof ModelOverride>;

/** By `provider:name`. */
export const ModelOverrides = z.record(z.string().regex(/^[a-z-]+:\S+$/u), ModelOverride);
export type ModelOverrides = z.infer<typeof ModelOverrides>;

/** Most that may be spent, in micro-dollars; null: no ceiling. */
export const SpendingCeilings = z.strictObject({
  thread: z.number().int().nonnegative().nullable(),
  day: z.number().int().nonnegative().nullable(),
});
export type SpendingCeilings = z.infer<typeof SpendingCeilings>;
