import { constants } from 'node:fs';
import { lstat, open, readdir, rmdir, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { replaceFile, statMark, targetOf } from './atomic-write';
import { bytesOf, contentOf, dataFromBytes } from './content';
import {
  existsFailure,
  type Failure,
  failure,
  isFailure,
  staleFailure,
  systemCode,
  systemFailure,
} from './failure';
import { listFiles, searchFiles } from './file-search';
import { type HeldDirectory, type OpenFile, RootGuard } from './guard';
import { LineIndexes } from './line-index';
import { withLock } from './locks';
import { isTextMime, mimeTypeOf, UNKNOWN_BINARY } from './mime';
import { readLines } from './page-reader';
import { asDirectory, byCodeUnit, type CheckedPath, checkPath } from './paths';
import type {
  BackendProtocol,
  CallOptions,
  DeleteResult,
  EditResult,
  FileDownloadResponse,
  FileInfo,
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
import { decodeText, looksBinary, replaceText, SNIFF_BYTES, versionOf } from './text';
import { transferError } from './transfer';

export interface FilesystemBackendOptions {
  /** Default: the working directory. */
  rootDir?: string;
  /** True (default): `/` is `rootDir` and nothing outside can be reached. False: paths are those of the host. */
  virtualMode?: boolean;
  /** Largest file that is taken whole: edited, written, sent as bytes. Text is read by page at any size. Default 10. */
  maxFileSizeMb?: number;
}

/** Entries of a listing when the caller does not say. */
const LS_LIMIT = 10_000;
/** Bytes up to which a file's version is the hash of its content; beyond, a mark from its inode, size and times. */
const HASH_LIMIT = 1024 * 1024;
/** `lstat` calls under way at once; the file system has four threads. */
const STAT_BATCH = 64;
/** Names of a directory that are compared to find a name that looks like a missing one. */
const TWIN_SEARCH = 5_000;

const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Real files below a root.
 *
 * Links: reading passes those that stay inside the root, writing none; listings show them and follow none. Pipes,
 * sockets and devices are never opened for their content.
 * Hidden names (with a leading dot) are in `ls`; `grep` and `glob` skip them, unless the glob names the dot or the path
 * is itself hidden. `grep` and `glob` also skip what the folder's ignore files name. Binary files have no matches.
 * Files are replaced in one step; line ends, byte order mark and mode stay. Encodings other than UTF-8 are binary.
 */
export class FilesystemBackend implements BackendProtocol {
  protected readonly rootDir: string;
  private readonly virtualMode: boolean;
  private readonly maxBytes: number;
  private readonly guard: RootGuard;
  private readonly lines = new LineIndexes();

  constructor(options: FilesystemBackendOptions = {}) {
    this.rootDir = resolve(options.rootDir ?? process.cwd());
    this.virtualMode = options.virtualMode ?? true;
    this.maxBytes = (options.maxFileSizeMb ?? 10) * 1024 * 1024;
    this.guard = new RootGuard(this.rootDir, this.virtualMode);
  }

  async ls(path: string, options: LsOptions = {}): Promise<LsResult> {
    const at = this.check(path);
    if (isFailure(at)) return at;
    const held = await this.guard.openDirectory(at);
    if (isFailure(held)) return held;
    try {
      options.signal?.throwIfAborted();
      const entries = await readdir(held.path, { withFileTypes: true });
      entries.sort((a, b) => byCodeUnit(a.name, b.name));
      const from = Math.max(0, options.offset ?? 0);
      const to = Math.min(entries.length, from + Math.max(0, options.limit ?? LS_LIMIT));
      const files: FileInfo[] = [];
      for (let start = from; start < to; start += STAT_BATCH) {
        options.signal?.throwIfAborted();
        const batch = entries.slice(start, Math.min(to, start + STAT_BATCH));
        files.push(...(await Promise.all(batch.map((entry) => describe(held, entry.name, at.path)))).flat());
      }
      const page: LsResult = { files, total: entries.length };
      return to < entries.length ? { ...page, truncated: true, nextOffset: to } : page;
    } catch (thrown) {
      options.signal?.throwIfAborted();
      return systemFailure(thrown, at.path);
    } finally {
      await held.close();
    }
  }

  async read(filePath: string, offset = 0, limit = 500, options: ReadOptions = {}): Promise<ReadResult> {
    return this.withFile(filePath, options, async (file, at) => {
      const size = Number(file.stat.size);
      const named = mimeTypeOf(at.path);
      const head = await readUpTo(file, Math.min(size, SNIFF_BYTES));
      if (!isTextMime(named) || looksBinary(head)) {
        const whole = await this.readWhole(file, at);
        if (isFailure(whole)) return whole;
        const mimeType = isTextMime(named) ? UNKNOWN_BINARY : named;
        return { content: whole, mimeType, size: whole.byteLength, version: versionOf(whole) };
      }
      const { column, signal } = options;
      const index = this.lines.of(file.stat);
      const page = await readLines(file.handle, { offset, limit, column, index, size, signal });
      // What was noted of a file that somebody was writing to may be of neither state.
      if (statMark(await file.handle.stat({ bigint: true })) !== statMark(file.stat))
        this.lines.forget(file.stat);
      if (isFailure(page)) return page;
      return { ...page, mimeType: named, size, version: await versionOfFile(file) };
    });
  }

  async readRaw(filePath: string, options: CallOptions = {}): Promise<ReadRawResult> {
    return this.withFile(filePath, options, async (file, at) => {
      const whole = await this.readWhole(file, at);
      if (isFailure(whole)) return whole;
      const { birthtime, mtime } = file.stat;
      return { data: dataFromBytes(at.path, whole, birthtime.toISOString(), mtime.toISOString()) };
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
    const done = await this.replace(at, bytesOf(contentOf(at.path, content)), options);
    return done ?? { path: at.path, filesUpdate: null };
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
    return this.change<EditResult>(at, false, options, async (parent, name, before) => {
      if (before === null) return failure('not_found', `Error: File '${at.path}' not found`);
      const file = await openHeld(parent, name, at.path);
      if (isFailure(file)) return file;
      let bytes: Uint8Array | Failure;
      try {
        bytes = await this.readWhole(file, at);
      } finally {
        await file.handle.close();
      }
      if (isFailure(bytes)) return bytes;
      const text = decodeText(bytes);
      if (text === null)
        return failure('binary', `'${at.path}' is not UTF-8 text and cannot be edited as text.`);
      const edited = replaceText(text, oldString, newString, replaceAll);
      if (isFailure(edited)) return edited;
      const failed = await this.put(parent, name, Buffer.from(edited.text), {
        ...options,
        before: file.stat,
        at,
      });
      return failed ?? { path: at.path, filesUpdate: null, occurrences: edited.occurrences };
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

  async uploadFiles(files: [path: string, content: Uint8Array][]): Promise<FileUploadResponse[]> {
    const answers: FileUploadResponse[] = [];
    for (const [path, content] of files) {
      const at = this.checkFile(path);
      const failed = isFailure(at) ? at : await this.replace(at, content, {});
      answers.push({ path, error: failed === null ? null : transferError(failed) });
    }
    return answers;
  }

  async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    const answers: FileDownloadResponse[] = [];
    for (const path of paths) {
      const got = await this.withFile<{ bytes: Uint8Array } | Failure>(path, {}, async (file, at) => {
        const bytes = await this.readWhole(file, at);
        return isFailure(bytes) ? bytes : { bytes };
      });
      answers.push(
        isFailure(got)
          ? { path, content: null, error: transferError(got) }
          : { path, content: got.bytes, error: null },
      );
    }
    return answers;
  }

  private check(path: unknown): CheckedPath | Failure {
    if (!this.virtualMode && typeof path === 'string' && path.trim() !== '' && !/^[/~\\]/.test(path))
      return checkPath(join(this.rootDir, path));
    return checkPath(path);
  }

  /** The root is a directory: it can be listed and searched, nothing else. */
  private checkFile(path: unknown): CheckedPath | Failure {
    const at = this.check(path);
    if (!isFailure(at) && at.segments.length === 0)
      return failure('invalid', "'/' is the root directory. Name a file in it.");
    return at;
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
    if (isFailure(file)) return file.kind === 'not_found' ? this.withTwin(file, at) : file;
    try {
      return await use(file, at);
    } catch (thrown) {
      options.signal?.throwIfAborted();
      return systemFailure(thrown, at.path);
    } finally {
      await file.handle.close();
    }
  }

  /** Names a file that differs from a missing one only in case or in how accents are written. */
  private async withTwin(missing: Failure, at: CheckedPath): Promise<Failure> {
    const fold = (name: string) => name.normalize('NFC').toLowerCase();
    const wanted = at.segments.at(-1) ?? '';
    const folder = `/${at.segments.slice(0, -1).join('/')}`;
    const held = await this.guard.openDirectory({ path: folder, segments: at.segments.slice(0, -1) });
    if (isFailure(held)) return missing;
    try {
      const names = await readdir(held.path);
      const twin = names.slice(0, TWIN_SEARCH).find((name) => name !== wanted && fold(name) === fold(wanted));
      if (twin === undefined) return missing;
      return failure(
        'not_found',
        `${missing.error}. There is '${asDirectory(folder)}${twin}', whose name is written differently.`,
      );
    } catch (thrown) {
      if (systemCode(thrown) === '') throw thrown;
      return missing;
    } finally {
      await held.close();
    }
  }

  private async readWhole(file: OpenFile, at: CheckedPath): Promise<Uint8Array | Failure> {
    const size = Number(file.stat.size);
    if (size > this.maxBytes) return this.tooLarge(at.path, size);
    // A plain array of bytes, not a view of Node's pool: it crosses process borders.
    return new Uint8Array(await readUpTo(file, size));
  }

  private tooLarge(path: string, size: number): Failure {
    const mb = (bytes: number) => Math.ceil(bytes / (1024 * 1024));
    return failure(
      'too_large',
      `'${path}' is too large to be handled whole (${mb(size)} MB, at most ${mb(this.maxBytes)} MB).`,
    );
  }

  private async replace(at: CheckedPath, bytes: Uint8Array, options: WriteOptions): Promise<Failure | null> {
    const done = await this.change<Failure | { done: true }>(
      at,
      true,
      options,
      async (parent, name, before) => {
        if (before !== null && options.createOnly) return existsFailure(at.path);
        return (await this.put(parent, name, bytes, { ...options, before, at })) ?? { done: true };
      },
    );
    return isFailure(done) ? done : null;
  }

  private async put(
    parent: HeldDirectory,
    name: string,
    bytes: Uint8Array,
    options: WriteOptions & { before: OpenFile['stat'] | null; at: CheckedPath },
  ): Promise<Failure | null> {
    const { before, at, createOnly = false, signal } = options;
    if (bytes.byteLength > this.maxBytes) return this.tooLarge(at.path, bytes.byteLength);
    return replaceFile(parent, name, bytes, { path: at.path, before, createOnly, signal });
  }

  /** One change of one file: in turn, its folder held, what is there looked at, its version compared. */
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
        const target = await targetOf(parent, name, at.path);
        if (isFailure(target)) return target;
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
    return typeof root === 'string' ? withLock(join(root, ...at.segments), work) : root;
  }
}

/** Nothing for an entry that was deleted while the directory was listed. */
async function describe(held: HeldDirectory, name: string, folder: string): Promise<FileInfo[]> {
  try {
    const stat = await lstat(held.child(name));
    const path = asDirectory(folder) + name;
    const modified_at = stat.mtime.toISOString();
    return stat.isDirectory()
      ? [{ path: `${path}/`, is_dir: true, size: 0, modified_at }]
      : [{ path, is_dir: false, size: stat.size, modified_at }];
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return [];
    throw thrown;
  }
}

/** Opens a name in a held folder for reading, again looked at after opening. */
async function openHeld(parent: HeldDirectory, name: string, path: string): Promise<OpenFile | Failure> {
  const handle = await open(parent.child(name), READ);
  const stat = await handle.stat({ bigint: true });
  if (stat.isFile()) return { handle, stat };
  await handle.close();
  return failure('special', `'${path}' is not a regular file.`);
}

async function readUpTo(file: OpenFile, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.handle.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

async function versionOfFile(file: OpenFile): Promise<string> {
  const size = Number(file.stat.size);
  return size <= HASH_LIMIT ? versionOf(await readUpTo(file, size)) : statMark(file.stat);
}

async function checkVersion(
  parent: HeldDirectory,
  name: string,
  stat: OpenFile['stat'] | null,
  path: string,
  expected: string | undefined,
): Promise<Failure | null> {
  if (expected === undefined) return null;
  if (stat === null) return failure('not_found', `Error: File '${path}' not found`);
  // Small files and files sent as bytes are marked by hash, others by their stat; either form is recognised.
  if (expected.includes('-')) return statMark(stat) === expected ? null : staleFailure(path);
  const file = await openHeld(parent, name, path);
  if (isFailure(file)) return file;
  try {
    const now = versionOf(await readUpTo(file, Number(stat.size)));
    return now === expected ? null : staleFailure(path);
  } finally {
    await file.handle.close();
  }
}

/** Deletes a file, a link (never what it leads to) or a folder with all below, each folder held while it is emptied. */
async function removeTree(
  parent: HeldDirectory,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const path = parent.child(name);
  if (!(await lstat(path)).isDirectory()) return unlink(path);
  const handle = await open(path, READ | (constants.O_DIRECTORY ?? 0));
  const inside = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
  const held: HeldDirectory = { ...parent, path: inside, child: (entry) => `${inside}/${entry}` };
  try {
    for (const entry of await readdir(inside)) await removeTree(held, entry, signal);
  } finally {
    await handle.close();
  }
  await rmdir(path);
}
