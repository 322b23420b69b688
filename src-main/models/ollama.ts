import { optional } from '../contract/shared/optional';
import { NO_RETRIES, type Provider, rulesOf } from './provider';

export const OLLAMA_URL = 'http://127.0.0.1:11434';

/**
 * Tokens, unless the model or the person says otherwise: more takes more memory, and Ollama's default (4,096) silently drops the
 * beginning of an agent's conversation.
 */
export const OLLAMA_CONTEXT = 16_384;

export const ollama: Provider = {
  id: 'ollama',
  needsKey: false,
  needsBaseUrl: false,
  // The second is its API in OpenAI's format.
  addedPath: /\/(?:api\/chat|v1)$/u,
  keyVariables: [],
  baseUrlVariable: 'OLLAMA_HOST',
  models: [],
  create: async (options) => {
    const { model, baseUrl, facts, reasoning } = options;
    const { OllamaChat } = await import('./chat/ollama-chat');
    return new OllamaChat(
      {
        model,
        baseUrl: baseUrl ?? OLLAMA_URL,
        numCtx: facts.contextWindow ?? OLLAMA_CONTEXT,
        maxRetries: NO_RETRIES,
        ...optional({ think: reasoning }),
      },
      // It is never sent a key, so its refusal does not mean that one is missing.
      { ...rulesOf('ollama', options), keyless: false },
    );
  },
};
