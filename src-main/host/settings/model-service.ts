import { createHash } from 'node:crypto';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { z } from 'zod';
import { type ModelsState, ProviderId } from '../../contract/app';
import type { ModelTest } from '../../contract/commands/models';
import { UNDO_PROVIDER_WITHIN } from '../../contract/limits';
import { fail, ok, type Result } from '../../contract/result';
import { type ModelFacts, type ModelOverride, ModelOverrides } from '../../contract/usage';
import { factsOfModel, parseOverrides } from '../../models/catalogue';
import { NOTHING_DISCOVERED } from '../../models/discover';
import { toAppError } from '../../models/errors';
import { isIncomplete } from '../../models/incomplete';
import {
  acceptKey,
  checkAddress,
  type KeyStore,
  modelsState,
  resolveBaseUrl,
  resolveKey,
  sessionKeyStore,
} from '../../models/keys';
import type { FallbackModel } from '../../models/model-call';
import { createModel, type ModelRef, parseModelRef, providerOf, providers } from '../../models/registry';
import type { SpendGuard } from '../../models/spend-guard';
import type { Storage } from '../../storage';
import type { Confirmations } from '../window/confirmations';
import type { Keychain } from '../window/desktop-services';
import type { Hub } from '../window/hub';
import { BeforeChange } from './before-change';
import { KeyOrigins, originOf } from './key-origins';
import { keychainStore } from './keychain-store';
import { ModelLists } from './model-lists';
import { testModel } from './model-test';
import type { ModelEvents, ReadyModel, RunModels } from './run-models';
import { spendGuard } from './spend-guard';

export type RequestRules = Pick<NonNullable<Parameters<typeof createModel>[1]>, 'retries' | 'timeouts'>;

interface ModelServiceOptions {
  storage: Storage;
  hub: Hub;
  env: NodeJS.ProcessEnv;
  keychain: Keychain | null;
  /** A base URL for every provider in this run, for example from the headless command. */
  baseUrl?: string;
  report: (where: string, error: unknown) => void;
  /** Timeouts and retries of requests that differ from the defaults. */
  requests?: RequestRules;
}

/** Providers with their keys and addresses. Keys go in and are used, but this service never returns one. */
export class ModelService {
  private readonly keys: KeyStore;
  private readonly origins: KeyOrigins;
  readonly lists: ModelLists;
  private readonly guard: SpendGuard;
  private readonly before = new BeforeChange(UNDO_PROVIDER_WITHIN);
  /** Counts changes that the database does not hold: session keys and discovered servers. */
  private changes = 0;

  constructor(private readonly options: ModelServiceOptions) {
    const { storage, keychain } = options;
    this.keys = keychain === null ? sessionKeyStore() : keychainStore(storage, keychain);
    this.origins = new KeyOrigins(storage.settings, options.env, options.baseUrl);
    this.lists = new ModelLists({
      settings: storage.settings,
      servers: async (used) => {
        const addresses = { ...this.addresses(), discovered: NOTHING_DISCOVERED };
        // The command line's address is that of the provider in use.
        const addressOf = (provider: ProviderId) =>
          (provider === used ? options.baseUrl : null) ?? resolveBaseUrl(provider, addresses);
        const baseUrl = addressOf('openai-compatible');
        const key = baseUrl === null ? null : await this.keyFor('openai-compatible', baseUrl);
        return {
          ollamaUrl: addressOf('ollama'),
          own: baseUrl === null ? null : { baseUrl, key: key?.ok === true ? key.value : null },
        };
      },
      changed: (isAsked) => {
        if (isAsked) this.changes += 1;
        return this.changed();
      },
    });
    this.origins.adopt((provider) => resolveBaseUrl(provider, this.addresses()));
    this.guard = spendGuard(options);
  }

  state(): Promise<ModelsState> {
    return modelsState({
      ...this.addresses(),
      keys: this.keys,
      overrides: this.overrides(),
      tested: this.tested,
      testedNames: this.lists.testedNames(),
    });
  }

