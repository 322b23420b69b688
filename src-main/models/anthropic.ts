import { offeredModels } from './catalogue';
import { streamFetch } from './chat/api-fetch';
import { messageEvents } from './chat/whole-answers';
import { type CreateOptions, firstByteWithin, isOwn, NO_RETRIES, type Provider, rulesOf } from './provider';

/**
 * Maximum output tokens. The package knows smaller ones of old models. For models that are newer than itself, its default of
 * 4,096 would cut files in half.
 */
const OUTPUT_TOKENS = 16_384;

/** Thinking budget in tokens, for models that need one. */
const THINKING_TOKENS = 8_192;

const ADDRESS = 'https://api.anthropic.com';

export const anthropic: Provider = {
  id: 'anthropic',
  needsKey: true,
  needsBaseUrl: false,
  address: ADDRESS,
  addedPath: /\/v1(?:\/messages)?$/u,
  keyVariables: ['ANTHROPIC_API_KEY'],
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  models: offeredModels('anthropic'),
  create: async (options) => {
    const { model, key, baseUrl, facts } = options;
    const { AnthropicChat } = await import('./chat/anthropic-chat');
    return new AnthropicChat(
      {
        model,
        // Never undefined: the package would look for another key in the environment.
        apiKey: key ?? '',
        // Always set: otherwise the package would let other variables send the key elsewhere.
        anthropicApiUrl: baseUrl ?? ADDRESS,
        streaming: true,
        streamUsage: true,
        maxRetries: NO_RETRIES,
        // Otherwise the SDK would send ANTHROPIC_AUTH_TOKEN along with the key.
        clientOptions: {
          timeout: firstByteWithin(options),
          authToken: null,
          fetch: streamFetch({ names: 'type', eventsOf: messageEvents }, isOwn(baseUrl, ADDRESS)),
        },
        ...(model.startsWith('claude-3')
          ? {}
          : { maxTokens: Math.min(facts.maxOutput ?? OUTPUT_TOKENS, OUTPUT_TOKENS) }),
        ...thinkingOf(options),
      },
      rulesOf('anthropic', options),
    );
  },
};

/** From 4.6 on, Claude decides whether and how long to think; earlier models need a budget. */
function thinkingOf({ model, reasoning, facts }: CreateOptions) {
  if (/^claude-(?:opus|sonnet)-(?:4-[6-9]|[5-9])/u.test(model)) {
    return reasoning === false ? {} : { thinking: { type: 'adaptive' as const } };
  }
  if (reasoning !== true || facts.abilities?.reasoning !== true) return {};
  return {
    thinking: { type: 'enabled' as const, budget_tokens: THINKING_TOKENS },
    maxTokens: Math.min(facts.maxOutput ?? OUTPUT_TOKENS, THINKING_TOKENS + OUTPUT_TOKENS),
  };
}
