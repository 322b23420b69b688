import { ModelPrice } from '../contract/usage';
import { type Loose, listOf, objectOf } from './chat/loose';

type Rates = Pick<ModelPrice, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>;

/** Micro-dollars per million tokens in one dollar per token. */
const PER_MILLION = 1e12;

/**
 * The price in a model list's entry of OpenRouter or Vercel's AI Gateway, as of today. Undefined if it is missing, not fixed
 * (OpenRouter writes -1), or not only per token. A price that depends on something else than the length of the request, such
 * as the hour, counts with its maximum.
 */
export function priceIn(entry: unknown): ModelPrice | undefined {
  const pricing = asOpenRouter(objectOf(objectOf(entry).pricing));
  if (Number(pricing.request ?? 0) !== 0 || MORE.some((name) => Object.hasOwn(pricing, name)))
    return undefined;
  let base = ratesIn(pricing);
  let long: { above: number } & Rates = { above: Number.POSITIVE_INFINITY, ...base };
  for (const override of listOf(pricing.overrides).map(objectOf)) {
    const rates = ratesIn({ ...pricing, ...override });
    const above = Number(override.min_prompt_tokens ?? 0) - 1;
    if (above > 0) long = { above: Math.min(long.above, above), ...highest(long, rates) };
    else base = highest(base, rates);
  }
  const price = {
    ...base,
    ...(Number.isFinite(long.above) && { long: { ...long, ...highest(long, base) } }),
    asOf: new Date().toISOString().slice(0, 10),
  };
  return ModelPrice.safeParse(price).data;
}

/** What Vercel adds to a price by place and hour. */
const MORE = ['regional', 'peak_pricing'];

/** Vercel writes `input` and `output`, and a list of tiers for each rate in place of overrides. */
function asOpenRouter({ input, output, ...pricing }: Loose): Loose {
  const tiers = (name: string, tiered: unknown) =>
    listOf(tiered).map((tier) => ({
      [name]: objectOf(tier).cost,
      min_prompt_tokens: objectOf(tier).min,
    }));
  return {
    prompt: input,
    completion: output,
    ...pricing,
    overrides: [
      ...listOf(pricing.overrides),
      ...tiers('prompt', pricing.input_tiers),
      ...tiers('completion', pricing.output_tiers),
      ...tiers('input_cache_read', pricing.input_cache_read_tiers),
      ...tiers('input_cache_write', pricing.input_cache_write_tiers),
    ],
  };
}

/** A cache without a price of its own costs what other input costs. */
function ratesIn(pricing: Loose): Rates {
  const { prompt, completion, internal_reasoning = completion } = pricing;
  const { input_cache_read = prompt, input_cache_write = prompt } = pricing;
  return {
    input: rate(prompt),
    output: Math.max(rate(completion), rate(internal_reasoning)),
    cacheRead: rate(input_cache_read),
    cacheWrite: rate(input_cache_write),
  };
}

/**
 * Micro-dollars per million tokens, from dollars per token. Infinite, which no price may be, if it is no amount as text:
 * servers that write numbers mean other units.
 */
const rate = (text: unknown): number =>
  typeof text === 'string' && /^\d+(?:\.\d+)?(?:e-?\d+)?$/iu.test(text)
    ? Math.round(Number(text) * PER_MILLION)
    : Number.POSITIVE_INFINITY;

const highest = (one: Rates, other: Rates): Rates => ({
  input: Math.max(one.input, other.input),
  output: Math.max(one.output, other.output),
  cacheRead: Math.max(one.cacheRead, other.cacheRead),
  cacheWrite: Math.max(one.cacheWrite, other.cacheWrite),
});
