import { SystemMessage } from '@langchain/core/messages';
import { type AgentMiddleware, bedrockPromptCachingMiddleware, createMiddleware } from 'langchain';
import { isAnthropic, isBedrock } from '../model-names';

const MARK = { type: 'ephemeral' } as const;
/** Anthropic refuses a request with more marks. One is for the last message. */
const MAX_SYSTEM_MARKS = 3;
const IGNORE_OTHERS = { unsupportedModelBehavior: 'ignore' } as unknown as Parameters<
  typeof bedrockPromptCachingMiddleware
>[0];

/**
 * Marks the end of the system prompt and of the conversation for Anthropic's prompt cache: two marks in a request. Requests
 * to other models stay as they are.
 */
function createPromptCaching(): AgentMiddleware {
  return createMiddleware({
    name: 'PromptCachingMiddleware',
    wrapModelCall: (request, handler) => {
      if (!isAnthropic(request.model)) return handler(request);
      const { cache_control = { ...MARK, ttl: '5m' } } = request.modelSettings ?? {};
      return handler({
        ...request,
        modelSettings: { ...request.modelSettings, cache_control },
        systemMessage: withMark(request.systemMessage),
      });
    },
  });
}

/** For an agent with that model. Sub-agents of another provider have the same middleware. */
export const promptCaching = (model: unknown): AgentMiddleware[] => [
  createPromptCaching(),
  ...(isBedrock(model) ? [bedrockPromptCachingMiddleware(IGNORE_OTHERS)] : []),
];

function withMark(message: SystemMessage): SystemMessage {
  const blocks =
    typeof message.content === 'string'
      ? [{ type: 'text' as const, text: message.content }]
      : message.content;
  const last = blocks.at(-1);
  const marks = blocks.filter((block) => 'cache_control' in block).length;
  if (last === undefined || ('text' in last && last.text === '')) return message;
  if ('cache_control' in last || marks >= MAX_SYSTEM_MARKS) return message;
  const content = [...blocks.slice(0, -1), { ...last, cache_control: MARK }] as SystemMessage['content'];
  return new SystemMessage({ content });
}
