import type { ModelAbilities, ModelFacts, ModelPrice } from '../contract/usage';

/** Built-in facts about one model, under the provider's name for it. */
export interface KnownModel extends ModelFacts {
  name: string;
  label: string;
  /** In the list that the person chooses from. */
  isOffered: boolean;
}

type Listed = readonly KnownModel[];

const K = 1_000;

/** Rates as in price lists: dollars per million tokens. */
const rates = (input: number, output: number, cacheRead: number, cacheWrite = input) => ({
  input: micro(input),
  output: micro(output),
  cacheRead: micro(cacheRead),
  cacheWrite: micro(cacheWrite),
});
const micro = (dollars: number) => Math.round(dollars * 1_000_000);

const known = (
  label: string,
  name: string,
  contextWindow: number,
  maxOutput: number,
  abilities: ModelAbilities,
  price: ModelPrice | null,
): KnownModel => ({ name, label, contextWindow, maxOutput, abilities, price, isOffered: false });

const offered = (...model: Parameters<typeof known>): KnownModel => ({ ...known(...model), isOffered: true });

export const NO_ABILITY: ModelAbilities = {
  images: false,
  audio: false,
  video: false,
  pdf: false,
  tools: false,
  reasoning: false,
  promptCaching: false,
};

const CLAUDE: ModelAbilities = {
  ...NO_ABILITY,
  images: true,
  pdf: true,
  tools: true,
  reasoning: true,
  promptCaching: true,
};

/**
 * A cache hit costs a tenth of the input price; a write that lasts five minutes costs a quarter more than the input price.
 */
const claude = (input: number, output: number, asOf: string): ModelPrice => ({
  ...rates(input, output, input / 10, input * 1.25),
  asOf,
});

const anthropic: Listed = [
  offered('Claude Sonnet 4.6', 'claude-sonnet-4-6', K * K, 128 * K, CLAUDE, claude(3, 15, '2026-02-17')),
  offered('Claude Opus 4.6', 'claude-opus-4-6', K * K, 128 * K, CLAUDE, claude(5, 25, '2026-02-05')),
  // A context of a million tokens needs a header that the app does not send.
  offered('Claude Sonnet 4.5', 'claude-sonnet-4-5', 200 * K, 64 * K, CLAUDE, claude(3, 15, '2025-12-01')),
  offered('Claude Haiku 4.5', 'claude-haiku-4-5', 200 * K, 64 * K, CLAUDE, claude(1, 5, '2025-12-01')),
  known('Claude Opus 4.5', 'claude-opus-4-5', 200 * K, 64 * K, CLAUDE, claude(5, 25, '2025-12-01')),
  known('Claude Opus 4.1', 'claude-opus-4-1', 200 * K, 32 * K, CLAUDE, claude(15, 75, '2025-12-01')),
  known('Claude Opus 4.7', 'claude-opus-4-7', K * K, 128 * K, CLAUDE, null),
  known('Claude Opus 4.8', 'claude-opus-4-8', K * K, 128 * K, CLAUDE, null),
  known('Claude Sonnet 5', 'claude-sonnet-5', K * K, 128 * K, CLAUDE, null),
  known('Claude Opus 5', 'claude-opus-5', K * K, 128 * K, CLAUDE, null),
];

const GPT: ModelAbilities = { ...NO_ABILITY, images: true, pdf: true, tools: true, promptCaching: true };
const GPT_REASONING: ModelAbilities = { ...GPT, reasoning: true };

/** OpenAI bills cache writes like any other input. */
const gpt = (input: number, output: number, cacheRead: number): ModelPrice => ({
  ...rates(input, output, cacheRead),
  asOf: '2025-12-15',
});

/**
 * Tokens of a request. OpenAI's window of 400,000 also holds the longest answer (128,000), and a longer request is refused.
 * The same applies to its window of 1,050,000.
 */
const GPT_5_INPUT = 272 * K;

