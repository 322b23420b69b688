import { FIRST_BYTE_WITHIN, type Provider, RETRIES } from './provider';

export const openai: Provider = {
  id: 'openai',
  name: 'OpenAI',
  needsKey: true,
  needsBaseUrl: false,
  keyVariables: ['OPENAI_API_KEY'],
  baseUrlVariable: 'OPENAI_BASE_URL',
  models: [
    { name: 'gpt-5.2', label: 'GPT-5.2', contextWindow: 400_000 },
    { name: 'gpt-5', label: 'GPT-5', contextWindow: 400_000 },
    { name: 'gpt-5-mini', label: 'GPT-5 mini', contextWindow: 400_000 },
    { name: 'gpt-5-codex', label: 'GPT-5 Codex', contextWindow: 400_000 },
    { name: 'gpt-4.1', label: 'GPT-4.1', contextWindow: 1_047_576 },
    { name: 'gpt-4.1-mini', label: 'GPT-4.1 mini', contextWindow: 1_047_576 },
  ],
  create: async ({ model, key, baseUrl, retries }) => {
    const { OpenAIChat } = await import('./chat/openai-chat');
    return new OpenAIChat({
      model,
      apiKey: key ?? '',
      streamUsage: true,
      maxRetries: retries ?? RETRIES,
      timeout: FIRST_BYTE_WITHIN,
      configuration: { baseURL: baseUrl ?? 'https://api.openai.com/v1' },
    });
  },
};
