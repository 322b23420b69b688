import { startAnthropic } from '../../../e2e/providers/anthropic';
import { startGoogle } from '../../../e2e/providers/google';
import { startOllama } from '../../../e2e/providers/ollama';
import { startOpenAI } from '../../../e2e/providers/openai';
import type { Script } from '../../../e2e/providers/script';
import type { ProviderOptions, ProviderServer } from '../../../e2e/providers/server';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { ProviderId } from '../../contract/app';
import { createModel, type ModelRef } from '../registry';

const STARTERS: Readonly<
  Record<
    Exclude<ProviderId, 'offline'>,
    (script: Script, options?: ProviderOptions) => Promise<ProviderServer>
  >
> = {
  anthropic: startAnthropic,
  openai: startOpenAI,
  'openai-compatible': startOpenAI,
  'google-genai': startGoogle,
  ollama: startOllama,
};

/** One model for each wire format that the app supports. */
export const WIRES: readonly ModelRef[] = [
  { provider: 'anthropic', name: 'claude-sonnet-4-5' },
  { provider: 'openai', name: 'gpt-4.1' },
  { provider: 'openai', name: 'gpt-5' },
  { provider: 'openai-compatible', name: 'some-model' },
  { provider: 'google-genai', name: 'gemini-2.5-flash' },
  { provider: 'google-genai', name: 'gemini-3-pro-preview' },
  { provider: 'ollama', name: 'qwen3' },
];

export function startProvider(
  provider: ProviderId,
  script: Script,
  options?: ProviderOptions,
): Promise<ProviderServer> {
  if (provider === 'offline') throw new Error('The offline assistant has no server.');
  return STARTERS[provider](script, options);
}

type ModelOptions = Parameters<typeof createModel>[1];

/** A model of the registry that talks to a local test server. Retries are off by default. */
export async function modelAt(
  ref: ModelRef,
  server: Pick<ProviderServer, 'url'>,
  options: Partial<ModelOptions> = {},
) {
  const made = await createModel(ref, { key: 'test-key', baseUrl: server.url, retries: 0, ...options });
  if (!made.ok) throw new Error(inEnglish(made.error));
  return made.value;
}
