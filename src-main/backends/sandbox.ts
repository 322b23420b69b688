import { randomBytes } from 'node:crypto';
import { bytesOf, contentOf, dataFromBytes, readData } from './content';
import { existsFailure, type Failure, failure, isFailure, notRegular, staleFailure } from './failure';
import { capOf, checkPattern } from './file-search';
import { withLock } from './locks';
import { asDirectory, byCodeUnit, type CheckedPath, checkPath } from './paths';
import type {
  CallOptions,
  DeleteResult,
  EditResult,
  ExecuteOptions,
  ExecuteResponse,
  FileDataV2,
  FileDownloadResponse,
  FileInfo,
  FileUploadResponse,
  GlobResult,
  GrepOptions,
  GrepResult,
  LsOptions,
  LsResult,
  ReadRawResult,
  ReadResult,
  SandboxBackendProtocol,
  WriteOptions,
  WriteResult,
} from './protocol';
import { deleteScript, kindScript, listFiles, listScript, moveScript, parseRecords } from './sandbox-scripts';
import { replaceText, versionOf } from './text';
import { searchTexts, type TextFile } from './text-search';
import { transferError } from './transfer';
import { globEntries, pageOfListing, searchScope } from './virtual-tree';

type MaybePromise<T> = T | Promise<T>;

/** All that is asked of a sandbox: commands of a POSIX shell, and files in and out by absolute path. */
export interface SandboxClient {
  readonly id: string;
  execute(command: string, options?: ExecuteOptions): MaybePromise<ExecuteResponse>;
  uploadFiles(files: [path: string, content: Uint8Array][]): MaybePromise<FileUploadResponse[]>;
  downloadFiles(paths: string[]): MaybePromise<FileDownloadResponse[]>;
}

export interface SandboxBackendOptions {
  /** Where `/` of the backend is in the sandbox. Default its own `/`. What confines is the sandbox, not this. */
  root?: string;
}

/** Files fetched at once while searching. */
const FETCHED_AT_ONCE = 50;

/**
 * Files of a sandbox that has no more than `sh`, `find`, `grep`, `mv` and the like (GNU, BusyBox or BSD): listing and
 * searching happen there, pages and edits here, on what was fetched. Writes are atomic by rename. Changes of one file
 * take turns within this process. Regular expressions are matched here, so every file in scope is fetched for them.
 */
export class SandboxBackend implements SandboxBackendProtocol {
  private readonly root: string;

  constructor(
    private readonly client: SandboxClient,
    options: SandboxBackendOptions = {},
  ) {
    this.root = (options.root ?? '').replace(/\/+$/, '');
  }

  get id(): string {
    return this.client.id;
  }

  async execute(command: string, options?: ExecuteOptions): Promise<ExecuteResponse> {
    options?.signal?.throwIfAborted();
    return this.client.execute(command, options);
  }

  async ls(path: string, options: LsOptions = {}): Promise<LsResult> {
    options.signal?.throwIfAborted();
    const at = checkPath(path);
    if (isFailure(at)) return at;
    const wrong = await this.expectKind(at, 'directory', options);
    if (wrong !== null) return wrong;
    const { records, truncated } = await this.records(listScript(this.host(at.path)), options);
    const files = records.flatMap((record): FileInfo[] => {
      const [, kind, size, seconds, name] = /^(\w) (\d*) (\d*) ([\s\S]*)$/.exec(record) ?? [];
      if (name === undefined) return [];
      const modified_at = new Date(Number(seconds ?? 0) * 1000).toISOString();
      const entry = `${asDirectory(at.path)}${name}`;
      return kind === 'd'
        ? [{ path: `${entry}/`, is_dir: true, size: 0, modified_at }]
        : [{ path: entry, is_dir: false, size: Number(size ?? 0), modified_at }];
    });
    const page = pageOfListing(files, options);
    return truncated ? { ...page, truncated } : page;
  }

  async read(filePath: string, offset = 0, limit = 500, options: CallOptions = {}): Promise<ReadResult> {
    const found = await this.find(filePath, options);
    return isFailure(found) ? found : readData(found.data, offset, limit);
  }

  async readRaw(filePath: string, options: CallOptions = {}): Promise<ReadRawResult> {
    const found = await this.find(filePath, options);
    return isFailure(found) ? found : { data: found.data };
  }

