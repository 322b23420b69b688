import type { BaseMessage } from '@langchain/core/messages';
import { convertToOpenAITool, isLangChainTool } from '@langchain/core/utils/function_calling';
import { tokensOfText } from '../contract/shared/tokens-of-text';

/** Estimated tokens of one image, page or clip; services count by size, which is unknown here. */
const MEDIA_TOKENS = 1_600;

const MEDIA = /^(?:image|image_url|audio|input_audio|video|file|document|media|inlineData)$/u;

/** Overhead tokens per message. */
const FRAME_TOKENS = 4;

/**
 * Estimates the tokens of a request before it is sent: four characters per token, or one for Chinese, Japanese and Korean.
 * Within a third of the actual count for prose and code.
 */
export function estimateTokens(request: {
  messages: readonly BaseMessage[];
  tools?: readonly unknown[];
}): number {
  const messages = request.messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
  const tools = (request.tools ?? []).reduce<number>((sum, tool) => sum + tokensOfTool(tool), 0);
  return messages + tools;
}

/** Cached, since messages do not change and each step counts the whole thread. */
const known = new WeakMap<BaseMessage, number>();

function tokensOfMessage(message: BaseMessage): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  const tokens = count(message);
  known.set(message, tokens);
  return tokens;
}

function count(message: BaseMessage): number {
  const { content } = message;
  const calls = 'tool_calls' in message ? message.tool_calls : undefined;
  const spoken =
    typeof content === 'string'
      ? tokensOfText(content)
      : content.reduce((sum, block) => sum + tokensOfBlock(block), 0);
  const called = Array.isArray(calls) && calls.length > 0 ? tokensOfText(JSON.stringify(calls)) : 0;
  return FRAME_TOKENS + spoken + called;
}

function tokensOfBlock(block: { type: string; [field: string]: unknown }): number {
  for (const words of [block.text, block.thinking, block.reasoning]) {
    if (typeof words === 'string') return tokensOfText(words);
  }
  // The rest are parts of calls, which are counted from the message's own list, and signatures.
  return MEDIA.test(block.type) ? MEDIA_TOKENS : 0;
}

/** By schema, which a tool may replace. */
const counted = new WeakMap<object, { name: unknown; description: unknown; tokens: number }>();

function tokensOfTool(tool: unknown): number {
  if (typeof tool !== 'object' || tool === null) return 0;
  const { name, description, schema }: { name?: unknown; description?: unknown; schema?: unknown } = tool;
  const key = typeof schema === 'object' && schema !== null ? schema : tool;
  const known = counted.get(key);
  if (known !== undefined && known.name === name && known.description === description) return known.tokens;
  const tokens = tokensOfText(JSON.stringify(isLangChainTool(tool) ? convertToOpenAITool(tool) : tool));
  counted.set(key, { name, description, tokens });
  return tokens;
}
