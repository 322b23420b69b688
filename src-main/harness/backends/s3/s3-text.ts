import type { Failure } from '../failure';
import type { CheckedPath } from '../paths';
import type { FileDataV2, WriteOptions } from '../protocol';
import type { TextFile } from '../search/text-search';
import { encodeLike } from '../text/byte-edit';
import { dataFromBytes, mimeTypeFor } from '../text/content';
import { encodingOf, textOf } from '../text/text-file';
import type { Entry } from '../virtual-tree';
import type { S3Keys } from './s3-keys';
import type { ObjectFacts, S3Objects } from './s3-objects';

/** Maximum bytes of an object that is read whole. Pages of larger text are read in ranges. */
export const WHOLE = 1024 * 1024;
/** Larger texts, in bytes, are replaced by UTF-8 whatever they were. */
const MAX_FORMED = 10 * 1024 * 1024;

/** An object's text, or its bytes if it is none. */
export function dataOf(
  { path }: CheckedPath,
  { bytes, created_at, modified_at }: ObjectFacts & { bytes: Uint8Array },
): FileDataV2 {
  const content = textOf(path, bytes) ?? bytes;
  return { content, mimeType: mimeTypeFor(path, content), created_at, modified_at };
}

/** The bytes of a text, with the encoding, byte order mark and line endings of the text that it replaces. */
export async function inForm(
  objects: S3Objects,
  keys: S3Keys,
  { at, text, options }: { at: CheckedPath; text: string; options: WriteOptions },
): Promise<Uint8Array | Failure> {
  const key = keys.of(at);
  let before = options.createOnly ? null : await objects.get(key, WHOLE, options.signal);
  if (before !== null && before.bytes.length < before.size)
    before = before.size > MAX_FORMED ? null : await objects.get(key, null, options.signal);
  const bytes = Buffer.from(before?.bytes ?? []);
  const encoding = encodingOf(at.path, bytes);
  return encodeLike(text, encoding === null ? Buffer.alloc(0) : bytes, encoding ?? 'utf-8');
}

/** The texts among these files. */
export async function textsOf(
  objects: S3Objects,
  keys: S3Keys,
  entries: Entry[],
  signal: AbortSignal | undefined,
): Promise<TextFile[]> {
  const got = await Promise.all(entries.map((entry) => objects.get(keys.at(entry.path), null, signal)));
  return got.flatMap((object, index) => {
    const path = entries[index]?.path ?? '';
    const content = object === null ? null : dataFromBytes(path, object.bytes, '', '').content;
    return typeof content === 'string' ? [{ path, text: content }] : [];
  });
}
