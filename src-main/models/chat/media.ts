import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { leftOut, type Media, type Modalities, mediaOf, whyNot } from '../../contract/shared/media';
import { optional } from '../../contract/shared/optional';
import type { ModelFacts } from '../../contract/usage';

/** Wire formats, by the conversation history that they accept. */
export type Dialect = 'anthropic' | 'openai-chat' | 'openai-responses' | 'google' | 'ollama';

type Block = Exclude<BaseMessage['content'], string>[number];

/** Names of vision models among those without other facts: local models, and those behind a proxy. */
const SEEING =
  /vision|llava|moondream|pixtral|minicpm-?v|gemma-?3|gemma-?4|llama-?4|mistral-small-?3|(?:^|[^a-z])vl(?:$|[^a-z])|[\d.]vl|gpt-4o|gpt-4\.1|gpt-5|claude|gemini/iu;

/** A model's modalities: from the catalogue or the person's corrections, else guessed from its name. */
export function modalitiesOf(abilities: ModelFacts['abilities'], model: string): Modalities {
  if (abilities === null) return { images: SEEING.test(model), audio: false, video: false, pdf: false };
  const { images, audio, video, pdf } = abilities;
  return { images, audio, video, pdf };
}

/** Maximum base64 characters of all media in one request, and of one image. */
const LIMITS: Readonly<Record<Dialect, { request: number; image: number; files: number }>> = {
  anthropic: { request: 28_000_000, image: 5_242_880, files: 20 },
  'openai-chat': { request: 40_000_000, image: 20_000_000, files: 50 },
  'openai-responses': { request: 40_000_000, image: 20_000_000, files: 50 },
  google: { request: 18_000_000, image: 18_000_000, files: 50 },
  ollama: { request: 40_000_000, image: 20_000_000, files: 20 },
};

const COMMON_IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const IMAGES: Readonly<Record<Dialect, readonly string[]>> = {
  anthropic: COMMON_IMAGES,
  'openai-chat': COMMON_IMAGES,
  'openai-responses': COMMON_IMAGES,
  google: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
  ollama: ['image/png', 'image/jpeg', 'image/webp'],
};

/**
 * Converts the images, audio, videos and documents of a conversation to one wire format. A sentence replaces any medium that
 * the format or the model does not support, and the oldest ones if the request would be too large, so a request never fails
 * because of a file. If tool results can contain only text, their files follow them in the person's name.
 */
export function withMedia(
  dialect: Dialect,
  messages: readonly BaseMessage[],
  modalities: Modalities,
): readonly BaseMessage[] {
  if (!messages.some(holdsMedia)) return messages;
  const parts = partsOf(dialect, messages, modalities);
  const placed: BaseMessage[] = [];
  let following: Block[] = [];
  const flush = () => {
    if (following.length > 0) placed.push(new HumanMessage({ content: following }));
    following = [];
  };
  for (const message of messages) {
    if (!ToolMessage.isInstance(message)) flush();
    const { content } = message;
    if (typeof content === 'string' || !holdsMedia(message)) {
      placed.push(message);
      continue;
    }
    const blocks = parts.get(message) ?? content;
    if (!ToolMessage.isInstance(message)) {
      placed.push(copyWith(message, dialect === 'openai-responses' ? blocks.map(asInput) : blocks));
    } else if (dialect === 'anthropic') placed.push(copyWith(message, blocks));
    else if (dialect === 'openai-responses') placed.push(copyWith(message, blocks.map(asInput)));
    else {
      const files = blocks.filter((block) => block.type !== 'text');
      const words = blocks.filter((block) => block.type === 'text').map(textIn);
      if (files.length > 0) {
        const intro = `[What the call ${message.name ?? 'above'} gave, besides its words:]`;
        following.push({ type: 'text', text: intro }, ...files);
        words.push('[The file itself follows below.]');
      }
      placed.push(copyWith(message, words.join('\n')));
    }
  }
  flush();
  return placed;
}

