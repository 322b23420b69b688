import { isIPv6 } from 'node:net';
import { pastedKey, unsendable } from '../base/pasted-key';
import type { ModelsState, ProviderId, ProviderState } from '../contract/app';
import { fail, ok, type Result } from '../contract/result';
import { optional } from '../contract/shared/optional';
import type { ModelOverrides } from '../contract/usage';
import { atMost } from './catalogue';
import { type Discovered, NOTHING_DISCOVERED } from './discover';
import { hasLogin, type ModelInfo, type Provider } from './provider';
import { type ModelRef, providerOf, providers } from './registry';

/** Storage for the person's keys. Only the main process can read them. */
export interface KeyStore {
  /** `session`: in memory until Deepdesk exits, because this system has no keychain. */
  readonly kind: 'keychain' | 'session';
  get(provider: ProviderId): Promise<string | null>;
  set(provider: ProviderId, key: string): Promise<void>;
  clear(provider: ProviderId): Promise<void>;
}

export function sessionKeyStore(): KeyStore {
  const keys = new Map<ProviderId, string>();
  return {
    kind: 'session',
    get: async (provider) => keys.get(provider) ?? null,
    set: async (provider, key) => {
      keys.set(provider, key);
    },
    clear: async (provider) => {
      keys.delete(provider);
    },
  };
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ResolvedKey {
  key: string;
  from: 'environment' | 'keychain' | 'session';
}

/** A key that a person entered, as it is stored. Errors: `invalid`. */
export function acceptKey(text: string): Result<string> {
  const key = pastedKey(text);
  if (key === '') return fail('invalid', 'key_empty');
  const character = unsendable(key);
  return character === null ? ok(key) : fail('invalid', 'key_character', { character });
}

/** Whether a person may enter this address. Errors: `invalid`. */
export function checkAddress(address: string): Result<Record<string, never>> {
  if (!/^https?:\/\//.test(address)) return fail('invalid', 'address_scheme');
  return hasLogin(address) ? fail('invalid', 'address_with_login') : ok({});
}

/** The key to use. The person's entry wins over the environment, because it is later and intentional. */
export async function resolveKey(
  id: ProviderId,
  env: Environment,
  store: KeyStore,
): Promise<ResolvedKey | null> {
  const { keyVariables, needsKey, needsBaseUrl } = providerOf(id);
  if (!needsKey && !needsBaseUrl) return null;
  const own = pastedKey((await store.get(id)) ?? '');
  if (own) return { key: own, from: store.kind };
  const found = keyVariables.map((name) => pastedKey(env[name] ?? '')).find((value) => value !== '');
  return found === undefined ? null : { key: found, from: 'environment' };
}

export interface AddressSources {
  env: Environment;
  /** The person's settings, by provider. */
  baseUrls: Partial<Record<ProviderId, string>>;
  discovered?: Discovered;
}

/**
 * The address to use: the person's, the environment's, or a server found on this machine; null for the provider's default.
 */
export function resolveBaseUrl(id: ProviderId, sources: AddressSources): string | null {
  const { env, baseUrls, discovered = NOTHING_DISCOVERED } = sources;
  const own = baseUrls[id]?.trim();
  if (own) return own;
  const { baseUrlVariable } = providerOf(id);
  const set = baseUrlVariable === undefined ? undefined : env[baseUrlVariable]?.trim();
  if (set) return id === 'ollama' ? ollamaHost(set) : set;
  return id === 'openai-compatible' ? (discovered.compatible?.baseUrl ?? null) : null;
}

/**
 * OLLAMA_HOST as Ollama reads it: its own port counts only without a scheme. It may be the address at which a server listens,
 * such as 0.0.0.0, to which nothing can connect.
 */
function ollamaHost(text: string): string {
  const [, scheme = '', given = ''] = /^(https?:\/\/)?(.*?)\/*$/iu.exec(text) ?? [];
  const host = isIPv6(given) ? `[${given}]` : given;
  const reached = host.replace(/^(?:0\.0\.0\.0)?(?=[:/]|$)/u, '127.0.0.1').replace(/^\[::\]/u, '[::1]');
  if (scheme !== '') return `${scheme}${reached}`;
  return `http://${/^(?:\[[^\]]*\]|[^:/]*)(?=\/|$)/u.test(reached) ? reached.replace(/(?=\/|$)/u, ':11434') : reached}`;
}

interface StateSources extends AddressSources {
  keys: KeyStore;
  overrides: ModelOverrides;
  /** Providers whose test passed. */
  tested?: ReadonlySet<ProviderId>;
  /** Names of models that passed a test, by provider. */
  testedNames?: Partial<Record<ProviderId, readonly string[]>>;
}

/** The state of every provider for the window. Contains no key. */
export async function modelsState(sources: StateSources): Promise<ModelsState> {
  return {
    providers: await Promise.all(providers.map((provider) => stateOf(provider, sources))),
    keychain: sources.keys.kind === 'keychain',
    overrides: sources.overrides,
  };
}

async function stateOf(provider: Provider, sources: StateSources): Promise<ProviderState> {
  const key = await resolveKey(provider.id, sources.env, sources.keys);
  const baseUrl = resolveBaseUrl(provider.id, sources);
  const [keyVariable] = provider.keyVariables;
  const found = discoveredModels(provider.id, baseUrl, sources.discovered ?? NOTHING_DISCOVERED);
  // A list may be public: it does not prove the key.
  const isTested =
    provider.id === 'offline' ||
    (found !== null && key === null) ||
    sources.tested?.has(provider.id) === true;
  return {
    id: provider.id,
    needsKey: provider.needsKey,
    key: key?.from ?? 'none',
    ...optional({ keyVariable }),
    baseUrl,
    needsBaseUrl: provider.needsBaseUrl,
    ready:
      (!provider.needsKey || key !== null) &&
      (!provider.needsBaseUrl || baseUrl !== null) &&
      (provider.id !== 'ollama' || found !== null),
    ...(isTested ? { tested: true as const } : {}),
    models: withTested(found ?? provider.models, sources.testedNames?.[provider.id] ?? []).map((model) => {
      const { name, label, contextWindow } = model;
      const own = sources.overrides[`${provider.id}:${name}`]?.contextWindow;
      return { name, label, ...optional({ contextWindow: atMost(own ?? null, model) ?? contextWindow }) };
    }),
  };
}

/** The list with models that the person tested under a name that is not in it. */
function withTested(listed: readonly ModelInfo[], names: readonly string[]): readonly ModelInfo[] {
  const more = names.filter((name) => !listed.some((model) => model.name === name));
  return [...listed, ...more.map((name) => ({ name, label: name }))];
}

/** A model in the list of the server at this address; null if it is not there. */
export function listedModel(
  { provider, name }: ModelRef,
  baseUrl: string | null,
  discovered: Discovered,
): ModelInfo | null {
  const models = discoveredModels(provider, baseUrl, discovered);
  return models?.find((model) => model.name === name) ?? null;
}

/** Null if no server with these models was found. */
function discoveredModels(
  id: ProviderId,
  baseUrl: string | null,
  discovered: Discovered,
): readonly ModelInfo[] | null {
  if (id === 'ollama') return discovered.ollama?.models ?? null;
  if (id !== 'openai-compatible' || discovered.compatible?.baseUrl !== baseUrl) return null;
  return discovered.compatible.models;
}