  /** Stays the same until a key or a discovered server changes. Addresses and the rest are settings. Contains no key. */
  stamp(): string {
    const { secrets } = this.options.storage;
    const kept = ProviderId.options.map((id) => secrets.get(id));
    return createHash('sha256')
      .update(
        JSON.stringify([this.changes, ...kept.map((text) => text && Buffer.from(text).toString('base64'))]),
      )
      .digest('hex');
  }

  /** The keys of all providers, used only to redact them from whatever is stored or sent. */
  async ownKeys(): Promise<string[]> {
    const found = await Promise.all(providers.map(({ id }) => resolveKey(id, this.options.env, this.keys)));
    return found.flatMap((key) => key?.key ?? []);
  }

  /** Errors: `invalid` for an unknown model name, `no_key`. Adds its key to `secrets`. */
  async create(
    text: string,
    { onRetry, secrets = [] }: { onRetry?: ModelEvents['onRetry']; secrets?: string[] } = {},
  ): Promise<Result<ReadyModel>> {
    const ref = parseModelRef(text);
    if (!ref.ok) return ref;
    const { provider } = ref.value;
    const found = await this.keyFor(provider);
    if (!found.ok) return found;
    const key = found.value;
    if (key !== null) secrets.push(key);
    const explain = (error: unknown) => toAppError(error, provider, secrets);
    await this.lists.know(provider, this.addressOf(provider));
    const made = await createModel(ref.value, {
      key,
      ...this.knownOf(ref.value),
      ...this.options.requests,
      ...(onRetry === undefined
        ? {}
        : { onRetry: (attempt, waitMs, reason) => onRetry(attempt, waitMs, explain(reason)) }),
    });
    if (!made.ok) return made;
    return ok({
      chat: made.value,
      model: nameOf(ref.value),
      price: this.factsOf(ref.value).price,
      isIncomplete: (message) => isIncomplete(message, provider),
      explain,
    });
  }

  /** The models of one run: the thread's own, its fallbacks, and those that sub-agents request. */
  async forRun(
    threadId: string,
    text: string,
    events: ModelEvents,
    { fallbacks = this.options.storage.settings.read().fallbacks }: { fallbacks?: string[] } = {},
  ): Promise<Result<RunModels>> {
    const opened = new WeakMap<object, ReadyModel>();
    const secrets: string[] = [];
    const open = async (name: string): Promise<Result<ReadyModel>> => {
      const ready = await this.create(name, { onRetry: events.onRetry, secrets });
      if (ready.ok) opened.set(ready.value.chat, ready.value);
      return ready;
    };
    const first = await open(text);
    if (!first.ok) return first;
    // This import brings LangChain, which is not needed before the first turn.
    const { ModelCalls } = await import('../../models/model-call');
    const calls = new ModelCalls({
      threadId,
      first: first.value,
      pricedOf: (chat) => opened.get(chat),
      fallbacks: fallbacks.flatMap((name) => this.fallback(name, open)),
      guard: this.guard,
      secrets,
      onFallback: events.onFallback,
    });
    return ok({
      first: first.value,
      calls,
      open,
      nameOf: (chat) => opened.get(chat)?.model ?? first.value.model,
    });
  }

  private fallback(text: string, open: (name: string) => Promise<Result<ReadyModel>>): FallbackModel[] {
    const ref = parseModelRef(text);
    if (!ref.ok) return [];
    let made: Promise<Result<BaseChatModel>> | undefined;
    return [
      {
        model: nameOf(ref.value),
        price: this.factsOf(ref.value).price,
        open: () => {
          made ??= open(text).then((ready) => (ready.ok ? ok(ready.value.chat) : ready));
          return made;
        },
      },
    ];
  }

  /** Sends a model one short prompt, without fallbacks. An error is part of the answer. */
  async test(provider: ProviderId, name: string, signal: AbortSignal): Promise<ModelTest> {
    const changes = this.changesOf(provider);
    const tested = await this.runTest(provider, name, signal);
    // The key or the address may have changed in the meantime.
    if (tested.outcome === 'answered' && changes === this.changesOf(provider)) {
      this.tested.add(provider);
      this.lists.keepTested(provider, name);
    } else this.tested.delete(provider);
    await this.changed();
    return tested;
  }
  /** Providers whose test passed since their key and address last changed. */
  private readonly tested = new Set<ProviderId>();
  private readonly changeCounts = new Map<ProviderId, number>();

