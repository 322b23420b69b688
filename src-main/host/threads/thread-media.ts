import { createHash } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeParts, replacePrivateFile } from '../../base/replace-file';
import type { CallMedia } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import { checkPicture } from '../../contract/picture-size';
import { fail, ok, type Result } from '../../contract/result';
import { bytesOfBase64, type Media } from '../../contract/shared/media';
import { optional } from '../../contract/shared/optional';
import { imageFacts } from '../../harness/agent/media/image';
import { sniff } from '../../harness/agent/media/sniff';
import { IMAGE_TYPES } from './attachments';

const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Images in tool results for the window: one file per thread and content, in the data folder. The model's copies are in the
 * thread's state; these are for the person only.
 */
export class ThreadMedia {
  private readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'media');
  }

  /** Stores the images in a result and describes all its media. Media that cannot be stored have no id. */
  keep(threadId: ThreadId, media: readonly Media[]): Promise<CallMedia[]> {
    return Promise.all(
      media.map(async (one) => {
        const { kind, mimeType, name } = one;
        const described: CallMedia = {
          id: null,
          kind,
          mimeType,
          bytes: bytesOfBase64(one.data),
          ...optional({ name }),
        };
        if (kind !== 'image') return described;
        if (described.bytes > MAX_BYTES) return { ...described, refused: 'too_large' };
        const bytes = Buffer.from(one.data, 'base64');
        // Detected by the bytes: the result's own type is not trusted.
        const type = sniff(bytes)?.mimeType ?? '';
        if (!IMAGE_TYPES.includes(type)) return described;
        const check = checkPicture(bytes, true);
        if (check !== 'fits')
          return check === 'too_large' ? { ...described, refused: 'too_large' } : described;
        const facts = imageFacts(bytes, type);
        if ('broken' in facts) return described;
        const id = createHash('sha256').update(bytes).digest('hex');
        const kept = await this.put(threadId, id, bytes);
        return { ...described, mimeType: type, ...facts, id: kept ? id : null };
      }),
    );
  }

  /** One image, in base64. Errors: `not_found`, `too_large`. */
  async read(threadId: ThreadId, id: string): Promise<Result<{ mimeType: string; data: string }>> {
    const bytes = (await this.load(threadId, id)) ?? (await this.fromOrigin(threadId, id));
    const mimeType = bytes === null ? '' : (sniff(bytes)?.mimeType ?? '');
    const check = bytes === null || !IMAGE_TYPES.includes(mimeType) ? 'unknown' : checkPicture(bytes, true);
    if (bytes !== null && check === 'fits') return ok({ mimeType, data: bytes.toString('base64') });
    return check === 'too_large'
      ? fail('too_large', 'call_picture_too_large')
      : fail('not_found', 'picture_gone');
  }

  /** Removes the files of threads that no longer exist, and what kills left. */
  async sweep(isKept: (threadId: string) => boolean): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      if (isKept(name)) await removeParts(join(this.folder, name));
      else await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }

  private async put(threadId: ThreadId, id: string, bytes: Buffer): Promise<boolean> {
    try {
      await replacePrivateFile(join(this.folder, threadId, id), bytes);
      return true;
    } catch {
      // A full disk must not end the turn: the person sees the name instead.
      return false;
    }
  }

  private async load(threadId: string, id: string): Promise<Buffer | null> {
    const bytes = await readFile(join(this.folder, threadId, id)).catch(() => null);
    return bytes !== null && createHash('sha256').update(bytes).digest('hex') === id ? bytes : null;
  }

  /** A forked thread shows the images of its origin and stores those it has shown. */
  private async fromOrigin(threadId: ThreadId, id: string): Promise<Buffer | null> {
    for (const other of await readdir(this.folder).catch(() => [])) {
      const bytes = await this.load(other, id);
      if (bytes === null) continue;
      const own = join(this.folder, threadId);
      await mkdir(own, { recursive: true, mode: 0o700 });
      await link(join(this.folder, other, id), join(own, id)).catch(() => undefined);
      return bytes;
    }
    return null;
  }
}
