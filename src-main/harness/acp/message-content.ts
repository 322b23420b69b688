import type { ContentBlock } from '@langchain/core/messages';
import { sniff } from '../agent/media/sniff';
import { decodeText } from '../backends/text/text';
import type { PromptPart } from './host';

/** The content of a message: one text, or blocks if the person added an image, a recording or another file. */
export function messageContent(parts: readonly PromptPart[]): string | ContentBlock[] {
  const blocks = parts.map(blockOf);
  return blocks.every(isText) ? blocks.map(({ text }) => text).join('') : blocks;
}

type TextBlock = { type: 'text'; text: string };

const isText = (block: ContentBlock): block is TextBlock => block.type === 'text';

function blockOf(part: PromptPart): ContentBlock {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'link') return { type: 'text', text: part.uri };
  const { name, data } = part;
  const bytes = Buffer.from(data, 'base64');
  // Editors get the type from the name, so the bytes decide.
  const known = sniff(bytes);
  const text = known === null ? decodeText(bytes) : null;
  if (text !== null)
    return { type: 'text', text: `\n\n<file name=${JSON.stringify(name)}>\n${text}\n</file>\n\n` };
  return {
    type: known?.kind ?? kindOf(part.mimeType),
    mimeType: known?.mimeType ?? part.mimeType,
    data,
    metadata: { filename: name },
  } as ContentBlock;
}

function kindOf(mimeType: string): 'image' | 'audio' | 'video' | 'file' {
  const kind = mimeType.slice(0, mimeType.indexOf('/'));
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}
