import { type Provider, RETRIES } from './provider';

export const googleGenai: Provider = {
  id: 'google-genai',
  name: 'Google Gemini',
  needsKey: true,
  needsBaseUrl: false,
  keyVariables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
  baseUrlVariable: 'GOOGLE_GEMINI_BASE_URL',
  models: [
    { name: 'gemini-2.5-pro', label: 'Gemini 2.5 Pro', contextWindow: 1_048_576 },
    { name: 'gemini-2.5-flash', label: 'Gemini 2.5 Flash', contextWindow: 1_048_576 },
    { name: 'gemini-2.5-flash-lite', label: 'Gemini 2.5 Flash-Lite', contextWindow: 1_048_576 },
    { name: 'gemini-3-pro-preview', label: 'Gemini 3 Pro (preview)', contextWindow: 1_000_000 },
  ],
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
