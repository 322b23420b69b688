import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { ProviderId } from '../contract/app';

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
  /** Times a request that was refused for now is sent again; two unless given. */
  retries?: number;
}

/** What the app knows of a provider before its package is loaded. */
export interface Provider {
  id: ProviderId;
  name: string;
  needsKey: boolean;
  /** It has no address of its own. */
  needsBaseUrl: boolean;
  /** Environment variables that may hold the key; the first is the one that is named to the person. */
  keyVariables: readonly string[];
  /** Environment variable that may hold the address. */
  baseUrlVariable?: string;
  /** Models to choose from; the first is the one to begin with. Empty where they are discovered. */
  models: readonly ModelInfo[];
  /**
   * A chat model that streams, reports usage in the stream, retries what may pass twice (before an answer has begun)
   * and is stopped by the signal of each call. Loads the provider's package on first use.
   */
  create(options: CreateOptions): Promise<BaseChatModel>;
}

/** Times a request that was refused for now is sent again, waiting as the provider says or 1 s, then 2 s. */
export const RETRIES = 2;

/** Milliseconds until an answer begins; the silence within an answer is limited by Node's fetch, to 5 minutes. */
export const FIRST_BYTE_WITHIN = 120_000;
