import type { ContentBlock } from '@agentclientprotocol/sdk';
import { mimeTypeOf } from '../backends/text/mime';
import type { PromptPart } from './host';

/** Converts an editor's content blocks to parts of a message. A block without a name is named after its type. */
export const promptParts = (blocks: readonly ContentBlock[]): PromptPart[] => blocks.map(partOf);

function partOf(block: ContentBlock): PromptPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
    case 'audio':
      return {
        type: 'file',
        name: `${block.type}.${extensionOf(block.mimeType)}`,
        mimeType: block.mimeType,
        data: block.data,
      };
    case 'resource_link':
      return { type: 'link', uri: block.uri, name: block.name };
    case 'resource': {
      const { resource } = block;
      const name = nameOf(resource.uri);
      if ('text' in resource) {
        const data = Buffer.from(resource.text, 'utf8').toString('base64');
        return { type: 'file', name, mimeType: resource.mimeType ?? 'text/plain', data };
      }
      return { type: 'file', name, mimeType: resource.mimeType ?? mimeTypeOf(name), data: resource.blob };
    }
    default:
      return { type: 'text', text: JSON.stringify(block satisfies never) };
  }
}

/** `png` for `image/png`, `svg` for `image/svg+xml; charset=utf-8`. */
const extensionOf = (mimeType: string) => /\/([\w-]+)/.exec(mimeType)?.[1] ?? 'bin';

/** The last segment of a path or URL. */
function nameOf(uri: string): string {
  const path = uri.split(/[?#]/, 1)[0] ?? '';
  const last = path.split('/').findLast((name) => name !== '') ?? '';
  try {
    return decodeURIComponent(last) || 'resource.txt';
  } catch {
    return last;
  }
}