const holdsMedia = ({ type, content }: BaseMessage): boolean =>
  (type === 'human' || type === 'tool') &&
  typeof content !== 'string' &&
  content.some((block) => mediaOf(block) !== null);

/** The converted blocks of each message with files. The newest come first, until the limit is reached. */
function partsOf(
  dialect: Dialect,
  messages: readonly BaseMessage[],
  modalities: Modalities,
): Map<BaseMessage, Block[]> {
  const parts = new Map<BaseMessage, Block[]>();
  const limits = LIMITS[dialect];
  let room = limits.request;
  let files = limits.files;
  const become = (block: Block): Block => {
    const media = mediaOf(block);
    if (media === null) return block;
    const part = whyNot(media, modalities) ?? partOf(dialect, media, limits.image);
    if (typeof part === 'string') return { type: 'text', text: leftOut(media, part) };
    if (media.data.length > room || files === 0) return { type: 'text', text: leftOut(media, TOO_MUCH) };
    room -= media.data.length;
    files -= 1;
    return part;
  };
  for (const message of messages.toReversed()) {
    const { content } = message;
    if (typeof content === 'string' || !holdsMedia(message)) continue;
    parts.set(message, content.toReversed().map(become).reverse());
  }
  return parts;
}

const TOO_MUCH = 'the request would be too large; read it again where it is needed';

/** One medium in a wire format, or why it cannot be converted. */
function partOf(dialect: Dialect, media: Media, largestImage: number): Block | string {
  const { kind, mimeType, data } = media;
  const url = `data:${mimeType};base64,${data}`;
  const filename = media.name ?? 'document.pdf';
  if (data === '') return 'it is empty';
  switch (kind) {
    case 'image':
      if (!IMAGES[dialect].includes(mimeType))
        return `the current model does not support images of the type ${mimeType}`;
      if (data.length > largestImage) return 'the image is larger than the current model takes';
      if (dialect === 'anthropic') return { type: 'image', source: base64(media) };
      if (dialect === 'openai-responses') return { type: 'input_image', image_url: url, detail: 'auto' };
      if (dialect === 'google') return { type: 'media', mimeType, data };
      return { type: 'image_url', image_url: { url } };
    case 'file':
      if (dialect === 'anthropic') {
        return {
          type: 'document',
          source: base64(media),
          ...optional({ title: media.name }),
        };
      }
      if (dialect === 'openai-chat') return { type: 'file', file: { filename, file_data: url } };
      if (dialect === 'openai-responses') return { type: 'input_file', filename, file_data: url };
      if (dialect === 'google') return { type: 'media', mimeType, data };
      break;
    case 'audio': {
      const format = SPOKEN[mimeType];
      if (dialect === 'google') return { type: 'media', mimeType, data };
      if (dialect === 'openai-chat' && format !== undefined)
        return { type: 'input_audio', input_audio: { data, format } };
      break;
    }
    case 'video':
      if (dialect === 'google') return { type: 'media', mimeType, data };
      break;
    default:
      return kind satisfies never;
  }
  return `the current model takes nothing of the type ${mimeType}`;
}

const SPOKEN: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
};

const base64 = ({ mimeType, data }: Media) => ({ type: 'base64', media_type: mimeType, data });

/** The Responses API has its own block names, and it sends a result with any other block as JSON. */
const asInput = (block: Block): Block =>
  block.type === 'text' ? { type: 'input_text', text: textIn(block) } : block;

const textIn = (block: Block): string => (typeof block.text === 'string' ? block.text : '');

function copyWith(message: BaseMessage, content: BaseMessage['content']): BaseMessage {
  const { id, name, additional_kwargs } = message;
  const fields = {
    content,
    additional_kwargs,
    ...optional({ id, name }),
  };
  if (!ToolMessage.isInstance(message)) return new HumanMessage(fields);
  const { tool_call_id, status } = message;
  return new ToolMessage({ ...fields, tool_call_id, ...optional({ status }) });
}