const openai: Listed = [
  offered('GPT-5.2', 'gpt-5.2', GPT_5_INPUT, 128 * K, GPT_REASONING, gpt(1.75, 14, 0.175)),
  known('GPT-5.1', 'gpt-5.1', GPT_5_INPUT, 128 * K, GPT_REASONING, gpt(1.25, 10, 0.125)),
  offered('GPT-5', 'gpt-5', GPT_5_INPUT, 128 * K, GPT_REASONING, gpt(1.25, 10, 0.125)),
  offered('GPT-5 mini', 'gpt-5-mini', GPT_5_INPUT, 128 * K, GPT_REASONING, gpt(0.25, 2, 0.025)),
  known('GPT-5 nano', 'gpt-5-nano', GPT_5_INPUT, 128 * K, GPT_REASONING, gpt(0.05, 0.4, 0.005)),
  offered('GPT-5 Codex', 'gpt-5-codex', GPT_5_INPUT, 128 * K, GPT_REASONING, gpt(1.25, 10, 0.125)),
  known('GPT-5.1 Codex', 'gpt-5.1-codex', GPT_5_INPUT, 128 * K, GPT_REASONING, gpt(1.25, 10, 0.125)),
  known('GPT-5.2 Codex', 'gpt-5.2-codex', GPT_5_INPUT, 128 * K, GPT_REASONING, null),
  known('GPT-5.4', 'gpt-5.4', 922 * K, 128 * K, GPT_REASONING, null),
  known('GPT-5.5', 'gpt-5.5', 922 * K, 128 * K, GPT_REASONING, null),
  offered('GPT-4.1', 'gpt-4.1', 1_047_576, 32_768, GPT, gpt(2, 8, 0.5)),
  offered('GPT-4.1 mini', 'gpt-4.1-mini', 1_047_576, 32_768, GPT, gpt(0.4, 1.6, 0.1)),
  known('GPT-4.1 nano', 'gpt-4.1-nano', 1_047_576, 32_768, GPT, gpt(0.1, 0.4, 0.025)),
  known('GPT-4o', 'gpt-4o', 128 * K, 16_384, GPT, gpt(2.5, 10, 1.25)),
  known('GPT-4o mini', 'gpt-4o-mini', 128 * K, 16_384, GPT, gpt(0.15, 0.6, 0.075)),
  known('o3', 'o3', 200 * K, 100 * K, GPT_REASONING, gpt(2, 8, 0.5)),
  known('o4-mini', 'o4-mini', 200 * K, 100 * K, GPT_REASONING, gpt(1.1, 4.4, 0.275)),
];

const GEMINI: ModelAbilities = {
  images: true,
  audio: true,
  video: true,
  pdf: true,
  tools: true,
  reasoning: true,
  promptCaching: true,
};

/** For text, images and video; audio costs more with the Flash models. Excludes storage of an explicit cache. */
const gemini = (
  input: number,
  output: number,
  cacheRead: number,
  long?: [input: number, output: number, cacheRead: number],
): ModelPrice => ({
  ...rates(input, output, cacheRead),
  ...(long === undefined ? {} : { long: { above: 200 * K, ...rates(...long) } }),
  asOf: '2025-12-15',
});

const MI = 1_048_576;

const google: Listed = [
  offered('Gemini 2.5 Pro', 'gemini-2.5-pro', MI, 65_536, GEMINI, gemini(1.25, 10, 0.125, [2.5, 15, 0.25])),
  offered('Gemini 2.5 Flash', 'gemini-2.5-flash', MI, 65_536, GEMINI, gemini(0.3, 2.5, 0.03)),
  offered('Gemini 2.5 Flash-Lite', 'gemini-2.5-flash-lite', MI, 65_536, GEMINI, gemini(0.1, 0.4, 0.01)),
  offered(
    'Gemini 3 Pro (preview)',
    'gemini-3-pro-preview',
    MI,
    65_536,
    GEMINI,
    gemini(2, 12, 0.2, [4, 18, 0.4]),
  ),
  known('Gemini 3 Flash (preview)', 'gemini-3-flash-preview', MI, 65_536, GEMINI, gemini(0.5, 3, 0.05)),
  known(
    'Gemini 2.0 Flash',
    'gemini-2.0-flash',
    MI,
    8_192,
    { ...GEMINI, reasoning: false },
    gemini(0.1, 0.4, 0.025),
  ),
];

/** Context windows and abilities from LangChain's packages; prices as published by the providers on `asOf`. */
export const KNOWN_MODELS: Readonly<Record<'anthropic' | 'openai' | 'google-genai', Listed>> = {
  anthropic,
  openai,
  'google-genai': google,
};
