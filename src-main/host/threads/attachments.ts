import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeParts, replacePrivateFile } from '../../base/replace-file';
import type { Attachment } from '../../contract/attachments';
import type { ThreadId } from '../../contract/ids';
import { MAX_ATTACHED, MAX_ATTACHMENT } from '../../contract/limits';
import { checkPicture } from '../../contract/picture-size';
import { fail, ok, type Result } from '../../contract/result';
import { shownName } from '../../contract/shared/shown-name';
import { imageFacts } from '../../harness/agent/media/image';
import { sniff } from '../../harness/agent/media/sniff';
import { ATTACHMENTS } from '../project/mounts';

/** What Chromium decodes in an `img` without running anything. SVG is excluded because it could. */
export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Hexadecimal digits of the digest in a file's name. */
const DIGITS = 16;
const MAX_NAME_LENGTH = 120;

/** What people attach to messages: one folder per thread in the data folder, each file named by its digest and name. */
export class AttachmentStore {
  private readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'attachments');
  }

  /** The folder of a thread; it may not exist. */
  of(threadId: string): string {
    return join(this.folder, threadId);
  }

  /** Stores the content, which then survives a power failure, and describes it. Errors: `too_large`, `storage`. */
  async add(
    threadId: ThreadId,
    { bytes, name, origin }: { bytes: Buffer; name: string; origin: Attachment['origin'] },
  ): Promise<Result<Attachment>> {
    if (bytes.byteLength > MAX_ATTACHMENT)
      return fail('too_large', 'attachment_too_large', {
        name: shownName(name),
        megabytes: MAX_ATTACHMENT / 1024 ** 2,
      });
    const attachment = describe(bytes, cleanName(name), origin);
    const folder = this.of(threadId);
    try {
      if (bytes.byteLength + (await sizeOf(folder)) > MAX_ATTACHED)
        return fail('too_large', 'attachments_too_large', { megabytes: MAX_ATTACHED / 1024 ** 2 });
      await replacePrivateFile(join(folder, fileOf(attachment)), bytes);
      return ok(attachment);
    } catch (error) {
      return fail('storage', 'attachment_not_saved', {}, String(error));
    }
  }

  /** The path for the agent's tools. */
  pathOf(attachment: Pick<Attachment, 'id' | 'name'>): string {
    return `${ATTACHMENTS}/${fileOf(attachment)}`;
  }

  /** The content by its digest; null if it is missing or has changed. */
  async read(threadId: ThreadId, id: string): Promise<Buffer | null> {
    const folder = this.of(threadId);
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.startsWith(id.slice(0, DIGITS))) continue;
      const bytes = await readFile(join(folder, name)).catch(() => null);
      if (bytes !== null && createHash('sha256').update(bytes).digest('hex') === id) return bytes;
    }
    return null;
  }

  /** The content of a text. Errors: `not_found`. */
  async text(threadId: ThreadId, id: string): Promise<Result<{ text: string }>> {
    const bytes = await this.read(threadId, id);
    return bytes === null ? fail('not_found', 'attachment_gone') : ok({ text: bytes.toString('utf8') });
  }

  /** An image that the window can show, in base64. Errors: `not_found`, `too_large`, `unsupported`. */
  async picture(threadId: ThreadId, id: string): Promise<Result<{ mimeType: string; data: string }>> {
    const bytes = await this.read(threadId, id);
    if (bytes === null) return fail('not_found', 'attachment_gone');
    const mimeType = sniff(bytes)?.mimeType ?? '';
    const check = IMAGE_TYPES.includes(mimeType) ? checkPicture(bytes, true) : 'unknown';
    if (check === 'fits') return ok({ mimeType, data: bytes.toString('base64') });
    return check === 'too_large'
      ? fail('too_large', 'attached_picture_too_large')
      : fail('unsupported', 'attached_picture_damaged');
  }

  async remove(threadId: ThreadId, id: string): Promise<void> {
    const folder = this.of(threadId);
    for (const name of await readdir(folder).catch(() => [])) {
      if (name.startsWith(id.slice(0, DIGITS))) await rm(join(folder, name), { force: true });
    }
  }

  /** Removes the files of threads that no longer exist, and what kills left. */
  async sweep(isKept: (threadId: string) => boolean): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      if (isKept(name)) await removeParts(join(this.folder, name));
      else await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }
}

/** For the model, if a message has attachments but no text: providers refuse an empty block. */
export const NO_TEXT = '[The person sent no text with this.]';

/** For the model, instead of an attachment whose content is missing. */
export const missingNote = ({ name }: Pick<Attachment, 'name'>): string =>
  `[The person attached ${shownName(name)}, which is no longer kept.]`;

/** Detects the type by the bytes: the name is not trusted. */
function describe(bytes: Buffer, name: string, origin: Attachment['origin']): Attachment {
  const id = createHash('sha256').update(bytes).digest('hex');
  const path = `${ATTACHMENTS}/${fileOf({ id, name })}`;
  const common = { id, origin, name, path, bytes: bytes.byteLength };
  const found = sniff(bytes);
  if (found?.kind === 'image') {
    const facts = imageFacts(bytes, found.mimeType);
    return 'broken' in facts
      ? { ...common, kind: 'file', mimeType: found.mimeType }
      : { ...common, kind: 'image', mimeType: found.mimeType, ...facts };
  }
  if (found !== null)
    return { ...common, kind: found.kind === 'file' ? 'document' : found.kind, mimeType: found.mimeType };
  const text = textOf(bytes);
  if (text === null) return { ...common, kind: 'file', mimeType: 'application/octet-stream' };
  const lines = text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return { ...common, kind: 'text', mimeType: 'text/plain', length: text.length, lines };
}

/** Null if it is not text. */
function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8: the agent gets it as a file, and its tools know other encodings.
    return null;
  }
}

/** The last part of a path, on one line and shortened; the extension stays. */
function cleanName(name: string): string {
  const last = shownName(name.slice(name.search(/[^\\/]*$/u))).trim();
  const chars = [...last.replaceAll('\\', '_')];
  if (chars.length === 0 || last === '.' || last === '..') return 'attachment';
  if (chars.length <= MAX_NAME_LENGTH) return chars.join('');
  const ending = /\.[\p{L}\p{Nd}]{1,10}$/u.exec(last)?.[0] ?? '';
  return `${chars.slice(0, MAX_NAME_LENGTH - ending.length - 1).join('')}…${ending}`;
}

/** Its name on disk, safe on every system, whatever its display name. */
function fileOf({ id, name }: Pick<Attachment, 'id' | 'name'>): string {
  const safe = name.replaceAll(/[^\p{L}\p{Nd}._ -]/gu, '_').replace(/[. ]+$/u, '');
  // Most systems limit file names to 255 bytes, and a Chinese character takes three.
  const ending = /\.[A-Za-z0-9]{1,10}$/u.exec(safe)?.[0] ?? '';
  const stem = [...safe.slice(0, safe.length - ending.length)];
  while (Buffer.byteLength(stem.join('')) > 180) stem.pop();
  return `${id.slice(0, DIGITS)}-${stem.join('')}${ending}`;
}

async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  for (const name of await readdir(folder).catch(() => []))
    size += (await stat(join(folder, name)).catch(() => null))?.size ?? 0;
  return size;
}
