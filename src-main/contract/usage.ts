import { z } from 'zod';

const Tokens = z.number().int().nonnegative();

/** Tokens by billing category. `input`, `cacheRead` and `cacheWrite` do not overlap; their sum is the request. */
export const TokenUsage = z.object({
  /** Not cached, at the full price. */
  input: Tokens,
  /** Written by the model, including reasoning. */
  output: Tokens,
  /** Read from the provider's prompt cache. */
  cacheRead: Tokens,
  /** Written to the provider's prompt cache, if that has its own price. */
  cacheWrite: Tokens,
  /** The reasoning part of `output`, if the provider reports it. */
  reasoning: Tokens,
});
export type TokenUsage = z.infer<typeof TokenUsage>;

/** Micro-dollars per million tokens: $1.25 is 1,250,000. Whole numbers below $1,000, so that sums are exact. */
const Rate = z.number().int().nonnegative().max(1_000_000_000);

const Rates = z.strictObject({ input: Rate, output: Rate, cacheRead: Rate, cacheWrite: Rate });

export const ModelPrice = z.strictObject({
  ...Rates.shape,
  /** Requests with more tokens are billed entirely at these rates. */
  long: z.strictObject({ above: z.number().int().positive(), ...Rates.shape }).optional(),
  /** Day (YYYY-MM-DD) on which the price was confirmed; the provider may have changed it since. */
  asOf: z.iso.date(),
});
export type ModelPrice = z.infer<typeof ModelPrice>;

const ABILITIES = ['images', 'audio', 'video', 'pdf', 'tools', 'reasoning', 'promptCaching'] as const;

/** A model's input modalities (the first four) and abilities. */
export const ModelAbilities = z.record(z.enum(ABILITIES), z.boolean());
export type ModelAbilities = z.infer<typeof ModelAbilities>;

/** Facts about a model; null if unknown, never a guess. */
export const ModelFacts = z.object({
  /** Maximum tokens of a request together with its answer. */
  contextWindow: z.number().int().positive().nullable(),
  /** Maximum tokens of an answer. */
  maxOutput: z.number().int().positive().nullable(),
  abilities: ModelAbilities.nullable(),
  price: ModelPrice.nullable(),
});
export type ModelFacts = z.infer<typeof ModelFacts>;

/** The person's corrections for a model, which override the built-in facts. A null clears a built-in fact. */
export const ModelOverride = z.strictObject({
  contextWindow: z.number().int().min(1_000).max(100_000_000).nullable().optional(),
  maxOutput: z.number().int().min(1).max(10_000_000).nullable().optional(),
  abilities: z.partialRecord(z.enum(ABILITIES), z.boolean()).optional(),
  price: ModelPrice.nullable().optional(),
});
export type ModelOverride = z.infer<typeof ModelOverride>;

/** Keyed by `provider:name`. */
export const ModelOverrides = z.record(z.string().regex(/^[a-z-]+:\S+$/u), ModelOverride);
export type ModelOverrides = z.infer<typeof ModelOverrides>;

/** Spending limits in micro-dollars; null: no limit. */
export const SpendingCeilings = z.strictObject({
  thread: z.number().int().nonnegative().nullable(),
  day: z.number().int().nonnegative().nullable(),
});
export type SpendingCeilings = z.infer<typeof SpendingCeilings>;
