import { offeredModels } from './catalogue';
import { type Provider, RETRIES } from './provider';

export const googleGenai: Provider = {
  id: 'google-genai',
  name: 'Google Gemini',
  needsKey: true,
  needsBaseUrl: false,
  keyVariables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
  baseUrlVariable: 'GOOGLE_GEMINI_BASE_URL',
  models: offeredModels('google-genai'),
  create: async ({ model, key, baseUrl, retries }) => {
    const { GoogleChat } = await import('./chat/google-chat');
    return new GoogleChat({
      model,
      apiKey: key ?? '',
      baseUrl: baseUrl ?? 'https://generativelanguage.googleapis.com',
      streaming: true,
      streamUsage: true,
      maxRetries: retries ?? RETRIES,
    });
  },
};