  private changesOf(provider: ProviderId): number {
    return this.changeCounts.get(provider) ?? 0;
  }

  private untested(provider: ProviderId): void {
    this.tested.delete(provider);
    this.changeCounts.set(provider, this.changesOf(provider) + 1);
  }

  private runTest(provider: ProviderId, name: string, signal: AbortSignal): Promise<ModelTest> {
    const isLocal = provider === 'ollama' || provider === 'openai-compatible';
    return testModel(
      provider,
      name,
      {
        open: (threadId, model, events) => this.forRun(threadId, model, events, { fallbacks: [] }),
        isOwnAddress: isLocal || this.addressOf(provider) !== null,
      },
      signal,
    );
  }

  /** The built-in facts about a model. Errors: `invalid`. */
  builtIn(text: string): Result<{ builtIn: ModelFacts }> {
    const ref = parseModelRef(text);
    if (!ref.ok) return ref;
    return ok({ builtIn: factsOfModel(ref.value, { ...this.knownOf(ref.value), overrides: {} }) });
  }

  /** The context window in tokens. The person's own entry takes precedence; null if unknown. */
  contextWindow(text: string): number | null {
    const ref = parseModelRef(text);
    return ref.ok ? this.factsOf(ref.value).contextWindow : null;
  }

  /** Replaces the person's facts about a model; null resets them. Errors: `invalid`. */
  async override(text: string, override: ModelOverride | null): Promise<Result<Record<string, never>>> {
    const ref = parseModelRef(text);
    if (!ref.ok) return ref;
    const name = nameOf(ref.value);
    const { [name]: _, ...others } = this.overrides();
    const next = parseOverrides(override === null ? others : { ...others, [name]: override });
    if (!next.ok) return next;
    this.options.storage.settings.set(OVERRIDES, next.value);
    await this.changed();
    return ok({});
  }

  private overrides(): ModelOverrides {
    return this.options.storage.settings.get(OVERRIDES, ModelOverrides) ?? {};
  }

  private factsOf(ref: ModelRef): ModelFacts {
    return factsOfModel(ref, this.knownOf(ref));
  }

  private knownOf(ref: ModelRef) {
    const baseUrl = this.addressOf(ref.provider);
    return { overrides: this.overrides(), baseUrl, listed: this.lists.find(ref, baseUrl) };
  }

  private addressOf(provider: ProviderId): string | null {
    return this.options.baseUrl ?? resolveBaseUrl(provider, this.addresses());
  }

  /** The key for an address. Errors: `no_key` if the key was given for another server. */
  private async keyFor(
    provider: ProviderId,
    address = this.addressOf(provider),
  ): Promise<Result<string | null>> {
    const found = await resolveKey(provider, this.options.env, this.keys);
    if (found === null || this.origins.allows(provider, found.from, address)) return ok(found?.key ?? null);
    // A discovered local server does not need a key.
    if (resolveBaseUrl(provider, { ...this.addresses(), discovered: NOTHING_DISCOVERED }) === null)
      return ok(null);
    const { keyVariables } = providerOf(provider);
    const to = originOf(address) ?? '';
    const bound = this.origins.boundTo(provider);
    if (found.from === 'environment')
      return fail('no_key', 'environment_key_not_sent', { variable: keyVariables[0] ?? '', address: to });
    return bound === null
      ? fail('no_key', 'key_of_another_address', { provider, address: to })
      : fail('no_key', 'key_bound', { provider, bound, address: to });
  }

