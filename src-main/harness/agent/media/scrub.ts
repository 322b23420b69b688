import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import {
  leftOut,
  type Media,
  type Modalities,
  mediaOf,
  modalityFor,
  whyNot,
} from '../../../contract/shared/media';
import { optional } from '../../../contract/shared/optional';
import { sniff } from './sniff';

type Block = Exclude<BaseMessage['content'], string>[number];

/**
 * Adapts the messages of a request to the model: unsupported media become a sentence, so the model can change in the middle
 * of a thread. The thread itself stays unchanged. `refused`: ids of messages whose media the service refused.
 */
export function scrubMedia(
  messages: BaseMessage[],
  modalities: Modalities,
  refused: ReadonlySet<string> = new Set(),
): BaseMessage[] {
  let changed = false;
  const scrubbed = messages.map((message) => {
    const { content } = message;
    if (typeof content === 'string' || !(HumanMessage.isInstance(message) || ToolMessage.isInstance(message)))
      return message;
    const isRefused = message.id !== undefined && refused.has(message.id);
    const blocks = content.map((block) => scrubBlock(block, modalities, isRefused));
    if (blocks.every((block, index) => block === content[index])) return message;
    changed = true;
    return copyWith(message, blocks);
  });
  return changed ? scrubbed : messages;
}

const holdsMedia = ({ content }: BaseMessage): boolean =>
  typeof content !== 'string' && content.some((block) => mediaOf(block) !== null);

/**
 * Asks the model with the media that it supports. If the service refuses the request over a file, retries without the latest
 * media, then without any: one damaged image must not end a thread.
 */
export async function askWithMedia<T>(
  messages: BaseMessage[],
  modalities: Modalities,
  refused: Set<string>,
  ask: (messages: BaseMessage[]) => Promise<T>,
): Promise<T> {
  for (;;) {
    const sent = scrubMedia(messages, modalities, refused);
    try {
      return await ask(sent);
    } catch (error) {
      const held = sent.filter((message) => message.id !== undefined && holdsMedia(message));
      if (held.length === 0 || !isAboutMedia(error)) throw error;
      const spoke = sent.findLastIndex((message) => AIMessage.isInstance(message));
      const last = held.filter((message) => sent.indexOf(message) > spoke);
      for (const { id = '' } of last.length > 0 ? last : held) refused.add(id);
    }
  }
}

const ABOUT_MEDIA = /image|picture|pdf|document|media|audio|video|base64|inline_?data|mime/iu;

/** Refused as invalid (400, 413, 415, 422), with an error text about files. */
function isAboutMedia(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status: unknown = 'status' in error ? error.status : undefined;
  return [400, 413, 415, 422].includes(Number(status)) && ABOUT_MEDIA.test(error.message);
}

function scrubBlock(given: Block, modalities: Modalities, refused: boolean): Block {
  const block = withText64(given);
  const media = mediaOf(block);
  if (media === null) return block;
  if (refused) return { type: 'text', text: leftOut(media, 'the service could not read it') };
  // A custom model may support types that none of our models support.
  const why = modalityFor(media) === null ? null : whyNot(media, modalities);
  return why === null ? ofItsType(block, media) : { type: 'text', text: leftOut(media, why) };
}

/** Base64 characters that are enough to identify a file's type. */
const HEAD = 64;

/** Tools may label an image with the wrong type, and services refuse one whose bytes differ from the label. */
function ofItsType(block: Block, { kind, mimeType, data }: Media): Block {
  if (kind !== 'image' || !('mimeType' in block)) return block;
  const found = sniff(Buffer.from(data.slice(0, HEAD), 'base64'));
  return found?.kind !== 'image' || found.mimeType === mimeType
    ? block
    : { ...block, mimeType: found.mimeType };
}

/** Encodes bytes as base64. Some tools return raw bytes, and a JSON checkpoint turns them into an object of numbers. */
function withText64(block: Block): Block {
  const data: unknown = 'data' in block ? block.data : undefined;
  if (typeof data !== 'object' || data === null) return block;
  const bytes = data instanceof Uint8Array ? data : Uint8Array.from(Object.values(data).map(Number));
  return { ...block, data: Buffer.from(bytes).toString('base64') };
}

function copyWith(message: BaseMessage, content: Block[]): BaseMessage {
  const { id, name, additional_kwargs, response_metadata } = message;
  const fields = {
    content,
    additional_kwargs,
    response_metadata,
    ...optional({ id, name }),
  };
  if (!ToolMessage.isInstance(message)) return new HumanMessage(fields);
  const { tool_call_id, status, artifact } = message;
  return new ToolMessage({
    ...fields,
    tool_call_id,
    ...optional({ status, artifact }),
  });
}
