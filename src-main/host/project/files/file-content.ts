import { randomUUID } from 'node:crypto';
import type { Project } from '../../../contract/app';
import { VectorDrawing } from '../../../contract/commands/diagrams';
import { MAX_DOCUMENT, MAX_WHOLE_TEXT } from '../../../contract/commands/files';
import { fileFailure } from '../../../contract/file-failure';
import type { ThreadId } from '../../../contract/ids';
import { checkPicture, PICTURE_HEADS, type PictureCheck } from '../../../contract/picture-size';
import { fail, ok, type Result } from '../../../contract/result';
import { checkPath, isFailure, type OpenFile, RootGuard } from '../../../harness/backends';
import type { DrawVectors } from '../../window/desktop-services';
import { documentText, type ShownDocument } from '../document-text';
import { fromMount } from '../mount-paths';
import type { Files } from './files';

/** Scheme for files that the renderer shows; the Electron frame serves it. */
const CONTENT_SCHEME = 'content';
/** Maximum number of valid addresses; the oldest goes first. */
const ADDRESSES = 500;

/** The bytes of a file, to be read in chunks. Close it. */
export interface OpenContent {
  size: number;
  mimeType: string;
  /** Returns fewer bytes at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface Address {
  url: string;
  mimeType: string;
  size: number;
  scale?: number | undefined;
}

interface Place {
  project: Project;
  threadId: ThreadId | null;
  path: string;
}

const VECTORS = 'image/svg+xml';

/** Types, by extension, that the renderer may show under an address. It gets all others only as bytes. */
const VIEWABLE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  apng: 'image/apng',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: VECTORS,
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  wav: 'audio/wav',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mkv: 'video/x-matroska',
};

/** Files as bytes: by ranges from the folder, from memory for other places. */
export class FileContent {
  private readonly places = new Map<string, Place>();

  constructor(
    private readonly files: Files,
    private readonly drawVectors: DrawVectors | undefined,
  ) {}

  /** Errors: those of reading; `too_large` for a file outside the folder that does not fit in one answer. */
  async open({ project, threadId, path }: Place): Promise<Result<OpenContent>> {
    const mimeType = shownType(path) ?? 'application/octet-stream';
    if (fromMount(project, path) === null) return this.fromMemory({ project, threadId, path }, mimeType);
    const at = checkPath(path.slice(project.mount.length) || '/');
    if (isFailure(at)) return fileFailure(path, at);
    const file = await new RootGuard(project.folder, true).openFile(at);
    return isFailure(file) ? fileFailure(path, file) : ok(opened(file, mimeType));
  }

  async bytes(place: Place, offset: number, length: number): Promise<Result<{ data: string; size: number }>> {
    const content = await this.open(place);
    if (!content.ok) return content;
    try {
      const bytes = await content.value.read(offset, length);
      return ok({ data: Buffer.from(bytes).toString('base64'), size: content.value.size });
    } finally {
      await content.value.close();
    }
  }

  /** An address for the file that does not reveal its path. Errors: those of `openShown`, `unsupported` types. */
  async address(place: Place): Promise<Result<Address>> {
    const mimeType = shownType(place.path);
    if (mimeType === null) return fail('unsupported', 'not_shown_as_media');
    const content = await this.openShown(place);
    if (!content.ok) return content;
    if (mimeType === VECTORS) return this.drawn(content.value);
    const { size } = content.value;
    await content.value.close();
    const token = randomUUID();
    this.places.set(token, place);
    for (const oldest of this.places.keys()) {
      if (this.places.size <= ADDRESSES) break;
      this.places.delete(oldest);
    }
    return ok({ url: `${CONTENT_SCHEME}://file/${token}`, mimeType, size });
  }

  /**
   * An SVG file could harm the renderer that paints it, so the renderer gets pixels. Errors: `too_large`, `timeout`,
   * `invalid`, `unsupported`.
   */
  private async drawn(content: OpenContent): Promise<Result<Address>> {
    try {
      const { size } = content;
      if (this.drawVectors === undefined) return fail('unsupported', 'pictures_in_window_only');
      if (size > MAX_WHOLE_TEXT) return fail('too_large', 'picture_over_10_mb');
      const bytes = await content.read(0, size);
      const drawn = await this.drawVectors(Buffer.from(bytes).toString('base64'));
      if (drawn === null) return fail('timeout', 'picture_too_slow');
      const drawing = VectorDrawing.safeParse(drawn);
      return drawing.success
        ? ok({ ...drawing.data, mimeType: 'image/png', size })
        : fail('invalid', 'picture_undrawable');
    } catch (error) {
      return fail('invalid', 'picture_undrawable', {}, String(error).slice(0, 1_000));
    } finally {
      await content.close();
    }
  }

