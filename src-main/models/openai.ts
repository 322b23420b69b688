import { offeredModels } from './catalogue';
import { FIRST_BYTE_WITHIN, type Provider, RETRIES } from './provider';

export const openai: Provider = {
  id: 'openai',
  name: 'OpenAI',
  needsKey: true,
  needsBaseUrl: false,
  keyVariables: ['OPENAI_API_KEY'],
  baseUrlVariable: 'OPENAI_BASE_URL',
  models: offeredModels('openai'),
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