  async grep(
    pattern: string,
    path: string | null = '/',
    glob: string | null = null,
    maxCount: number | null = null,
    options: GrepOptions = {},
  ): Promise<GrepResult> {
    options.signal?.throwIfAborted();
    const unusable = checkPattern(pattern);
    if (unusable !== null) return unusable;
    const at = checkPath(path ?? '/');
    if (isFailure(at)) return at;
    const inScope = searchScope(at, glob);
    if (isFailure(inScope)) return inScope;
    const kind = await this.kindOf(at, options);
    if (kind === 'missing') return failure('not_found', `File '${at.path}' not found`);
    const script = listFiles(this.host(at.path), options.regex ? null : pattern);
    const { records, truncated } = await this.records(script, options);
    const files = records
      .map((host) => this.inner(host))
      .filter(inScope)
      .sort(byCodeUnit);
    const cap = capOf(maxCount);
    const matches: NonNullable<GrepResult['matches']> = [];
    for (let from = 0; from < files.length; from += FETCHED_AT_ONCE) {
      options.signal?.throwIfAborted();
      const texts = await this.texts(files.slice(from, from + FETCHED_AT_ONCE));
      const more = await searchTexts(texts, { ...options, pattern, cap: cap - matches.length });
      if (more.error !== undefined) return more;
      for (const match of more.matches ?? []) matches.push(match);
      if (more.truncated) return { matches, truncated: true };
    }
    // A pattern that is none is said to be so even where nothing is searched.
    if (options.regex && files.length === 0) {
      const tried = await searchTexts([{ path: '', text: '\n' }], { ...options, pattern, cap: 1 });
      if (tried.error !== undefined) return tried;
    }
    return { matches, truncated };
  }

  async glob(pattern: string, path = '/', options: CallOptions = {}): Promise<GlobResult> {
    options.signal?.throwIfAborted();
    const at = checkPath(path);
    if (isFailure(at)) return at;
    const wrong = globEntries([], { path: '/', segments: [] }, pattern);
    if (wrong.error !== undefined) return wrong;
    const misplaced = await this.expectKind(at, 'directory', options);
    if (misplaced !== null) return misplaced;
    const { records, truncated } = await this.records(listFiles(this.host(at.path), null), options);
    const entries = records.map((host) => ({ path: this.inner(host), size: 0, modified_at: '' }));
    if (entries.length === 0) return { files: [], truncated };
    const found = globEntries(entries, at, pattern);
    // Their sizes are not asked for: nothing is said rather than something wrong.
    const files = found.files?.map(({ path: file }) => ({ path: file, is_dir: false })) ?? [];
    return { files, truncated };
  }

