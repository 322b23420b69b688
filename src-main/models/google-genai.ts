import { offeredModels } from './catalogue';
import { GOOGLE_ADDRESS } from './chat/google/google-address';
import { NO_RETRIES, type Provider, rulesOf } from './provider';

export const googleGenai: Provider = {
  id: 'google-genai',
  needsKey: true,
  needsBaseUrl: false,
  address: GOOGLE_ADDRESS,
  addedPath: /\/v1beta(?:\/models)?$/u,
  keyVariables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
  baseUrlVariable: 'GOOGLE_GEMINI_BASE_URL',
  models: offeredModels('google-genai'),
  create: async (options) => {
    const { model, key, baseUrl, facts, reasoning } = options;
    const { GoogleChat } = await import('./chat/google/google-chat');
    return new GoogleChat(
      {
        model,
        apiKey: key ?? '',
        baseUrl: baseUrl ?? GOOGLE_ADDRESS,
        streaming: true,
        streamUsage: true,
        maxRetries: NO_RETRIES,
        // These models think anyway, and this shows it to the person. Other models refuse the setting.
        ...(facts.abilities?.reasoning === true && reasoning !== false
          ? { thinkingConfig: { includeThoughts: true } }
          : {}),
      },
      rulesOf('google-genai', options),
    );
  },
};
