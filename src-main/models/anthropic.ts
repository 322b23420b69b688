import { offeredModels } from './catalogue';
import { FIRST_BYTE_WITHIN, type Provider, RETRIES } from './provider';

/** Output tokens where the package knows no limit of a model; its own 4,096 would cut files in half. */
const OUTPUT_TOKENS = 16_384;

export const anthropic: Provider = {
  id: 'anthropic',
  name: 'Anthropic',
  needsKey: true,
  needsBaseUrl: false,
  keyVariables: ['ANTHROPIC_API_KEY'],
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  models: offeredModels('anthropic'),
  create: async ({ model, key, baseUrl, retries }) => {
    const { AnthropicChat } = await import('./chat/anthropic-chat');
    const known = /^claude-(?:3|(?:opus|sonnet|haiku)-\d)/u.test(model);
    return new AnthropicChat({
      model,
      // Never undefined: the package would look for another key in the environment.
      apiKey: key ?? '',
      // Always given: the package would otherwise let other variables send the key elsewhere.
      anthropicApiUrl: baseUrl ?? 'https://api.anthropic.com',
      streaming: true,
      streamUsage: true,
      maxRetries: retries ?? RETRIES,
      // The SDK would send ANTHROPIC_AUTH_TOKEN along with the key.
      clientOptions: { timeout: FIRST_BYTE_WITHIN, authToken: null },
      ...(known ? {} : { maxTokens: OUTPUT_TOKENS }),
    });
  },
};
