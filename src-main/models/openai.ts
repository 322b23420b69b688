import { offeredModels } from './catalogue';
import { streamFetch } from './chat/api-fetch';
import { responseEvents } from './chat/whole-answers';
import { type CreateOptions, firstByteWithin, isOwn, NO_RETRIES, type Provider, rulesOf } from './provider';

/** Of both APIs. */
export const CHAT_PATH = /\/(?:chat\/completions|responses)$/u;

const ADDRESS = 'https://api.openai.com/v1';

export const openai: Provider = {
  id: 'openai',
  needsKey: true,
  needsBaseUrl: false,
  address: ADDRESS,
  addedPath: CHAT_PATH,
  keyVariables: ['OPENAI_API_KEY'],
  baseUrlVariable: 'OPENAI_BASE_URL',
  models: offeredModels('openai'),
  create: async (options) => {
    const { model, key, baseUrl } = options;
    const { OpenAIChat } = await import('./chat/openai-chat');
    const fields = {
      model,
      apiKey: key ?? '',
      streamUsage: true,
      maxRetries: NO_RETRIES,
      timeout: firstByteWithin(options),
      configuration: {
        baseURL: baseUrl ?? ADDRESS,
        fetch: streamFetch({ eventsOf: responseEvents }, isOwn(baseUrl, ADDRESS)),
      },
    };
    const rules = rulesOf('openai', options);
    return reasons(options)
      ? new OpenAIChat({ ...fields, ...REASONING }, rules, fields)
      : new OpenAIChat(fields, rules);
  },
};

/**
 * Only the Responses API provides reasoning. OpenAI stores nothing: the reasoning arrives encrypted, and is sent back with
 * the next request.
 */
const REASONING = {
  useResponsesApi: true,
  reasoning: { summary: 'auto' as const },
  modelKwargs: { store: false, include: ['reasoning.encrypted_content'] },
};

const reasons = ({ model, reasoning, facts }: CreateOptions): boolean =>
  reasoning !== false && (facts.abilities?.reasoning ?? /^(?:o\d|gpt-5(?!-chat)|codex)/u.test(model));
