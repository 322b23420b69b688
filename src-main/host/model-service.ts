import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { type ModelsState, ProviderId } from '../contract/app';
import { type AppError, fail, ok, type Result } from '../contract/result';
import { type Discovered, discoverLocal, NOTHING_DISCOVERED } from '../models/discover';
import { toAppError } from '../models/errors';
import { isIncomplete } from '../models/incomplete';
import { type KeyStore, modelsState, resolveBaseUrl, resolveKey, sessionKeyStore } from '../models/keys';
import { createModel, parseModelRef } from '../models/registry';
import type { Storage } from '../storage';
import type { Hub } from './hub';
import type { Keychain } from './shell-services';

export interface ReadyModel {
  model: BaseChatModel;
  isIncomplete: (message: AIMessage) => boolean;
  explain: (error: unknown) => AppError;
}

/** Providers with their keys and addresses. A key goes in and is used; nothing here hands it out again. */
export class ModelService {
  private readonly keys: KeyStore;
  private discovered: Discovered = NOTHING_DISCOVERED;

  constructor(
    private readonly options: {
      storage: Storage;
      hub: Hub;
      env: NodeJS.ProcessEnv;
      keychain: Keychain | null;
      /** An address for every provider of this run, as the headless command takes one. */
      baseUrl?: string;
    },
  ) {
    const { storage, keychain } = options;
    this.keys = keychain === null ? sessionKeyStore() : keychainStore(storage, keychain);
  }

  state(): Promise<ModelsState> {
    return modelsState({ ...this.addresses(), keys: this.keys });
  }

  /** Errors: `invalid` for a model that is none, `no_key`. */
  async create(text: string): Promise<Result<ReadyModel>> {
    const ref = parseModelRef(text);
    if (!ref.ok) return ref;
    const { provider } = ref.value;
    const key = await resolveKey(provider, this.options.env, this.keys);
    const baseUrl = this.options.baseUrl ?? resolveBaseUrl(provider, this.addresses());
    const model = await createModel(ref.value, { key: key?.key ?? null, baseUrl });
    if (!model.ok) return model;
    const secrets = key === null ? [] : [key.key];
    return ok({
      model: model.value,
      isIncomplete: (message) => isIncomplete(message, provider),
      explain: (error) => toAppError(error, provider, secrets),
    });
  }

  async setKey(provider: ProviderId, key: string | null): Promise<Result<Record<string, never>>> {
    if (key !== null && key.trim() === '') return fail('invalid', 'The key is empty.');
    if (key === null) await this.keys.clear(provider);
    else await this.keys.set(provider, key.trim());
    await this.changed();
    return ok({});
  }

  async setBaseUrl(provider: ProviderId, baseUrl: string | null): Promise<Result<Record<string, never>>> {
    if (baseUrl !== null && !/^https?:\/\//.test(baseUrl)) {
      return fail('invalid', 'The address must begin with http:// or https://.');
    }
    if (baseUrl === null) this.options.storage.settings.remove(settingOf(provider));
    else this.options.storage.settings.set(settingOf(provider), baseUrl);
    await this.changed();
    return ok({});
  }

  /** Looks for servers on this machine; never fails. */
  async refresh(signal: AbortSignal): Promise<void> {
    const ollamaUrl = resolveBaseUrl('ollama', this.addresses());
    const lmStudioUrl = resolveBaseUrl('openai-compatible', this.addresses());
    this.discovered = await discoverLocal(
      { ...(ollamaUrl === null ? {} : { ollamaUrl }), ...(lmStudioUrl === null ? {} : { lmStudioUrl }) },
      signal,
    );
    await this.changed();
  }

  private async changed(): Promise<void> {
    this.options.hub.app({ type: 'models.changed', models: await this.state() });
  }

  private addresses() {
    const baseUrls: Partial<Record<ProviderId, string>> = {};
    for (const provider of ProviderId.options) {
      const url = this.options.storage.settings.get(settingOf(provider), z.string());
      if (url !== null) baseUrls[provider] = url;
    }
    return { env: this.options.env, baseUrls, discovered: this.discovered };
  }
}

const settingOf = (provider: ProviderId) => `baseUrl:${provider}`;

/** Keys in the database, encrypted by the system's keychain. A key that can no longer be decrypted counts as none. */
function keychainStore(storage: Storage, keychain: Keychain): KeyStore {
  return {
    kind: 'keychain',
    get: async (provider) => {
      const ciphertext = storage.secrets.get(provider);
      if (ciphertext === null) return null;
      try {
        return keychain.decrypt(ciphertext);
      } catch {
        return null;
      }
    },
    set: async (provider, key) => storage.secrets.set(provider, keychain.encrypt(key), Date.now()),
    clear: async (provider) => storage.secrets.remove(provider),
  };
}
