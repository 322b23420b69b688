import type { ContentBlock } from '@langchain/core/messages';
import { isShallow } from '../base/limited-json';

/** Maximum base64 characters of one image, audio clip or file; about 10 MB. */
const MAX_MEDIA = 14_000_000;

const TOO_DEEP = 'The tool answered with data that is nested more than 64 levels deep, so it was left out.';

/** The adapter's form of result parts: LangChain blocks of an earlier version. */
interface AdapterBlock {
  type?: unknown;
  text?: unknown;
  data?: unknown;
  url?: unknown;
  mime_type?: unknown;
  metadata?: unknown;
}

type MediaKind = 'image' | 'audio' | 'video' | 'file';

/**
 * A result in the form of the harness. Text-only results become one text, which can be offloaded; others become blocks with
 * inline media. Structured data without text is converted to text.
 */
export function contentOf(content: unknown, artifact: unknown): string | ContentBlock[] {
  if (typeof content === 'string') return content;
  const blocks = (Array.isArray(content) ? content : [content]).flatMap(blockOf);
  if (blocks.length === 0) return structured(artifact) ?? 'The tool answered without any content.';
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [String(block.text)] : []));
  return texts.length === blocks.length ? texts.join('\n') : blocks;
}

function blockOf(raw: unknown): ContentBlock[] {
  if (raw === null || typeof raw !== 'object') return [];
  const block: AdapterBlock = raw;
  const mimeType = typeof block.mime_type === 'string' ? block.mime_type : undefined;
  if (typeof block.text === 'string') {
    const uri = uriOf(block.metadata);
    const text = uri === undefined ? block.text : `[${uri}]\n${block.text}`;
    return [{ type: 'text', text }];
  }
  if (typeof block.data === 'string') {
    const kind = kindOf(block.type, mimeType);
    if (block.data.length > MAX_MEDIA) {
      return [{ type: 'text', text: `[${describe(kind, mimeType)} of more than 10 MB was left out.]` }];
    }
    return [{ type: kind, mimeType: mimeType ?? 'application/octet-stream', data: block.data }];
  }
  if (typeof block.url === 'string') {
    // The address is named but not fetched; the agent can request it.
    return [{ type: 'text', text: `[${describe('file', mimeType)}: ${block.url}]` }];
  }
  return [];
}

function kindOf(type: unknown, mimeType: string | undefined): MediaKind {
  const [major] = (mimeType ?? '').split('/');
  if (type === 'image' || major === 'image') return 'image';
  if (type === 'audio' || major === 'audio') return 'audio';
  return major === 'video' ? 'video' : 'file';
}

const describe = (kind: MediaKind, mimeType: string | undefined) =>
  mimeType === undefined ? `A ${kind}` : `A ${kind} (${mimeType})`;

function uriOf(metadata: unknown): string | undefined {
  if (metadata === null || typeof metadata !== 'object' || !('uri' in metadata)) return undefined;
  return typeof metadata.uri === 'string' ? metadata.uri : undefined;
}

function structured(artifact: unknown): string | null {
  if (!Array.isArray(artifact)) return null;
  const found: unknown = artifact.find(
    (one: unknown) =>
      one !== null && typeof one === 'object' && 'type' in one && one.type === 'mcp_structured_content',
  );
  if (found === null || typeof found !== 'object' || !('data' in found)) return null;
  return isShallow(found.data) ? JSON.stringify(found.data, null, 2) : TOO_DEEP;
}
