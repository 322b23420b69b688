import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { partsOf } from '../message-parts';

/** Shortens a text of a message, or of an argument of its calls. */
type Cut = (text: string, of: BaseMessage) => string;

/** Full messages as Markdown, for an archive. */
export function transcriptOf(messages: readonly BaseMessage[], cut: Cut = (text) => text): string {
  return messages.map((message) => section(message, cut)).join('\n\n');
}

function section(message: BaseMessage, cut: Cut): string {
  if (ToolMessage.isInstance(message)) {
    const failed = message.status === 'error' ? ', failed' : '';
    return `### Result of ${message.name ?? 'a call'} (${message.tool_call_id}${failed})\n\n${cut(textOf(message), message)}`;
  }
  if (AIMessage.isInstance(message)) {
    const calls = (message.tool_calls ?? []).map(
      (call) => `Call ${call.name} (${call.id ?? 'no id'}): ${cut(JSON.stringify(call.args), message)}`,
    );
    return ['## Agent', partsOf(message).text, ...calls].filter((part) => part !== '').join('\n\n');
  }
  if (HumanMessage.isInstance(message)) return `## Person\n\n${cut(textOf(message), message)}`;
  return `## ${message.type}\n\n${cut(textOf(message), message)}`;
}

/** Text of a message. Media are named, not included. */
function textOf(message: BaseMessage): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return content
    .map((block) => {
      const { type, text } = block as { type?: string; text?: unknown };
      return typeof text === 'string' ? text : `[${type ?? 'something'} left out here]`;
    })
    .join('\n');
}