  async write(filePath: string, content: string, options: WriteOptions = {}): Promise<WriteResult> {
    options.signal?.throwIfAborted();
    const at = checkFile(filePath);
    if (isFailure(at)) return at;
    const failed = await this.locked(at, () => this.put(at, contentOf(at.path, content), options));
    return failed ?? { path: at.path, filesUpdate: null };
  }

  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll = false,
    options: WriteOptions = {},
  ): Promise<EditResult> {
    options.signal?.throwIfAborted();
    const at = checkFile(filePath);
    if (isFailure(at)) return at;
    return this.locked(at, async () => {
      const found = await this.find(filePath, options);
      if (isFailure(found))
        return found.kind === 'not_found' ? failure('not_found', `Error: ${found.error}`) : found;
      if (typeof found.data.content !== 'string')
        return failure('binary', `'${at.path}' is not UTF-8 text and cannot be edited as text.`);
      const edited = replaceText(found.data.content, oldString, newString, replaceAll);
      if (isFailure(edited)) return edited;
      const failed = await this.put(at, edited.text, options);
      return failed ?? { path: at.path, filesUpdate: null, occurrences: edited.occurrences };
    });
  }

  async delete(filePath: string, options: WriteOptions = {}): Promise<DeleteResult> {
    options.signal?.throwIfAborted();
    const at = checkFile(filePath);
    if (isFailure(at)) return at;
    if ((await this.kindOf(at, options)) === 'missing')
      return failure('not_found', `Error: '${at.path}' not found`);
    const failed = await this.run(deleteScript(this.host(at.path)), at, options);
    return failed ?? { path: at.path, filesUpdate: null };
  }

  async uploadFiles(files: [path: string, content: Uint8Array][]): Promise<FileUploadResponse[]> {
    const answers: FileUploadResponse[] = [];
    for (const [path, bytes] of files) {
      const at = checkFile(path);
      const failed = isFailure(at) ? at : await this.locked(at, () => this.put(at, bytes, {}));
      answers.push({ path, error: failed === null ? null : transferError(failed) });
    }
    return answers;
  }

  async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    return Promise.all(
      paths.map(async (path) => {
        const found = await this.find(path, {});
        return isFailure(found)
          ? { path, content: null, error: transferError(found) }
          : { path, content: new Uint8Array(bytesOf(found.data.content)), error: null };
      }),
    );
  }

  /** Beside its place first, then renamed over it, so that nobody reads half of it. */
  private async put(
    at: CheckedPath,
    content: string | Uint8Array,
    options: WriteOptions,
  ): Promise<Failure | null> {
    const kind = await this.kindOf(at, options);
    if (kind === 'directory') return failure('special', `'${at.path}' is a directory, not a file.`);
    if (kind === 'other') return notRegular(at.path);
    if (kind === 'file' && options.createOnly) return existsFailure(at.path);
    if (options.expectedVersion !== undefined) {
      const before = await this.find(at.path, options);
      if (isFailure(before))
        return before.kind === 'not_found' ? failure('not_found', `Error: ${before.error}`) : before;
      if (versionOf(before.data.content) !== options.expectedVersion) return staleFailure(at.path);
    }
    const folder = this.host(`/${at.segments.slice(0, -1).join('/')}`);
    const beside = `${asDirectory(folder)}.deepdesk-${randomBytes(6).toString('hex')}`;
    const made = await this.client.execute(moveScript.prepare(folder), callOf(options));
    if (made.exitCode !== 0)
      return failure('special', `'${at.path}' cannot be used: one of its parents is a file, or is closed.`);
    const [sent] = await this.client.uploadFiles([[beside, Buffer.from(bytesOf(content))]]);
    if (sent === undefined || sent.error !== null)
      return failure('denied', `'${at.path}' could not be written (${sent?.error ?? 'no answer'}).`);
    return this.run(moveScript.finish(beside, this.host(at.path)), at, options);
  }

  private async find(
    path: string,
    options: CallOptions,
  ): Promise<{ at: CheckedPath; data: FileDataV2 } | Failure> {
    options.signal?.throwIfAborted();
    const at = checkFile(path);
    if (isFailure(at)) return at;
    const wrong = await this.expectKind(at, 'file', options);
    if (wrong !== null) return wrong;
    const [got] = await this.client.downloadFiles([this.host(at.path)]);
    if (got === undefined || got.content === null)
      return got === undefined || got.error === 'file_not_found'
        ? failure('not_found', `File '${at.path}' not found`)
        : failure('denied', `'${at.path}' could not be read (${got.error}).`);
    return { at, data: dataFromBytes(at.path, got.content, '', '') };
  }

  private async texts(paths: string[]): Promise<TextFile[]> {
    const got = await this.client.downloadFiles(paths.map((path) => this.host(path)));
    return got.flatMap(({ content }, index) => {
      const path = paths[index] ?? '';
      if (content === null) return [];
      const data = dataFromBytes(path, content, '', '');
      return typeof data.content === 'string' ? [{ path, text: data.content }] : [];
    });
  }

  private async kindOf(
    at: CheckedPath,
    options: CallOptions,
  ): Promise<'file' | 'directory' | 'other' | 'missing'> {
    const { output } = await this.client.execute(kindScript(this.host(at.path)), callOf(options));
    const said = output.trim();
    return said === 'file' || said === 'directory' || said === 'other' ? said : 'missing';
  }

  private async expectKind(
    at: CheckedPath,
    wanted: 'file' | 'directory',
    options: CallOptions,
  ): Promise<Failure | null> {
    const kind = await this.kindOf(at, options);
    if (kind === wanted) return null;
    const title = wanted === 'file' ? 'File' : 'Directory';
    if (kind === 'missing') return failure('not_found', `${title} '${at.path}' not found`);
    if (kind === 'other') return notRegular(at.path);
    return kind === 'file'
      ? failure('special', `'${at.path}' is a file, not a directory.`)
      : failure('special', `'${at.path}' is a directory, not a file. Use ls to list it.`);
  }

  private async run(script: string, at: CheckedPath, options: CallOptions): Promise<Failure | null> {
    const { exitCode, output } = await this.client.execute(script, callOf(options));
    return exitCode === 0
      ? null
      : failure('denied', `'${at.path}' could not be changed: ${output.trim().slice(0, 200)}`);
  }

  private async records(script: string, options: CallOptions) {
    const { output, truncated } = await this.client.execute(script, callOf(options));
    return parseRecords(output, truncated);
  }

  private host(path: string): string {
    return path === '/' ? this.root || '/' : `${this.root}${path}`;
  }

  private inner(host: string): string {
    return host.slice(this.root.length).replace(/^\/+/, '/');
  }

  private async locked<T>(at: CheckedPath, work: () => Promise<T>): Promise<T> {
    return withLock(`sandbox\0${this.id}\0${this.host(at.path)}`, work);
  }
}

function callOf({ signal, timeoutMs }: CallOptions): ExecuteOptions {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

function checkFile(path: unknown): CheckedPath | Failure {
  const at = checkPath(path);
  if (!isFailure(at) && at.segments.length === 0)
    return failure('invalid', "'/' is the root directory. Name a file in it.");
  return at;
}
