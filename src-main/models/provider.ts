import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { ProviderId } from '../contract/app';
import { optional } from '../contract/shared/optional';
import type { ModelFacts, ModelPrice } from '../contract/usage';
import type { OnRetry, StreamRules } from './chat/guarded-stream';

export interface ModelInfo {
  name: string;
  label: string;
  /** Tokens that fit in a request; absent if unknown. */
  contextWindow?: number;
  /** Tokens that it was trained with, if more than fit in a request may be asked for. */
  maxContextWindow?: number;
  /** Its server's price; absent if unknown. */
  price?: ModelPrice;
}

export interface CreateOptions {
  /** The provider's name for the model; any name is accepted, since catalogues become outdated. */
  model: string;
  key?: string;
  baseUrl?: string;
  /** Query of the address, which every request gets. */
  query?: string;
  /** Facts about the model, including the person's corrections. */
  facts: ModelFacts;
  /** Maximum retries of a temporarily refused request. Default 2. */
  retries?: number;
  onRetry?: OnRetry;
  /** Milliseconds; see `FIRST_BYTE_WITHIN` and `SILENCE`. */
  timeouts?: { firstByte?: number; silence?: number };
  /** Whether a model that can think is asked to. Absent: the model's default, which the services recommend for agents. */
  reasoning?: boolean;
}

/** The app's knowledge of a provider before its package is loaded. */
export interface Provider {
  id: ProviderId;
  needsKey: boolean;
  /** It has no default address. */
  needsBaseUrl: boolean;
  /** Its default address. Absent: it has none, or does not need a key there. */
  address?: string;
  /** The end of an address that requests add themselves. */
  addedPath?: RegExp;
  /** Environment variables that may hold the key; the first is named to the person. */
  keyVariables: readonly string[];
  /** Environment variable that may hold the address. */
  baseUrlVariable?: string;
  /** Models to choose from; the first is the default. Empty if they are discovered. */
  models: readonly ModelInfo[];
  /**
   * A chat model that streams, reports usage in the stream, retries temporary failures twice (before an answer has started),
   * and stops with each call's signal. Loads the provider's package on first use.
   */
  create(options: CreateOptions): Promise<BaseChatModel>;
}

/** Retries of a temporarily refused request, after the provider's requested wait or 1 s, then 2 s. */
const RETRIES = 2;

/** Timeout in milliseconds for the start of an answer from the Internet. */
const FIRST_BYTE_WITHIN = 120_000;

/**
 * Timeout in milliseconds without data, before or within an answer. Some models think silently for minutes, and a local
 * server may first have to load its model and read a long request.
 */
const SILENCE = 300_000;

/** The packages' own retries are off: they would hide that a request is sent again, and multiply ours. */
export const NO_RETRIES = 0;

export const rulesOf = (provider: ProviderId, options: CreateOptions): StreamRules => ({
  provider,
  model: options.model,
  facts: options.facts,
  ...optional({ query: options.query }),
  ...(options.key === undefined ? { keyless: true } : {}),
  retries: options.retries ?? RETRIES,
  silence: silenceOf(options),
  ...optional({ onRetry: options.onRetry }),
});

export const silenceOf = ({ timeouts }: CreateOptions): number => timeouts?.silence ?? SILENCE;

export const firstByteWithin = ({ timeouts }: CreateOptions): number =>
  timeouts?.firstByte ?? FIRST_BYTE_WITHIN;

/**
 * The address to which requests add their path, without its query. Services, and other programs, also write it with a slash
 * at its end, or with a part of that path.
 */
export function baseOf({ addedPath }: Pick<Provider, 'addedPath'>, address: string): string {
  const bare = address.replace(/[?#].*$/su, '').replace(/\/+$/u, '');
  return addedPath === undefined ? bare : bare.replace(addedPath, '');
}

/** The query of an address, such as Azure's `api-version=…`; empty if it has none. */
export const queryOf = (address: string): string => /\?([^#]*)/u.exec(address)?.[1] ?? '';

/** Whether an address has a user name or a password, with which no request can be made. */
export function hasLogin(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

/** Whether requests go to the service's own address. */
export const isOwn = (baseUrl: string | undefined, address: string): boolean =>
  baseUrl === undefined || new URL(baseUrl).origin === new URL(address).origin;
