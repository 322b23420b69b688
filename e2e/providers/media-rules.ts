import type { JsonObject } from './json';
import { objectOf, objectsOf, stringOf } from './json';

/** The first bytes of each file type; services check the bytes, not the declared type. */
const BEGINNINGS: readonly [mimeType: string, hex: string][] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['image/webp', '52494646'],
  ['application/pdf', '255044462d'],
];

/** The type of the bytes; undefined if unknown. */
const typeOf = (data: string): string | undefined => {
  const head = Buffer.from(data.slice(0, 32), 'base64').toString('hex');
  return BEGINNINGS.find(([, hex]) => head.startsWith(hex))?.[0];
};

const isBase64 = (data: string): boolean =>
  data !== '' && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);

const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const LARGEST_IMAGE = 5 * 1024 * 1024;

/** The Messages API's complaints about an image or a document, also within a result. */
export function* anthropicMedia(at: string, block: JsonObject): Generator<string> {
  if (block.type === 'tool_result') {
    for (const [index, inner] of objectsOf(block.content).entries()) {
      const here = `${at}.tool_result.content.${index}`;
      const type = stringOf(inner.type);
      if (!['text', 'image', 'document', 'search_result'].includes(type)) {
        yield `${here}: Input tag '${type}' found using 'type' does not match any of the expected tags: 'document', 'image', 'search_result', 'text', 'tool_reference'`;
      }
      yield* anthropicMedia(here, inner);
    }
  }
  const source = objectOf(block.source);
  const [type, data] = [stringOf(source.media_type), stringOf(source.data)];
  if ((block.type !== 'image' && block.type !== 'document') || source.type !== 'base64') return;
  const here = `${at}.${block.type}.source.base64`;
  if (!isBase64(data)) yield `${here}.data: invalid base64 data`;
  if (block.type === 'document') {
    if (type !== 'application/pdf') yield `${here}.media_type: Input should be 'application/pdf'`;
    if (typeOf(data) !== 'application/pdf') yield `${here}.data: The PDF specified was not valid.`;
    return;
  }
  if (!IMAGES.includes(type)) {
    yield `${here}.media_type: Input should be ${IMAGES.map((one) => `'${one}'`).join(' or ')}`;
  }
  if (data.length > LARGEST_IMAGE) {
    yield `${here}: image exceeds 5 MB maximum: ${data.length} bytes > ${LARGEST_IMAGE} bytes`;
  }
  const real = typeOf(data);
  if (real === undefined) yield `${at}.${block.type}.source.base64.data: Could not process image`;
  if (real !== type) {
    yield `${at}.${block.type}.source.base64.data: Image does not match the provided media type ${type}`;
  }
}

/** What is wrong with an image URL for OpenAI's services; null if it is valid. */
export function openaiImage(url: string): string | null {
  if (url.startsWith('https://')) return null;
  const [, type = '', data = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  const isImage = IMAGES.includes(type) && isBase64(data) && IMAGES.includes(typeOf(data) ?? '');
  return isImage
    ? null
    : "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].";
}

/** The same for a document, which needs a name. */
export function openaiFile(filename: string, fileData: string): string | null {
  if (filename === '') return "Missing required parameter: 'file.filename'.";
  const [, type = '', data = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(fileData) ?? [];
  return type === 'application/pdf' && isBase64(data) && typeOf(data) === type
    ? null
    : `Invalid file data: '${filename}'. Expected a base64-encoded data URL with an application/pdf MIME type.`;
}

const GEMINI = /^(?:image\/(?:png|jpeg|webp|heic|heif)|application\/pdf|text\/|audio\/|video\/)/;

/** The Generative Language API's complaints about a part with bytes. */
export function* googleMedia(part: JsonObject): Generator<string> {
  const { mimeType, data } = objectOf(part.inlineData);
  if (part.inlineData !== undefined) {
    if (!GEMINI.test(stringOf(mimeType))) yield `Unsupported MIME type: ${stringOf(mimeType)}`;
    if (!isBase64(stringOf(data))) {
      yield `Invalid value at 'contents.parts.inline_data.data' (TYPE_BYTES), Base64 decoding failed`;
    } else if (stringOf(mimeType).startsWith('image/') && stringOf(mimeType) !== 'image/heic') {
      if (typeOf(stringOf(data)) !== mimeType)
        yield 'Unable to process input image. Please retry or report in';
    }
  }
  // Bytes in the text of a result would be read, and billed, as text.
  if (JSON.stringify(part.functionResponse ?? null).includes('"inlineData"')) {
    yield 'Invalid JSON payload received: a function response holds inline data among its words.';
  }
}

/** An Ollama server's complaints about the images of a message. */
export function* ollamaImages(message: JsonObject): Generator<string> {
  const { images } = message;
  if (images === undefined) return;
  for (const image of Array.isArray(images) ? images : [null]) {
    const data = stringOf(image ?? undefined);
    if (!isBase64(data)) yield 'illegal base64 data at input byte 0';
    else if (!['image/png', 'image/jpeg', 'image/webp'].includes(typeOf(data) ?? ''))
      yield 'Failed to load image or audio file';
  }
}
