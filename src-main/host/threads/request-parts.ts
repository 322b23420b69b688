import { AIMessage, type BaseMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { convertToOpenAITool, isLangChainTool } from '@langchain/core/utils/function_calling';
import type { RequestPart } from '../../contract/inspect';
import { estimateTokens } from '../../models/estimate-tokens';
import type { SentRequest } from '../../models/model-call';

/** UTF-16 units shown of a whole request, and of one part once that is used up. */
const MAX_LENGTH = 8_000_000;
const MIN_PART_LENGTH = 2_000;

/** The parts of a request in the model's reading order: system prompt, tools, messages. */
export function partsOfRequest({ system, tools, messages }: SentRequest): RequestPart[] {
  const parts = [
    ...(system === null ? [] : sectionsOf(system)),
    ...tools.map(ofTool),
    ...messages.map(ofMessage),
  ];
  let left = MAX_LENGTH;
  return parts.map((part) => {
    const room = Math.max(MIN_PART_LENGTH, left);
    left -= part.text.length;
    return part.text.length <= room
      ? part
      : { ...part, text: part.text.slice(0, room), cut: part.text.length - room };
  });
}

function sectionsOf(system: SystemMessage): RequestPart[] {
  const blocks =
    typeof system.content === 'string' ? [{ type: 'text', text: system.content }] : system.content;
  return blocks.map((block) => {
    const text = textOfBlock(block);
    return {
      kind: 'system' as const,
      title: titleOf(text),
      tokens: estimateTokens({
        messages: [new SystemMessage({ content: [block] as SystemMessage['content'] })],
      }),
      text: text.trim(),
    };
  });
}

function ofTool(tool: unknown): RequestPart {
  const shown = isLangChainTool(tool) ? convertToOpenAITool(tool) : tool;
  const { name } = (tool ?? {}) as { name?: unknown };
  return {
    kind: 'tool',
    title: typeof name === 'string' ? name : '?',
    tokens: estimateTokens({ messages: [], tools: [tool] }),
    text: JSON.stringify(shown, null, 2),
  };
}

function ofMessage(message: BaseMessage): RequestPart {
  const { content } = message;
  const spoken =
    typeof content === 'string' ? content : content.map(textOfBlock).filter(Boolean).join('\n\n');
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  const called = calls.map(({ name, args, id }) => `${name} ${JSON.stringify(args, null, 2)}  (${id ?? ''})`);
  return {
    kind: 'message',
    title: speakerOf(message),
    tokens: estimateTokens({ messages: [message] }),
    text: [spoken, ...called].filter((text) => text !== '').join('\n\n'),
  };
}

function speakerOf(message: BaseMessage): string {
  if (ToolMessage.isInstance(message)) return `tool ${message.name ?? message.tool_call_id}`;
  if (AIMessage.isInstance(message)) return 'assistant';
  return message.getType() === 'human' ? 'user' : message.getType();
}

type Block = { type: string; [field: string]: unknown };

/** Text unchanged; the type and size of an image, audio file or document. Calls follow separately. */
function textOfBlock(block: Block): string {
  for (const words of [block.text, block.thinking, block.reasoning])
    if (typeof words === 'string') return words;
  if (/^(?:tool_use|tool_call|input_json_delta|function_call|tool_call_chunk)$/u.test(block.type)) return '';
  const data = block.data ?? (block.source as { data?: unknown } | undefined)?.data;
  const mime =
    block.mimeType ?? block.mime_type ?? (block.source as { media_type?: unknown } | undefined)?.media_type;
  const size = typeof data === 'string' ? `${data.length} characters of base64` : '';
  const facts = [mime, size].filter((fact) => typeof fact === 'string' && fact !== '');
  return `[${[block.type, ...facts].join(', ')}]`;
}

/** The first line of a section, without markup. */
function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const bare = line.replace(/^[#<\s]+|[>\s]+$/gu, '');
  const characters = [...bare];
  return characters.length > 70 ? `${characters.slice(0, 69).join('')}…` : bare;
}
