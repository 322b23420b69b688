import { join, resolve } from 'node:path';
import { amount, type Checks, checkOptions, flag, text } from '../../base/check-options';
import { foldName } from '../../base/names';
import { textOfPath } from '../../base/path-names';
import { optional } from '../../contract/shared/optional';
import { replaceFile, statMark, targetOf } from './disk/atomic-write';
import { DirectoryListings } from './disk/directory-listing';
import { withTwin } from './disk/file-twin';
import { type HeldDirectory, type OpenFile, RootGuard } from './disk/guard';
import { checkVersion, checkVersionToDelete, openHeld, removeTree } from './disk/held-files';
import { sweep } from './disk/temporaries';
import { enforceContract } from './enforce-contract';
import { existsFailure, type Failure, failure, isFailure, systemCode, systemFailure } from './failure';
import { withLock } from './locks';
import { type CheckedPath, checkPath, notRoot } from './paths';
import type {
  BackendProtocol,
  CallOptions,
  DeleteResult,
  EditResult,
  FileDownloadResponse,
  FileUploadResponse,
  GlobResult,
  GrepOptions,
  GrepResult,
  LsOptions,
  LsResult,
  ReadOptions,
  ReadRawResult,
  ReadResult,
  WriteOptions,
  WriteResult,
} from './protocol';
import { listFiles, searchFiles } from './search/file-search';
import { LineIndexes } from './search/line-index';
import { encodeLike, replaceBytes } from './text/byte-edit';
import { contentOf, mimeTypeFor } from './text/content';
import { isTextMime, mimeTypeOf, UNKNOWN_BINARY } from './text/mime';
import { versionOf } from './text/text';
import { encodingOf, readText, readUpTo, textOf, tooLarge, versionBy, WHOLE_LIMIT } from './text/text-file';
import { downloaded, uploadEach } from './transfer';

/** Options of `FilesystemBackend`. */
export interface FilesystemBackendOptions {
  /** Default: the working directory. */
  rootDir?: string;
  /** True (default): `/` is `rootDir` and nothing outside can be reached. False: paths are host paths. */
  virtualMode?: boolean;
  /**
   * Largest file that is handled as a whole: edited, written, sent as bytes. Text of any size is read by page. Default 10.
   */
  maxFileSizeMb?: number;
}

export const FOLDER_CHECKS: Checks<FilesystemBackendOptions> = {
  rootDir: text,
  virtualMode: flag,
  maxFileSizeMb: amount,
};

/**
 * Real files below a root.
 *
 * Links: reads follow links that stay inside the root, writes follow none. Listings show links and follow none. The content
 * of pipes, sockets and devices is never opened.
 *
 * `ls` shows hidden names (with a leading dot). `grep` and `glob` skip them, unless the glob names the dot or the path is
 * itself hidden. They also skip what the folder's ignore files name. Binary files have no matches.
 *
 * Files are replaced in one step. Encoding, byte order mark, line endings and mode are kept, even when a text overwrites
 * another. Text is UTF-8, UTF-16 (with a mark, or recognizable without) or Windows-1252. Everything else is binary. `grep`
 * searches UTF-8, UTF-16 with a mark, and the ASCII parts of other text, as ripgrep does.
 *
 * A write that is killed leaves a hidden file. `ls` does not show it, and the next write to its folder deletes it.
 */
export class FilesystemBackend implements BackendProtocol {
  /** Absolute path of the root. */
  protected readonly rootDir: string;
  private readonly virtualMode: boolean;
  private readonly maxBytes: number;
  private readonly guard: RootGuard;
  private readonly lines = new LineIndexes();
  private readonly listings = new DirectoryListings();

  /** Does not touch the disk. In virtual mode, calls return kind `folder_gone` while the folder is missing. */
  constructor(options: FilesystemBackendOptions = {}) {
    // A class of your own may have more options.
    if (new.target === FilesystemBackend) checkOptions('FilesystemBackend', options, FOLDER_CHECKS);
    this.rootDir = resolve(options.rootDir ?? process.cwd());
    this.virtualMode = options.virtualMode ?? true;
    this.maxBytes = (options.maxFileSizeMb ?? 10) * 1024 * 1024;
    this.guard = new RootGuard(this.rootDir, this.virtualMode);
  }

