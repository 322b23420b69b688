import type { AIMessage } from '@langchain/core/messages';

/** Text and reasoning of a message or chunk, in the format of any provider. */
export function partsOf(message: Pick<AIMessage, 'content' | 'additional_kwargs'>): {
  text: string;
  reasoning: string;
} {
  const { content } = message;
  const extra = message.additional_kwargs.reasoning_content;
  let reasoning = typeof extra === 'string' ? extra : '';
  if (typeof content === 'string') return { text: content, reasoning };
  let text = '';
  for (const block of content) {
    const part = block as { type: string; text?: unknown; thinking?: unknown; reasoning?: unknown };
    if (part.type === 'text' && typeof part.text === 'string') text += part.text;
    else if (part.type === 'thinking' && typeof part.thinking === 'string') reasoning += part.thinking;
    else if (part.type === 'reasoning' && typeof part.reasoning === 'string') reasoning += part.reasoning;
  }
  return { text, reasoning };
}
