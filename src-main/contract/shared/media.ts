/** The kind of an image, audio, video or document in a message block beside its text. */
export type MediaKind = 'image' | 'audio' | 'video' | 'file';

/** A block in LangChain's standard format, with its bytes in base64. */
export interface Media {
  kind: MediaKind;
  mimeType: string;
  /** Base64. */
  data: string;
  /** Its name, if any. */
  name: string | undefined;
}

/** Modalities that models may accept; `null` if unknown. */
export interface Modalities {
  images: boolean | null;
  audio: boolean | null;
  video: boolean | null;
  pdf: boolean | null;
}

const KINDS: readonly string[] = ['image', 'audio', 'video', 'file'];

/**
 * The bytes in a message block: LangChain's standard format, its older one (`source_type`), and an image as a data URL. Null
 * for text, for external content (a URL, an id) and for provider-specific blocks.
 */
export function mediaOf(block: unknown): Media | null {
  if (!isObject(block) || typeof block.type !== 'string') return null;
  if (block.type === 'image_url') return fromDataUrl(block.image_url);
  if (!KINDS.includes(block.type) || typeof block.data !== 'string') return null;
  if ('source_type' in block && block.source_type !== 'base64') return null;
  const named = block.mimeType ?? block.mime_type;
  return {
    kind: block.type as MediaKind,
    mimeType: typeof named === 'string' ? named.toLowerCase() : '',
    data: block.data,
    name: nameIn(block.metadata),
  };
}

const DATA_URL = 'data:';

function fromDataUrl(value: unknown): Media | null {
  const url = isObject(value) ? value.url : value;
  if (typeof url !== 'string' || !url.startsWith(DATA_URL)) return null;
  const comma = url.indexOf(',');
  const [mimeType = '', ...marks] = url.slice(DATA_URL.length, comma).split(';');
  if (comma < 0 || !marks.includes('base64')) return null;
  return { kind: 'image', mimeType: mimeType.toLowerCase(), data: url.slice(comma + 1), name: undefined };
}

function nameIn(metadata: unknown): string | undefined {
  if (!isObject(metadata)) return undefined;
  const name = metadata.filename ?? metadata.name;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** The modality that a medium requires; null if no model accepts it directly. */
export function modalityFor({ kind, mimeType }: Pick<Media, 'kind' | 'mimeType'>): keyof Modalities | null {
  switch (kind) {
    case 'image':
      return 'images';
    case 'audio':
    case 'video':
      return kind;
    case 'file':
      return mimeType === 'application/pdf' ? 'pdf' : null;
    default:
      return kind satisfies never;
  }
}

/** Decoded size of a base64 text. */
export const bytesOfBase64 = (data: string): number =>
  Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);

/** `1 byte`, `840 bytes`, `12.3 KB`, `4.0 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const kilo = bytes / 1024;
  return kilo < 1024 ? `${kilo.toFixed(1)} KB` : `${(kilo / 1024).toFixed(1)} MB`;
}

const NOUNS: Readonly<Record<MediaKind, string>> = {
  image: 'Image',
  audio: 'Audio',
  video: 'Video',
  file: 'Document',
};

/** The placeholder in a request for a medium that cannot be sent. `why` ends the sentence. */
export function leftOut(media: Media, why: string): string {
  const name = media.name === undefined ? '' : ` ${media.name}`;
  const type = media.mimeType === '' ? 'unknown type' : media.mimeType;
  return `[${NOUNS[media.kind]}${name} (${type}, ${sizeInWords(bytesOfBase64(media.data))}) was left out: ${why}.]`;
}

const MODALITY_NOUNS: Readonly<Record<keyof Modalities, string>> = {
  images: 'images',
  audio: 'audio',
  video: 'video',
  pdf: 'PDF documents; read_file gives their text',
};

/** Why a model cannot receive a medium; null if it can, or if that is unknown. */
export function whyNot(media: Pick<Media, 'kind' | 'mimeType'>, modalities: Modalities): string | null {
  const modality = modalityFor(media);
  if (modality === null) return 'models do not support this type of document';
  return modalities[modality] === false
    ? `the current model does not support ${MODALITY_NOUNS[modality]}`
    : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