  /** The folder on this machine that `/` is. */
  get diskFolder(): string {
    return this.virtualMode ? this.rootDir : '/';
  }

  async ls(path: string, options: LsOptions = {}): Promise<LsResult> {
    const at = this.check(path);
    if (isFailure(at)) return at;
    const held = await this.guard.openDirectory(at);
    if (isFailure(held)) return held;
    try {
      options.signal?.throwIfAborted();
      return await this.listings.page(held, at.path, options);
    } catch (thrown) {
      options.signal?.throwIfAborted();
      return systemFailure(thrown, at.path);
    } finally {
      await held.close();
    }
  }

  async read(filePath: string, offset = 0, limit = 500, options: ReadOptions = {}): Promise<ReadResult> {
    return this.withFile<ReadResult>(filePath, options, async (file, at) => {
      const page = { ...options, offset, limit, maxBytes: this.maxBytes, indexes: this.lines };
      const found = await readText(file, at.path, page);
      if (!('binary' in found)) return found;
      const whole = found.binary ?? (await this.readWhole(file, at));
      if (isFailure(whole)) return whole;
      const named = mimeTypeOf(at.path);
      const mimeType = isTextMime(named) ? UNKNOWN_BINARY : named;
      const version = versionBy(file.stat, whole);
      // A plain byte array can cross process boundaries.
      return { content: new Uint8Array(whole), mimeType, size: whole.byteLength, version };
    });
  }

  async readRaw(filePath: string, options: CallOptions = {}): Promise<ReadRawResult> {
    return this.withFile(filePath, options, async (file, at) => {
      const whole = await this.readWhole(file, at);
      if (isFailure(whole)) return whole;
      const { birthtime, mtime } = file.stat;
      const content = textOf(at.path, whole) ?? new Uint8Array(whole);
      const mimeType = mimeTypeFor(at.path, content);
      return {
        data: { content, mimeType, created_at: birthtime.toISOString(), modified_at: mtime.toISOString() },
      };
    });
  }

  async grep(
    pattern: string,
    path: string | null = '/',
    glob: string | null = null,
    maxCount: number | null = null,
    options: GrepOptions = {},
  ): Promise<GrepResult> {
    const at = this.check(path ?? '/');
    if (isFailure(at)) return at;
    return searchFiles(this.guard, at, { ...options, pattern, glob, maxCount });
  }

  async glob(pattern: string, path = '/', options: CallOptions = {}): Promise<GlobResult> {
    const at = this.check(path);
    if (isFailure(at)) return at;
    return listFiles(this.guard, at, pattern, options);
  }