  async setKey(provider: ProviderId, key: string | null): Promise<Result<Record<string, never>>> {
    const given = key === null ? ok(null) : acceptKey(key);
    if (!given.ok) return given;
    this.before.keep('key', provider, await this.keys.get(provider));
    this.before.keep('originOfKey', provider, this.origins.boundTo(provider));
    // A new key does not belong to the earlier address.
    this.before.take('originOfAddress', provider);
    await this.putKey(provider, given.value);
    if (given.value !== null) this.origins.bind(provider, this.addressOf(provider));
    await this.changed();
    return ok({});
  }

  /**
   * Another server will get the provider's requests and key, so the person confirms outside the window first. Errors:
   * `invalid`, and those of `confirm`.
   */
  async setBaseUrl(
    provider: ProviderId,
    baseUrl: string | null,
    confirm: Confirmations['baseUrl'],
  ): Promise<Result<Record<string, never>>> {
    const usable = baseUrl === null ? ok({}) : checkAddress(baseUrl);
    if (!usable.ok) return usable;
    const { settings } = this.options.storage;
    const { address: own = '' } = providerOf(provider);
    const before = this.addressOf(provider) ?? own;
    const to = this.options.baseUrl ?? resolveBaseUrl(provider, this.addressesWith(provider, baseUrl)) ?? own;
    const key = await resolveKey(provider, this.options.env, this.keys);
    const mayHaveKey = key === null || this.origins.allows(provider, key.from, to);
    const isKnown = [before, own].some((one) => originOf(one) === originOf(to));
    if (to !== '' && !(mayHaveKey && isKnown)) {
      const confirmed = await confirm(provider, to, before, key !== null);
      if (!confirmed.ok) return confirmed;
    }
    this.before.keep('address', provider, settings.get(settingOf(provider), z.string()));
    this.before.keep('originOfAddress', provider, this.origins.boundTo(provider));
    this.putBaseUrl(provider, baseUrl);
    if (to !== '') this.origins.bind(provider, to);
    await this.changed();
    return ok({});
  }

  /** Restores a key or an address from before its last change, or forgets it. Errors: `not_found`. */
  async undo(
    provider: ProviderId,
    what: 'key' | 'address',
    back: boolean,
  ): Promise<Result<Record<string, never>>> {
    const before = this.before.take(what, provider);
    if (!back) return ok({});
    if (before === undefined) return fail('not_found', 'earlier_value_forgotten');
    if (what === 'key') await this.putKey(provider, before.value);
    else this.putBaseUrl(provider, before.value);
    const origin = this.before.take(what === 'key' ? 'originOfKey' : 'originOfAddress', provider);
    if (origin !== undefined) this.origins.restore(provider, origin.value);
    await this.changed();
    return ok({});
  }

  private putKey(provider: ProviderId, key: string | null): Promise<void> {
    this.changes += 1;
    this.untested(provider);
    return key === null ? this.keys.clear(provider) : this.keys.set(provider, key);
  }

  private putBaseUrl(provider: ProviderId, baseUrl: string | null): void {
    this.untested(provider);
    const { settings } = this.options.storage;
    if (baseUrl === null) settings.remove(settingOf(provider));
    else settings.set(settingOf(provider), baseUrl);
  }

  private async changed(): Promise<void> {
    this.options.hub.app({ type: 'models.changed', models: await this.state() });
  }

  private addressesWith(provider: ProviderId, baseUrl: string | null) {
    const { baseUrls, ...rest } = this.addresses();
    const { [provider]: _, ...others } = baseUrls;
    return { ...rest, baseUrls: baseUrl === null ? others : { ...others, [provider]: baseUrl } };
  }

  private addresses() {
    const baseUrls: Partial<Record<ProviderId, string>> = {};
    for (const provider of ProviderId.options) {
      const url = this.options.storage.settings.get(settingOf(provider), z.string());
      if (url !== null) baseUrls[provider] = url;
    }
    return { env: this.options.env, baseUrls, discovered: this.lists.discovered };
  }
}

/** Name of the setting. */
const OVERRIDES = 'models.overrides';

const nameOf = ({ provider, name }: ModelRef) => `${provider}:${name}`;

const settingOf = (provider: ProviderId) => `baseUrl:${provider}`;
