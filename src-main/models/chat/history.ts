import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import type { Modalities } from '../../contract/shared/media';
import { optional } from '../../contract/shared/optional';
import { withAcceptedCalls } from './call-names';
import { type Dialect, withMedia } from './media';

/**
 * Converts a conversation for one provider. The provider's own answers stay unchanged, with reasoning and signatures. Those
 * of another provider are reduced to text and calls, since nobody accepts foreign reasoning. Cache marks reach only
 * Anthropic. Files are converted for the format and the model (`withMedia`). The original messages stay unchanged.
 */
export function historyFor(
  dialect: Dialect,
  messages: readonly BaseMessage[],
  modalities: Modalities = EVERYTHING,
): BaseMessage[] {
  return withMedia(dialect, messages, modalities).map((original) => {
    const message = withAcceptedCalls(dialect, original);
    if (AIMessage.isInstance(message)) {
      if (!isOwn(dialect, message)) return wordsAndCalls(message);
      if (dialect === 'openai-responses') return withCurrentCalls(message);
      if (dialect === 'google') return withKnownBlocks(message);
      return dialect === 'anthropic' ? withCurrentBlocks(message) : message;
    }
    const unmarked = dialect === 'anthropic' ? message : withoutMarks(message);
    return dialect === 'ollama' ? plainForOllama(unmarked) : unmarked;
  });
}

const EVERYTHING: Modalities = { images: true, audio: true, video: true, pdf: true };

function isOwn(dialect: Dialect, { response_metadata: metadata, content }: AIMessage): boolean {
  switch (dialect) {
    case 'anthropic':
      return metadata.model_provider === 'anthropic';
    case 'google':
      return metadata.model_provider === 'google-genai';
    case 'openai-responses':
      return metadata.model_provider === 'openai' && Array.isArray(metadata.output);
    case 'openai-chat':
      return typeof content === 'string' && metadata.output === undefined;
    case 'ollama':
      return typeof content === 'string';
    default:
      return dialect satisfies never;
  }
}

function wordsAndCalls(message: AIMessage): AIMessage {
  return new AIMessage({
    content: message.text,
    tool_calls: message.tool_calls ?? [],
    ...optional({ id: message.id, name: message.name }),
  });
}

/**
 * Anthropic's calls are also in the content, with outdated ids and names if those have changed. Without these blocks, the
 * package builds them from the calls.
 */
function withCurrentBlocks(message: AIMessage): AIMessage {
  const { content, tool_calls: calls = [], id } = message;
  if (typeof content === 'string') return message;
  const blocks = content.filter(({ type }) => type === 'tool_use');
  const isCurrent = ({ id: one, name }: Block, at: number) =>
    one === calls[at]?.id && name === calls[at]?.name;
  if (blocks.length === calls.length && blocks.every(isCurrent)) return message;
  return new AIMessage({
    content: content.filter(({ type }) => type !== 'tool_use' && type !== 'input_json_delta'),
    tool_calls: calls,
    response_metadata: message.response_metadata,
    ...optional({ id }),
  });
}

/** What Google's package can send back. On any other block, such as an image that the model made, it fails the request. */
const SENT_BACK: ReadonlySet<string> = new Set([
  'text',
  'thinking',
  'functionCall',
  'executableCode',
  'codeExecutionResult',
]);

function withKnownBlocks(message: AIMessage): AIMessage {
  const { content } = message;
  if (typeof content === 'string' || content.every(({ type }) => SENT_BACK.has(type))) return message;
  return new AIMessage({
    content: content.filter(({ type }) => SENT_BACK.has(type)),
    tool_calls: message.tool_calls ?? [],
    additional_kwargs: message.additional_kwargs,
    response_metadata: message.response_metadata,
    ...optional({ id: message.id }),
  });
}

/**
 * The Responses API gets its own items back, which do not reflect later changes to a message: new call ids, or shortened
 * arguments. If ids or names differ, the items are useless.
 */
function withCurrentCalls(message: AIMessage): AIMessage {
  const items: unknown[] = message.response_metadata.output as unknown[];
  const calls = new Map((message.tool_calls ?? []).map((call) => [call.id, call]));
  const called = items.filter(isFunctionCall);
  const current = message.tool_calls ?? [];
  const isCurrent = ({ call_id: id, name }: FunctionCallItem, at: number) =>
    id === current[at]?.id && name === current[at]?.name;
  if (called.length !== current.length || !called.every(isCurrent)) return wordsAndCalls(message);
  const output = items.map((item) => {
    if (!isFunctionCall(item)) return item;
    const args = JSON.stringify(calls.get(item.call_id)?.args ?? {});
    return sameJson(item.arguments, args) ? item : { ...item, arguments: args };
  });
  return new AIMessage({
    content: message.content,
    tool_calls: message.tool_calls ?? [],
    additional_kwargs: message.additional_kwargs,
    response_metadata: { ...message.response_metadata, output },
    ...optional({ id: message.id }),
  });
}

interface FunctionCallItem {
  type: 'function_call';
  call_id: string;
  name?: unknown;
  arguments: string;
}

const isFunctionCall = (item: unknown): item is FunctionCallItem =>
  typeof item === 'object' &&
  item !== null &&
  'type' in item &&
  item.type === 'function_call' &&
  'call_id' in item &&
  typeof item.call_id === 'string' &&
  'arguments' in item &&
  typeof item.arguments === 'string';

function sameJson(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return JSON.stringify(JSON.parse(a)) === b;
  } catch {
    return false;
  }
}

type Block = Exclude<BaseMessage['content'], string>[number];

function withoutMarks(message: BaseMessage): BaseMessage {
  const { content } = message;
  if (typeof content === 'string' || !content.some(isMarked)) return message;
  return withContent(
    message,
    content.map((block) => {
      if (!isMarked(block)) return block;
      const { cache_control: _, ...rest } = block as Block & { cache_control?: unknown };
      return rest as Block;
    }),
  );
}

const isMarked = (block: Block): boolean => 'cache_control' in block;

/** Ollama's class accepts only text and `image_url`, and fails the whole request on anything else. */
function plainForOllama(message: BaseMessage): BaseMessage {
  const { content } = message;
  if (typeof content === 'string') return message;
  if (!HumanMessage.isInstance(message)) {
    return withContent(message, content.map((block) => wordsOf(block)).join('\n'));
  }
  return withContent(
    message,
    content.map((block): Block => {
      if (block.type === 'text' || block.type === 'image_url') return block;
      const { type, mimeType, data } = block as { type: string; mimeType?: unknown; data?: unknown };
      return type === 'image' && typeof data === 'string'
        ? { type: 'image_url', image_url: `data:${String(mimeType ?? 'image/png')};base64,${data}` }
        : { type: 'text', text: wordsOf(block) };
    }),
  );
}

const wordsOf = (block: Block): string =>
  block.type === 'text' && typeof block.text === 'string'
    ? block.text
    : `[A part of type ${block.type}, which this model does not support.]`;

function withContent(message: BaseMessage, content: BaseMessage['content']): BaseMessage {
  const { id, name, additional_kwargs, response_metadata } = message;
  const fields = {
    content,
    additional_kwargs,
    response_metadata,
    ...optional({ id, name }),
  };
  if (SystemMessage.isInstance(message)) return new SystemMessage(fields);
  if (HumanMessage.isInstance(message)) return new HumanMessage(fields);
  if (!ToolMessage.isInstance(message)) return message;
  const { tool_call_id, status, artifact } = message;
  return new ToolMessage({
    ...fields,
    tool_call_id,
    artifact,
    ...optional({ status }),
  });
}