  async write(filePath: string, content: string, options: WriteOptions = {}): Promise<WriteResult> {
    const at = this.checkFile(filePath);
    if (isFailure(at)) return at;
    if (this.surelyTooLong(content)) return tooLarge(at.path, content.length, this.maxBytes);
    const done = await this.replace(at, contentOf(at.path, content), options);
    return isFailure(done) ? done : { path: at.path, filesUpdate: null, ...done };
  }

  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll = false,
    options: WriteOptions = {},
  ): Promise<EditResult> {
    const at = this.checkFile(filePath);
    if (isFailure(at)) return at;
    if (this.surelyTooLong(newString)) return tooLarge(at.path, newString.length, this.maxBytes);
    return this.change<EditResult>(at, false, options, async (parent, name, before) => {
      if (before === null) return failure('not_found', `Error: File '${at.path}' not found`);
      const file = await openHeld(parent, name, at.path);
      if (isFailure(file)) return file;
      let bytes: Buffer | Failure;
      try {
        bytes = await this.readWhole(file, at);
      } finally {
        await file.handle.close();
      }
      if (isFailure(bytes)) return bytes;
      const encoding = encodingOf(at.path, bytes);
      if (encoding === null)
        return failure('binary', `'${at.path}' is not text and cannot be edited as text.`);
      const edited = await replaceBytes(bytes, encoding, { oldString, newString, replaceAll });
      if (isFailure(edited)) return edited;
      const done = await this.put(parent, name, edited.pieces, { ...options, before: file.stat, at });
      if (isFailure(done)) return done;
      return { path: at.path, filesUpdate: null, occurrences: edited.occurrences, ...done };
    });
  }

  async delete(filePath: string, options: WriteOptions = {}): Promise<DeleteResult> {
    const at = this.checkFile(filePath);
    if (isFailure(at)) return at;
    return this.locked(at, async () => {
      const parent = await this.guard.holdParent(at, false);
      if (isFailure(parent))
        return parent.kind === 'not_found' ? failure('not_found', `Error: '${at.path}' not found`) : parent;
      try {
        const changed = await checkVersionToDelete(this.guard, at, options.expectedVersion);
        if (changed !== null) return changed;
        await removeTree(parent, at.segments.at(-1) ?? '', options.signal);
        return { path: at.path, filesUpdate: null };
      } catch (thrown) {
        options.signal?.throwIfAborted();
        return systemCode(thrown) === 'ENOENT'
          ? failure('not_found', `Error: '${at.path}' not found`)
          : systemFailure(thrown, at.path);
      } finally {
        await parent.close();
      }
    });
  }

  async uploadFiles(
    files: [path: string, content: Uint8Array][],
    options: WriteOptions = {},
  ): Promise<FileUploadResponse[]> {
    return uploadEach(files, options.signal, async (path, content) => {
      const at = this.checkFile(path);
      return isFailure(at) ? at : this.replace(at, content, options);
    });
  }

  async downloadFiles(paths: string[], { signal }: CallOptions = {}): Promise<FileDownloadResponse[]> {
    const answers: FileDownloadResponse[] = [];
    const options = optional({ signal });
    for (const path of paths)
      answers.push(
        downloaded(path, await this.withFile(path, options, (file, at) => this.readWhole(file, at))),
      );
    return answers;
  }

  /** See the protocol. A path that leads out of the root, or nowhere, becomes one below `/..`, which is no path here. */
  async realPath(filePath: string): Promise<string> {
    const at = this.check(filePath);
    return isFailure(at) ? filePath : this.guard.realPath(at);
  }

  private check(path: unknown): CheckedPath | Failure {
    if (!this.virtualMode && typeof path === 'string' && path.trim() !== '' && !/^[/~\\]/.test(path))
      return checkPath(join(textOfPath(this.rootDir), path));
    return checkPath(path);
  }

  private checkFile(path: unknown): CheckedPath | Failure {
    return notRoot(this.check(path));
  }

  private async withFile<T>(
    path: string,
    options: CallOptions,
    use: (file: OpenFile, at: CheckedPath) => Promise<T>,
  ): Promise<T | Failure> {
    options.signal?.throwIfAborted();
    const at = this.checkFile(path);
    if (isFailure(at)) return at;
    const file = await this.guard.openFile(at);
    if (isFailure(file)) return file.kind === 'not_found' ? withTwin(this.guard, file, at) : file;
    try {
      return await use(file, at);
    } catch (thrown) {
      options.signal?.throwIfAborted();
      return systemFailure(thrown, at.path);
    } finally {
      await file.handle.closeNow();
    }
  }

  /** No encoding takes less than three quarters of a byte per character (base64), so the rest need not be checked. */
  private surelyTooLong(content: string): boolean {
    return content.length * 0.74 > this.maxBytes;
  }

  private async readWhole(file: OpenFile, at: CheckedPath): Promise<Buffer | Failure> {
    const size = Number(file.stat.size);
    return size > this.maxBytes ? tooLarge(at.path, size, this.maxBytes) : readUpTo(file.handle, size);
  }

  /**
   * Text keeps the encoding, byte order mark and line endings of the text that it replaces. Bytes are written as they are.
   */
  private async replace(
    at: CheckedPath,
    content: string | Uint8Array,
    options: WriteOptions,
  ): Promise<{ version?: string } | Failure> {
    return this.change(at, true, options, async (parent, name, before) => {
      if (before !== null && options.createOnly) return existsFailure(at.path);
      const bytes =
        typeof content === 'string' ? await this.inForm(parent, name, before, at, content) : content;
      return isFailure(bytes) ? bytes : this.put(parent, name, [bytes], { ...options, before, at });
    });
  }

  private async inForm(
    parent: HeldDirectory,
    name: string,
    before: OpenFile['stat'] | null,
    at: CheckedPath,
    text: string,
  ): Promise<Buffer | Failure> {
    const nothing = Buffer.alloc(0);
    if (before === null || before.size > this.maxBytes) return encodeLike(text, nothing, 'utf-8');
    const file = await openHeld(parent, name, at.path);
    // A file that can be written but not read has an unknown encoding.
    if (isFailure(file)) return file.kind === 'denied' ? encodeLike(text, nothing, 'utf-8') : file;
    try {
      const old = await readUpTo(file.handle, Number(file.stat.size));
      const encoding = encodingOf(at.path, old);
      return encodeLike(text, encoding === null ? nothing : old, encoding ?? 'utf-8');
    } finally {
      await file.handle.close();
    }
  }

  /** The version is missing only if somebody else replaced the file right after. */
  private async put(
    parent: HeldDirectory,
    name: string,
    pieces: readonly Uint8Array[],
    options: WriteOptions & { before: OpenFile['stat'] | null; at: CheckedPath },
  ): Promise<{ version?: string } | Failure> {
    const { before, at, createOnly = false, signal } = options;
    const size = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    if (size > this.maxBytes) return tooLarge(at.path, size, this.maxBytes);
    const replaced = replaceFile(parent, name, pieces, { path: at.path, before, createOnly, signal });
    // Computed while the disk works.
    const version = size <= WHOLE_LIMIT ? versionOf(pieces) : null;
    const failed = await replaced;
    if (failed !== null) return failed;
    if (version !== null) return { version };
    const now = targetOf(parent, name, at.path);
    return isFailure(now) || now.stat === null || Number(now.stat.size) !== size
      ? {}
      : { version: statMark(now.stat) };
  }

  /** Makes one change to one file: waits its turn, holds the folder, checks what is there, compares the version. */
  private async change<T>(
    at: CheckedPath,
    create: boolean,
    options: WriteOptions,
    make: (parent: HeldDirectory, name: string, before: OpenFile['stat'] | null) => Promise<T | Failure>,
  ): Promise<T | Failure> {
    return this.locked(at, async () => {
      options.signal?.throwIfAborted();
      const parent = await this.guard.holdParent(at, create && options.expectedVersion === undefined);
      if (isFailure(parent))
        return parent.kind === 'not_found'
          ? failure('not_found', `Error: File '${at.path}' not found`)
          : parent;
      try {
        const name = at.segments.at(-1) ?? '';
        const target = targetOf(parent, name, at.path);
        if (isFailure(target)) return target;
        await sweep(parent);
        const unexpected = await checkVersion(parent, name, target.stat, at.path, options.expectedVersion);
        return unexpected ?? (await make(parent, name, target.stat));
      } catch (thrown) {
        options.signal?.throwIfAborted();
        return systemFailure(thrown, at.path);
      } finally {
        await parent.close();
      }
    });
  }

  private async locked<T>(at: CheckedPath, work: () => Promise<T | Failure>): Promise<T | Failure> {
    const root = await this.guard.realRoot();
    return typeof root === 'string' ? withLock(lockOf(join(root, ...at.segments)), work) : root;
  }
}

/** Names that a disk may treat as the same share a lock. Linux also has case-insensitive disks. */
const lockOf = (path: string): string => foldName(path);

enforceContract(FilesystemBackend.prototype);
