import { SystemMessage } from '@langchain/core/messages';

/** The system message with one more section, as a block of its own so that providers can cache up to it. `more`: what the block has besides. */
export function withSection(message: SystemMessage, section: string, more: object = {}): SystemMessage {
  const blocks =
    typeof message.content === 'string'
      ? [{ type: 'text' as const, text: message.content }]
      : message.content;
  const before = blocks.filter((block) => !('text' in block) || block.text !== '');
  const text = before.length === 0 ? section : `\n\n${section}`;
  return new SystemMessage({
    content: [...before, { type: 'text', text, ...more }] as SystemMessage['content'],
  });
}
