import { SystemMessage } from '@langchain/core/messages';

/**
 * Appends a section to the system message as a separate block, so that providers can cache up to it. `more`: other fields of
 * the block.
 */
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
