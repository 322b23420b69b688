import type { FileData, FileDataV2, ReadResult } from '../protocol';
import { isTextMime, mimeTypeOf, UNKNOWN_BINARY } from './mime';
import { decodeText, pageOf, textLike, versionOf } from './text';

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The file content that a string stands for: base64 or a data URL for images and the like, else the text, with the line
 * endings and the byte order mark of the text `before`, which pages of it do not show.
 */
export function contentOf(path: string, content: string, before?: string | Uint8Array): string | Uint8Array {
  const given = contentOfType(mimeTypeOf(path), content);
  return typeof given === 'string' && typeof before === 'string' ? textLike(given, before) : given;
}

/** The same for a known MIME type. Programs may put an image into a state or store as base64. */
export function contentOfType(mimeType: string, content: string): string | Uint8Array {
  if (isTextMime(mimeType)) return content;
  const encoded = (/^data:[^,]*;base64,(.*)$/s.exec(content)?.[1] ?? content).replace(/\s/g, '');
  return encoded.length % 4 === 0 && BASE64.test(encoded)
    ? new Uint8Array(Buffer.from(encoded, 'base64'))
    : content;
}

export const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content, 'utf8') : content;

export function sizeOf(content: string | Uint8Array): number {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
}

/** The MIME type of content with a given name. Bytes that the name does not explain have an unknown type. */
export function mimeTypeFor(path: string, content: string | Uint8Array): string {
  const named = mimeTypeOf(path);
  return typeof content === 'string' || !isTextMime(named) ? named : UNKNOWN_BINARY;
}

/** Bytes from outside: text if they are UTF-8 and the name does not say otherwise. */
export function dataFromBytes(
  path: string,
  bytes: Uint8Array,
  createdAt: string,
  modifiedAt: string,
): FileDataV2 {
  const content = (isTextMime(mimeTypeOf(path)) ? decodeText(bytes) : null) ?? bytes;
  return { content, mimeType: mimeTypeFor(path, content), created_at: createdAt, modified_at: modifiedAt };
}

/**
 * The newer version of stored data: lines joined, and bytes restored if a JSON store turned them into an object of numbers.
 */
export function asV2(path: string, data: FileData): FileDataV2 {
  if (Array.isArray(data.content)) {
    const { created_at, modified_at } = data;
    const mimeType = mimeTypeOf(path);
    return { content: contentOfType(mimeType, data.content.join('\n')), mimeType, created_at, modified_at };
  }
  const mimeType = 'mimeType' in data ? data.mimeType : mimeTypeOf(path);
  const { content, created_at, modified_at } = data;
  if (typeof content === 'string')
    return { content: contentOfType(mimeType, content), mimeType, created_at, modified_at };
  if (content instanceof Uint8Array) return { content, mimeType, created_at, modified_at };
  const numbers = Object.values(content as Record<string, number>);
  return { content: Uint8Array.from(numbers), mimeType, created_at, modified_at };
}

/** One page of a file in memory. Bytes are returned whole. */
export function readData(data: FileDataV2, offset: number, limit: number): ReadResult {
  const { content, mimeType } = data;
  const [size, version] = [sizeOf(content), versionOf(content)];
  if (typeof content !== 'string') return { content, mimeType, size, version };
  if (!isTextMime(mimeType)) return { content: bytesOf(content), mimeType, size, version };
  const page = pageOf(content, offset, limit);
  if ('error' in page) return page;
  // Spelled out: spreading two objects takes longer than everything else here.
  const read: ReadResult = { content: page.content, totalLines: page.totalLines, mimeType, size, version };
  if (page.nextOffset !== undefined) read.nextOffset = page.nextOffset;
  if (page.startLine !== undefined) read.startLine = page.startLine;
  if (page.endLine !== undefined) read.endLine = page.endLine;
  return read;
}

/** All bytes of a file that is not text. */
export function binaryRead(path: string, bytes: Uint8Array): ReadResult {
  // A plain byte array can cross process boundaries.
  const content = new Uint8Array(bytes);
  return { content, mimeType: mimeTypeFor(path, content), size: content.length, version: versionOf(content) };
}
