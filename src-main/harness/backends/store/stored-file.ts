import { wholeCharacters } from '../../../base/whole-characters';
import type { FileDataV2, WriteOptions } from '../protocol';
import { contentOfType } from '../text/content';
import { mimeTypeOf } from '../text/mime';

/** Content that every store can keep. JSON can hold more than Postgres: NUL, and halves of characters. */
export function storable(content: string | Uint8Array): string | Uint8Array {
  if (typeof content !== 'string') return content;
  // A text with a NUL counts as binary on a disk too.
  if (content.includes('\0')) return new Uint8Array(Buffer.from(content));
  return wholeCharacters(content);
}

/**
 * A file in a store's format: bytes are base64 if the store keeps JSON (`keepsBytes` false). `v1`: lines, for older
 * programs.
 */
export function toValue(
  data: FileDataV2,
  {
    author,
    keepsBytes = false,
    v1 = false,
  }: { author?: WriteOptions['author'] | undefined; keepsBytes?: boolean; v1?: boolean },
): Record<string, unknown> {
  const { content, ...rest } = data;
  if (v1 && typeof content === 'string') {
    const { created_at, modified_at } = rest;
    return { content: content.split('\n'), created_at, modified_at };
  }
  return {
    ...rest,
    ...(typeof content === 'string' || keepsBytes
      ? { content }
      : { content: Buffer.from(content).toString('base64'), encoding: 'base64' }),
    ...(author === undefined ? {} : { written_by: { by: 'agent', ...author } }),
  };
}

/** Reads a file from a store's value, in any format ever written. Null if it is not a file. */
export function fromValue(path: string, value: Record<string, unknown>): FileDataV2 | null {
  const content = contentFrom(value);
  if (content === null) return null;
  const created_at = textOr(value.created_at, '');
  const mimeType = textOr(value.mimeType, mimeTypeOf(path));
  return {
    content: typeof content === 'string' ? contentOfType(mimeType, content) : content,
    mimeType,
    created_at,
    modified_at: textOr(value.modified_at, created_at),
  };
}

function contentFrom({ content, encoding }: Record<string, unknown>): string | Uint8Array | null {
  if (typeof content === 'string')
    return encoding === 'base64' ? new Uint8Array(Buffer.from(content, 'base64')) : content;
  if (Array.isArray(content))
    return content.every((line) => typeof line === 'string') ? content.join('\n') : null;
  return isBytes(content) ? Uint8Array.from(Object.values(content)) : null;
}

const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);

/** Bytes, or an object of numbers, which JSON makes of them. */
const isBytes = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((byte) => typeof byte === 'number' && byte >= 0 && byte < 256);
