import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { ProviderId } from '../contract/app';
import { optional } from '../contract/shared/optional';
import type { ModelFacts } from '../contract/usage';
import type { OnRetry, StreamRules } from './chat/guarded-stream';

export interface ModelInfo {
  name: string;
  label: string;
  /** Tokens that fit in a request; absent where nobody knows. */
  contextWindow?: number;
}

export interface CreateOptions {
  /** The provider's own name of the model; any is taken, since catalogues age. */
  model: string;
  key?: string;
  baseUrl?: string;
  /** What is known of the model, the person's own entries included. */
  facts: ModelFacts;
  /** Times a request that was refused for now is sent again; two unless given. */
  retries?: number;
  onRetry?: OnRetry;
  /** Milliseconds; see `FIRST_BYTE_WITHIN` and `SILENCE`. */
  timeouts?: { firstByte?: number; silence?: number };
  /**
   * Whether a model that can think is asked to. Left out: as the model does by itself, which is what the services
   * advise for agents.
   */
  reasoning?: boolean;
}

/** What the app knows of a provider before its package is loaded. */
export interface Provider {
  id: ProviderId;
  name: string;
  needsKey: boolean;
  /** It has no address of its own. */
  needsBaseUrl: boolean;
  /** The address of its own. Absent: it has none, or needs no key there. */
  address?: string;
  /** Environment variables that may hold the key; the first is the one that is named to the person. */
  keyVariables: readonly string[];
  /** Environment variable that may hold the address. */
  baseUrlVariable?: string;
  /** Models to choose from; the first is the one to begin with. Empty where they are discovered. */
  models: readonly ModelInfo[];
  /**
   * A chat model that streams, reports usage in the stream, retries what may pass twice (before an answer has started)
   * and is stopped by the signal of each call. Loads the provider's package on first use.
   */
  create(options: CreateOptions): Promise<BaseChatModel>;
}

/** Times a request that was refused for now is sent again, waiting as the provider says or 1 s, then 2 s. */
const RETRIES = 2;

/** Milliseconds until a service on the Internet begins to answer. Local ones may have to load a model first. */
const FIRST_BYTE_WITHIN = 120_000;

/** Milliseconds without a word before or within an answer. Models that think in silence do so for minutes. */
const SILENCE = 300_000;

/** The packages' own retries are off: they would hide that a request is sent again, and multiply ours. */
export const NO_RETRIES = 0;

export const rulesOf = (provider: ProviderId, options: CreateOptions): StreamRules => ({
  provider,
  model: options.model,
  facts: options.facts,
  retries: options.retries ?? RETRIES,
  silence: options.timeouts?.silence ?? SILENCE,
  ...optional({ onRetry: options.onRetry }),
});

export const firstByteWithin = ({ timeouts }: CreateOptions): number =>
  timeouts?.firstByte ?? FIRST_BYTE_WITHIN;
