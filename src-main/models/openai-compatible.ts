import { streamFetch } from './chat/api-fetch';
import { CHAT_PATH } from './openai';
import { NO_RETRIES, type Provider, rulesOf, silenceOf } from './provider';

/** LM Studio, llama.cpp, vLLM, OpenRouter and others with OpenAI's Chat Completions API. */
export const openaiCompatible: Provider = {
  id: 'openai-compatible',
  needsKey: false,
  needsBaseUrl: true,
  addedPath: CHAT_PATH,
  keyVariables: ['OPENAI_COMPATIBLE_API_KEY'],
  baseUrlVariable: 'OPENAI_COMPATIBLE_BASE_URL',
  models: [],
  create: async (options) => {
    const { model, key, baseUrl } = options;
    if (baseUrl === undefined) throw new Error('An OpenAI-compatible model needs an address.');
    const { OpenAIChat } = await import('./chat/openai-chat');
    return new OpenAIChat(
      {
        model,
        // Never undefined: OPENAI_API_KEY belongs to OpenAI and must not be sent to another server. Local servers accept any
        // key.
        apiKey: key ?? 'none',
        useResponsesApi: false,
        streamUsage: true,
        maxRetries: NO_RETRIES,
        timeout: silenceOf(options),
        // Null keeps the person's OpenAI organization and project private.
        configuration: {
          baseURL: baseUrl,
          organization: null,
          project: null,
          fetch: streamFetch({}, false),
        },
      },
      rulesOf('openai-compatible', options),
    );
  },
};
