import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { CHARS_PER_TOKEN } from '../limits';

/** Tokens that a provider adds around each message for its role and delimiters. */
const PER_MESSAGE = 4;
/** Tokens of an image of any size: what providers charge for a large one. */
const PER_IMAGE = 1_600;
/** Approximate base64 bytes per token of audio, video or a document. */
const MEDIA_CHARS_PER_TOKEN = 100;

/**
 * Estimates the tokens of a text: one per four characters of Latin script, one per character of any other. It errs on the
 * high side: too low an estimate gets a request refused, too high a one only compacts earlier.
 */
export function tokensOfText(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x2ff) wide++;
  return Math.ceil((text.length - wide) / CHARS_PER_TOKEN) + wide;
}

interface Block {
  type?: unknown;
  text?: unknown;
  thinking?: unknown;
  reasoning?: unknown;
  data?: unknown;
  source?: { data?: unknown };
  image_url?: unknown;
}

/** Blocks that repeat the content of `tool_calls`. */
const CALL_BLOCKS = new Set([
  'tool_use',
  'tool_call',
  'input_json_delta',
  'function_call',
  'tool_call_chunk',
]);

function tokensOfBlock(block: Block): number {
  const { type } = block;
  if (typeof type === 'string' && CALL_BLOCKS.has(type)) return 0;
  for (const text of [block.text, block.thinking, block.reasoning])
    if (typeof text === 'string') return tokensOfText(text);
  if (type === 'image' || type === 'image_url') return PER_IMAGE;
  const data = block.data ?? block.source?.data;
  if (typeof data === 'string') return Math.ceil(data.length / MEDIA_CHARS_PER_TOKEN);
  if (data instanceof Uint8Array) return Math.ceil(data.byteLength / MEDIA_CHARS_PER_TOKEN);
  return tokensOfText(JSON.stringify(block));
}

const known = new WeakMap<BaseMessage, number>();

/** Estimates the tokens of one message. Cached, since messages do not change. */
export function tokensOfMessage(message: BaseMessage): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  const { content } = message;
  let tokens = PER_MESSAGE;
  if (typeof content === 'string') tokens += tokensOfText(content);
  else for (const block of content) tokens += tokensOfBlock(block as Block);
  if (AIMessage.isInstance(message))
    for (const call of message.tool_calls ?? [])
      tokens += PER_MESSAGE + tokensOfText(call.name) + tokensOfText(JSON.stringify(call.args));
  known.set(message, tokens);
  return tokens;
}

export function tokensOfMessages(messages: readonly BaseMessage[]): number {
  let tokens = 0;
  for (const message of messages) tokens += tokensOfMessage(message);
  return tokens;
}

/** Cached by schema: tools are created for each turn, their schemas are not. */
const knownTools = new WeakMap<object, { name: unknown; description: unknown; tokens: number }>();

/** Tokens of the tools' descriptions and schemas in a request. */
export function tokensOfTools(tools: readonly object[]): number {
  let tokens = 0;
  for (const tool of tools) tokens += tokensOfTool(tool);
  return tokens;
}

function tokensOfTool(tool: { name?: unknown; description?: unknown; schema?: unknown }): number {
  const { name, description, schema } = tool;
  const key = typeof schema === 'object' && schema !== null ? schema : tool;
  const known = knownTools.get(key);
  if (known !== undefined && known.name === name && known.description === description) return known.tokens;
  const tokens = tokensOfText(JSON.stringify(describe(tool)));
  knownTools.set(key, { name, description, tokens });
  return tokens;
}

/** Provider-specific tools are plain objects already. */
function describe(tool: object): unknown {
  return 'schema' in tool && 'name' in tool
    ? convertToOpenAITool(tool as Parameters<typeof convertToOpenAITool>[0])
    : tool;
}

/** The newest messages that have at most so many tokens; all if undefined. */
export function newestWithin(
  messages: readonly BaseMessage[],
  tokens: number | undefined,
): readonly BaseMessage[] {
  if (tokens === undefined) return messages;
  let used = 0;
  const before = messages.findLastIndex((message) => {
    used += tokensOfMessage(message);
    return used > tokens;
  });
  return messages.slice(before + 1);
}
