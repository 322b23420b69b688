import type { ContentBlock as AnswerBlock } from '@langchain/core/messages';
import type { ContentBlock, EmbeddedResource } from '@modelcontextprotocol/client';
import { isShallow, parseJson } from '../../base/limited-json';
import type { Reasons } from '../../contract/shared/reasons';

/** Maximum base64 characters of one image, audio clip or file; about 10 MB. */
const MAX_MEDIA = 14_000_000;

/** Maximum bytes of a text that is compared with data. */
const MAX_TEXT = 10 * 1024 * 1024;

const TOO_DEEP = 'The tool answered with data that is nested more than 64 levels deep, so it was left out.';

type MediaKind = 'image' | 'audio' | 'video' | 'file';

/** A result in the form of the harness. */
export type ResultContent = string | AnswerBlock[];

/** The call failed. The message has the server's words, unless Deepdesk knows why. */
export class ToolFailed extends Error {
  constructor(
    words: string,
    readonly why?: Reasons,
  ) {
    super(words);
  }
}

/** The parts of a server's answer to a call that are used. */
export interface CallAnswer {
  content: readonly ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

/**
 * A result in the form of the harness. Text-only results become one text, which can be offloaded; others become blocks with
 * inline media. Structured data that is not among the texts becomes one. Throws `ToolFailed` if the server reports an error.
 */
export function contentOf(answer: CallAnswer): ResultContent {
  const blocks = answer.content.flatMap(blockOf);
  const { structuredContent: data } = answer;
  if (data !== undefined && data !== null && !isSaid(data, answer.content))
    blocks.push({ type: 'text', text: isShallow(data) ? JSON.stringify(data, null, 2) : TOO_DEEP });
  if (answer.isError === true) throw new ToolFailed(wordsOf(answer.content) || textsOf(blocks).join('\n'));
  return blocks.length === 0 ? 'The tool answered without any content.' : joined(blocks);
}

/** Whether the content has the data as text already, as the protocol wants it for older clients. */
function isSaid(data: unknown, content: readonly ContentBlock[]): boolean {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (texts.length === 0 || typeof data !== 'object' || data === null || !isShallow(data)) return false;
  // Server libraries wrap a text, a number or a list like this.
  if (Object.keys(data).join() === 'result') return true;
  const wanted = JSON.stringify(data);
  return texts.some((text) => {
    const read = parseJson(text, { maxBytes: MAX_TEXT });
    return 'value' in read && JSON.stringify(read.value) === wanted;
  });
}

/** The contents of a resource in the form of the harness. Several texts are each headed by their address. */
export function resourceContent(contents: readonly EmbeddedResource['resource'][]): ResultContent {
  if (contents.length === 0) return 'The resource is empty.';
  return joined(contents.flatMap((one) => resourceBlocks(one, contents.length > 1)));
}

const wordsOf = (content: readonly ContentBlock[]) =>
  content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();

const textsOf = (blocks: readonly AnswerBlock[]): string[] =>
  blocks.flatMap((block) => (block.type === 'text' ? [String(block.text)] : []));

function joined(blocks: AnswerBlock[]): ResultContent {
  const texts = textsOf(blocks);
  return texts.length === blocks.length ? texts.join('\n') : blocks;
}

function blockOf(block: ContentBlock): AnswerBlock[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'image':
    case 'audio':
      return [media(block.type, block.mimeType, block.data)];
    case 'resource':
      return resourceBlocks(block.resource, true);
    case 'resource_link':
      // The address is named but not fetched; the agent can request it.
      return [{ type: 'text', text: `[${describe('file', block.mimeType)}: ${block.uri}]` }];
  }
}

function resourceBlocks(resource: EmbeddedResource['resource'], isHeaded: boolean): AnswerBlock[] {
  if ('text' in resource)
    return [{ type: 'text', text: isHeaded ? `[${resource.uri}]\n${resource.text}` : resource.text }];
  return [media(kindOf(resource.mimeType), resource.mimeType, resource.blob)];
}

function media(kind: MediaKind, mimeType: string | undefined, data: string): AnswerBlock {
  const leftOut = (why: string): AnswerBlock => ({
    type: 'text',
    text: `[${describe(kind, mimeType)} ${why} was left out.]`,
  });
  if (data.length > MAX_MEDIA) return leftOut('of more than 10 MB');
  // Some servers break its lines or leave out its end, which services refuse.
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) return leftOut('without content');
  return { type: kind, mimeType: mimeType ?? 'application/octet-stream', data: bytes.toString('base64') };
}

function kindOf(mimeType = ''): MediaKind {
  const [major] = mimeType.split('/');
  return major === 'image' || major === 'audio' || major === 'video' ? major : 'file';
}

const NAMES: Readonly<Record<MediaKind, string>> = {
  image: 'An image',
  audio: 'An audio recording',
  video: 'A video',
  file: 'A file',
};

const describe = (kind: MediaKind, mimeType: string | undefined) =>
  mimeType === undefined ? NAMES[kind] : `${NAMES[kind]} (${mimeType})`;
