import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ProviderId } from '../contract/app';
import { fail, ok, type Result } from '../contract/result';
import { optional } from '../contract/shared/optional';
import type { ModelOverrides } from '../contract/usage';
import { anthropic } from './anthropic';
import { factsOfModel } from './catalogue';
import { googleGenai } from './google-genai';
import { offline } from './offline';
import { ollama } from './ollama';
import { openai } from './openai';
import { openaiCompatible } from './openai-compatible';
import { baseOf, type CreateOptions, hasLogin, type ModelInfo, type Provider, queryOf } from './provider';

/** In the order of the list. */
const PROVIDERS: Readonly<Record<ProviderId, Provider>> = {
  offline,
  anthropic,
  openai,
  'google-genai': googleGenai,
  ollama,
  'openai-compatible': openaiCompatible,
};

export const providers: readonly Provider[] = Object.values(PROVIDERS);

export const providerOf = (id: ProviderId): Provider => PROVIDERS[id];

export interface ModelRef {
  provider: ProviderId;
  name: string;
}

/** Parses `provider:name`; the name may contain colons (`ollama:llama3.1:8b`). Errors: `invalid`, naming the providers. */
export function parseModelRef(text: string): Result<ModelRef> {
  const at = text.indexOf(':');
  const provider = ProviderId.safeParse(text.slice(0, Math.max(at, 0)).trim());
  const name = text.slice(at + 1).trim();
  if (!provider.success || name === '') {
    return fail('invalid', 'unknown_model', { name: text, providers: ProviderId.options.join(', ') });
  }
  return ok({ provider: provider.data, name });
}

/**
 * A chat model that is ready for requests. `key` and `baseUrl` come from `resolveKey` and `resolveBaseUrl`. It streams,
 * retries temporary failures (calling `onRetry` before each wait), and its errors know their origin. Errors: `no_key` if the
 * provider needs one, `invalid` if the address is missing or cannot be used.
 */
export async function createModel(
  ref: ModelRef,
  {
    key,
    baseUrl,
    overrides,
    listed = null,
    ...more
  }: {
    key: string | null;
    baseUrl: string | null;
    overrides?: ModelOverrides;
    listed?: ModelInfo | null;
  } & Partial<Pick<CreateOptions, 'retries' | 'onRetry' | 'timeouts' | 'reasoning'>>,
): Promise<Result<BaseChatModel>> {
  const provider = providerOf(ref.provider);
  if (provider.needsKey && key === null) {
    const [variable = ''] = provider.keyVariables;
    return fail('no_key', 'key_missing', { provider: provider.id, variable });
  }
  if (provider.needsBaseUrl && baseUrl === null) {
    return fail('invalid', 'address_missing', { provider: provider.id });
  }
  if (baseUrl !== null && !isHttp(baseUrl)) {
    return fail('invalid', 'not_an_address', { address: baseUrl });
  }
  if (baseUrl !== null && hasLogin(baseUrl)) return fail('invalid', 'address_with_login');
  return ok(
    await provider.create({
      model: ref.name,
      ...(key === null ? {} : { key }),
      ...(baseUrl === null ? {} : { baseUrl: baseOf(provider, baseUrl), query: queryOf(baseUrl) }),
      facts: factsOfModel(ref, { baseUrl, listed, ...optional({ overrides }) }),
      ...more,
    }),
  );
}

const isHttp = (text: string) => URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol);