  /** The current file behind an address; null if the address or the file no longer exists. */
  async of(token: string): Promise<OpenContent | null> {
    const place = this.places.get(token);
    if (place === undefined) return null;
    const content = await this.openShown(place);
    return content.ok ? content.value : null;
  }

  /**
   * Errors: those of opening; `too_large` and `unsupported` for an image that is not decoded. The check uses the same open
   * file that is read afterwards.
   */
  private async openShown(place: Place): Promise<Result<OpenContent>> {
    const content = await this.open(place);
    if (!content.ok) return content;
    const { mimeType } = content.value;
    if (!mimeType.startsWith('image/') || mimeType === VECTORS) return content;
    const check = await checkContent(content.value);
    if (check === 'fits') return content;
    await content.value.close();
    return check === 'unknown'
      ? fail('unsupported', 'picture_damaged')
      : fail('too_large', 'picture_too_large');
  }

  /** The whole text of a file. Errors: `binary`, `too_large`, those of reading. */
  async text({
    project,
    threadId,
    path,
  }: Place): Promise<Result<{ text: string; version: string; size: number }>> {
    const backend = await this.files.backend(project, threadId);
    // This version matches what is read below or is older. If it is older, saving reports that it is stale.
    const head = await backend.read(path, 0, 1);
    if (head.error !== undefined) return fileFailure(path, head);
    if (typeof head.content !== 'string') return fail('binary', 'not_text');
    if ((head.size ?? 0) > MAX_WHOLE_TEXT) return fail('too_large', 'text_over_10_mb');
    const raw = await backend.readRaw(path);
    if (raw.error !== undefined || raw.data === undefined)
      return fileFailure(path, { kind: raw.kind, error: raw.error ?? '' });
    const { content } = raw.data;
    const text = Array.isArray(content) ? content.join('\n') : content;
    if (typeof text !== 'string') return fail('binary', 'not_text');
    const plain = text.replace(/^\uFEFF/u, '').replaceAll('\r\n', '\n');
    return ok({ text: plain, version: head.version ?? '', size: head.size ?? Buffer.byteLength(text) });
  }

  /** The text of an office document. Errors: `too_large`, `invalid`, those of reading. */
  async document(place: Place, signal: AbortSignal): Promise<Result<ShownDocument>> {
    const content = await this.open(place);
    if (!content.ok) return content;
    const { size, read, close } = content.value;
    try {
      if (size > MAX_DOCUMENT) return fail('too_large', 'document_over_50_mb');
      const text = await documentText(await read(0, size), signal);
      return text === null ? fail('invalid', 'document_unreadable') : ok(text);
    } finally {
      await close();
    }
  }

  private async fromMemory(
    { project, threadId, path }: Place,
    mimeType: string,
  ): Promise<Result<OpenContent>> {
    const backend = await this.files.backend(project, threadId);
    const raw = await backend.readRaw(path);
    if (raw.error !== undefined || raw.data === undefined)
      return fileFailure(path, { kind: raw.kind, error: raw.error ?? '' });
    const { content } = raw.data;
    const bytes =
      content instanceof Uint8Array
        ? content
        : Buffer.from(Array.isArray(content) ? content.join('\n') : content, 'utf8');
    return ok({
      size: bytes.byteLength,
      mimeType,
      read: async (offset, length) => bytes.subarray(offset, offset + length),
      close: async () => undefined,
    });
  }
}

async function checkContent({ size, read }: OpenContent): Promise<PictureCheck> {
  for (const length of PICTURE_HEADS) {
    const check = checkPicture(await read(0, length), size <= length);
    if (check !== 'more') return check;
  }
  return 'too_large';
}

function shownType(path: string): string | null {
  const ending = /\.([a-z0-9]+)$/iu.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(VIEWABLE_TYPES, ending) ? (VIEWABLE_TYPES[ending] ?? null) : null;
}

function opened({ handle, stat }: OpenFile, mimeType: string): OpenContent {
  const size = Number(stat.size);
  return {
    size,
    mimeType,
    read: async (offset, length) => {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    close: () => handle.close(),
  };
}
