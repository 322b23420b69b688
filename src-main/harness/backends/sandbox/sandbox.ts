import { anyText, checkOptions } from '../../../base/check-options';
import { compileGlob } from '../../../base/globs/glob';
import { textOfPath } from '../../../base/path-names';
import { optional } from '../../../contract/shared/optional';
import type { ExecuteOptions, ExecuteResponse, SandboxBackendProtocol } from '../commands';
import { enforceContract } from '../enforce-contract';
import { type Failure, failure, isFailure, staleFailure } from '../failure';
import { withLock } from '../locks';
import { asDirectory, type CheckedPath, checkFile, checkPath } from '../paths';
import type {
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
} from '../protocol';
import { capOf } from '../search/file-search';
import { scopeOfSearch } from '../search/search-scope';
import { encodeLike, replaceBytes } from '../text/byte-edit';
import { bytesOf, contentOf, mimeTypeFor } from '../text/content';
import { isTextMime, mimeTypeOf } from '../text/mime';
import { versionOf } from '../text/text';
import { encodingOf, readWhole, textOf, tooLarge } from '../text/text-file';
import { transferError, uploaded } from '../transfer';
import { globEntries, pageOfListing } from '../virtual-tree';
import {
  baseNameOf,
  below,
  callOf,
  listedEntry,
  notKnown,
  realPathFrom,
  signalOf,
  wasKilled,
  wrongKind,
} from './sandbox-answers';
import { clientPath, namesFrom, type SandboxClient } from './sandbox-client';
import { type BoxPage, parsePage, textOfPage } from './sandbox-page';
import {
  deleteScript,
  type FileFilter,
  findScript,
  kindScript,
  lastWord,
  listScript,
  MAX_SUMMED,
  pageScript,
  parseRecords,
  type Records,
  realPathScript,
} from './sandbox-scripts';
import { needleOf, searchSandbox, searchTime } from './sandbox-search';
import { putFile } from './sandbox-writing';

export type { SandboxClient };

/** Options of `SandboxBackend`. */
export interface SandboxBackendOptions {
  /** Where the backend's `/` is in the sandbox. Default: the sandbox's `/`. The sandbox confines, not this. */
  root?: string;
}

/** Bytes of a file that is fetched whole. Pages of larger text can be read. */
const MAX_WHOLE = MAX_SUMMED;
/** Files fetched at once. Each takes a session of the connection, of which a server may allow ten. */
const CONCURRENCY = 4;

/**
 * Files of a sandbox that needs only `sh`, `find`, `grep`, `sed` and the like (GNU, BusyBox or BSD). The sandbox cuts pages,
 * lists and searches. Edits are made here, and rejected if the file has changed in the meantime. Writes are atomic by rename
 * and keep the mode. Changes to one file take turns within this process. Searches run there: only lines that may match are
 * sent. Links are followed, and `realPath` says where they lead. Files that `sees` hides are not searched and count only
 * toward the limit of 50,000 names, which the sandbox itself counts.
 */
export class SandboxBackend implements SandboxBackendProtocol {
  private readonly root: string;

  /** Sends nothing to the sandbox. `client` runs commands and transfers files there; closing it is up to the caller. */
  constructor(
    private readonly client: SandboxClient,
    options: SandboxBackendOptions = {},
  ) {
    if (new.target === SandboxBackend) checkOptions('SandboxBackend', options, { root: anyText });
    this.root = textOfPath((options.root ?? '').replace(/\/+$/, ''));
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
    const { kind, records, truncated } = await this.ask(listScript(this.host(at.path)), options);
    if (kind !== 'directory') return wrongKind(at, kind, 'directory');
    const files = records.flatMap((record) => listedEntry(record, asDirectory(at.path)));
    const page = pageOfListing(files, options);
    return truncated ? { ...page, truncated } : page;
  }

  async read(filePath: string, offset = 0, limit = 500, options: ReadOptions = {}): Promise<ReadResult> {
    options.signal?.throwIfAborted();
    const at = checkFile(filePath);
    if (isFailure(at)) return at;
    const mimeType = mimeTypeOf(at.path);
    if (isTextMime(mimeType)) {
      const asked = {
        offset: Math.max(0, Math.trunc(offset)),
        limit: Math.max(0, Math.trunc(limit)),
        column: Math.max(0, Math.trunc(options.column ?? 0)),
        notesCut: options.column === undefined,
      };
      const page = await this.page(at, asked, options);
      if (page !== null && isFailure(page)) return page;
      // Without a version, nobody can tell later whether the file has changed. A file this large cannot be edited anyway.
      const isUsable = page?.isText === true && (page.version !== null || page.size > MAX_SUMMED);
      const text = isUsable ? textOfPage(page, asked) : null;
      if (text !== null && isFailure(text)) return text;
      if (text !== null && page !== null)
        return { ...text, mimeType, size: page.size, ...optional({ version: page.version ?? undefined }) };
      if (page !== null) {
        const bytes = await this.whole(at, page.size, options);
        return isFailure(bytes) ? bytes : readWhole(at.path, bytes, { ...options, offset, limit });
      }
    }
    // Bytes are returned whole. So is a file that this sandbox cannot cut.
    const bytes = await this.find(at, options);
    return isFailure(bytes) ? bytes : readWhole(at.path, bytes, { ...options, offset, limit });
  }

  async readRaw(filePath: string, options: CallOptions = {}): Promise<ReadRawResult> {
    const at = checkFile(filePath);
    if (isFailure(at)) return at;
    const bytes = await this.find(at, options);
    if (isFailure(bytes)) return bytes;
    const content = textOf(at.path, bytes) ?? new Uint8Array(bytes);
    return { data: { content, mimeType: mimeTypeFor(at.path, content), created_at: '', modified_at: '' } };
  }

  async grep(
    pattern: string,
    path: string | null = '/',
    glob: string | null = null,
    maxCount: number | null = null,
    options: GrepOptions = {},
  ): Promise<GrepResult> {
    options.signal?.throwIfAborted();
    const scope = scopeOfSearch(pattern, path, glob, options.sees);
    if (isFailure(scope)) return scope;
    const { at, inScope } = scope;
    const wanted = glob === null || glob === '' ? null : compileGlob(glob);
    const needle = needleOf(pattern, options.regex ?? false);
    const filter = {
      needle,
      hidden: wanted !== null && !isFailure(wanted) && wanted.wantsHidden,
      name: baseNameOf(glob ?? ''),
    };
    const { until, looking } = searchTime(options);
    const { kind, records, truncated } = await this.ask(findScript(this.host(at.path), filter), looking);
    if (kind !== 'directory' && kind !== 'file') return wrongKind(at, kind, 'file');
    const files = kind === 'file' ? [at.path] : records.map((record) => below(at, record));
    const result = await searchSandbox(files, inScope, {
      pattern,
      needle,
      cap: capOf(maxCount),
      until,
      options,
      client: this.client,
      onHost: (path) => this.host(path),
    });
    return truncated && result.error === undefined ? { ...result, truncated } : result;
  }

  async glob(pattern: string, path = '/', options: CallOptions = {}): Promise<GlobResult> {
    options.signal?.throwIfAborted();
    const at = checkPath(path);
    if (isFailure(at)) return at;
    const matcher = compileGlob(pattern, { hiddenFolders: true });
    if (isFailure(matcher)) return matcher;
    const hidden: FileFilter['hidden'] = matcher.entersHidden ? 'not-git' : matcher.wantsHidden;
    const filter = { hidden, name: baseNameOf(pattern) };
    const { kind, records, truncated } = await this.ask(findScript(this.host(at.path), filter), options);
    if (kind !== 'directory') return wrongKind(at, kind, 'directory');
    const entries = records.map((record) => ({ path: below(at, record), size: 0, modified_at: '' }));
    if (entries.length === 0) return { files: [], truncated };
    const found = globEntries(entries, at, pattern, options.sees);
    // Sizes are not requested: none is better than a wrong one.
    const files = found.files?.map(({ path: file }) => ({ path: file, is_dir: false })) ?? [];
    return { files, truncated };
  }

  async write(filePath: string, content: string, options: WriteOptions = {}): Promise<WriteResult> {
    options.signal?.throwIfAborted();
    const at = checkFile(filePath);
    if (isFailure(at)) return at;
    const meant = contentOf(at.path, content);
    const done = await this.locked(at, () => this.put(at, meant, options));
    return isFailure(done) ? done : { path: at.path, filesUpdate: null, ...done };
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
      const bytes = await this.find(at, options);
      if (isFailure(bytes))
        return bytes.kind === 'not_found' ? failure('not_found', `Error: ${bytes.error}`) : bytes;
      const encoding = encodingOf(at.path, bytes);
      if (encoding === null)
        return failure('binary', `'${at.path}' is not text and cannot be edited as text.`);
      const edited = await replaceBytes(bytes, encoding, { oldString, newString, replaceAll });
      if (isFailure(edited)) return edited;
      const { pieces, occurrences } = edited;
      // Never overwrites another writer's change, even one from elsewhere.
      const expectedVersion = options.expectedVersion ?? versionOf(bytes);
      const done = await this.put(at, Buffer.concat(pieces), { ...options, expectedVersion });
      return isFailure(done) ? done : { path: at.path, filesUpdate: null, occurrences, ...done };
    });
  }

  async delete(filePath: string, options: WriteOptions = {}): Promise<DeleteResult> {
    options.signal?.throwIfAborted();
    const at = checkFile(filePath);
    if (isFailure(at)) return at;
    const version = options.expectedVersion ?? null;
    const script = deleteScript(this.host(at.path), version);
    const ran = await this.client.execute(script, callOf(options));
    if (wasKilled(ran)) return notKnown(at.path);
    const { output } = ran;
    switch (lastWord(output)) {
      case 'done':
        return { path: at.path, filesUpdate: null };
      case 'missing':
        return failure('not_found', `Error: '${at.path}' not found`);
      case 'stale':
        return staleFailure(at.path);
      case 'unsummed': {
        const { expectedVersion: _, ...unchecked } = options;
        return (await this.compare(at, version, options)) ?? this.delete(filePath, unchecked);
      }
      default:
        return failure('denied', `'${at.path}' could not be deleted: ${output.trim().slice(0, 200)}`);
    }
  }

  async uploadFiles(
    files: [path: string, content: Uint8Array][],
    options: WriteOptions = {},
  ): Promise<FileUploadResponse[]> {
    const answers: FileUploadResponse[] = [];
    for (const [path, bytes] of files) {
      const at = checkFile(path);
      const done = isFailure(at) ? at : await this.locked(at, () => this.put(at, bytes, options));
      answers.push(uploaded(path, done));
    }
    return answers;
  }

  async downloadFiles(paths: string[], options: CallOptions = {}): Promise<FileDownloadResponse[]> {
    const answers: FileDownloadResponse[] = [];
    for (let from = 0; from < paths.length; from += CONCURRENCY)
      answers.push(
        ...(await Promise.all(
          paths.slice(from, from + CONCURRENCY).map((path) => this.download(path, options)),
        )),
      );
    return answers;
  }

  private async download(path: string, options: CallOptions): Promise<FileDownloadResponse> {
    const at = checkFile(path);
    const bytes = isFailure(at) ? at : await this.find(at, options);
    return isFailure(bytes)
      ? { path, content: null, error: transferError(bytes) }
      : { path, content: new Uint8Array(bytes), error: null };
  }

  /** See the protocol. An unknown target, or one outside the root, becomes a path below `/..`, which is no path. */
  async realPath(filePath: string, options: CallOptions = {}): Promise<string> {
    const at = checkPath(filePath);
    if (isFailure(at)) return filePath;
    const script = realPathScript(this.root || '/', this.host(at.path));
    const { output, exitCode } = await namesFrom(this.client, script, options);
    return exitCode === 0 ? realPathFrom(output, at.path) : `/..${at.path}`;
  }

  /** Text keeps the encoding, byte order mark and line endings of the text that it replaces. Bytes are stored as they are. */
  private async put(
    at: CheckedPath,
    content: string | Uint8Array,
    options: WriteOptions,
  ): Promise<{ version: string } | Failure> {
    const folder = this.host(`/${at.segments.slice(0, -1).join('/')}`);
    const place = { at, target: this.host(at.path), folder };
    const bytes = Buffer.from(bytesOf(content));
    const done = await putFile(this.client, place, bytes, {
      ...options,
      keepsForm: typeof content === 'string',
    });
    if (done === 'formed') {
      const formed = await this.inForm(at, bytes.toString(), options);
      return isFailure(formed) ? formed : this.put(at, formed, options);
    }
    if (done !== 'unsummed') return done ?? { version: versionOf(bytes) };
    const { expectedVersion = null, ...unchecked } = options;
    return (await this.compare(at, expectedVersion, options)) ?? this.put(at, content, unchecked);
  }

  private async inForm(at: CheckedPath, text: string, options: CallOptions): Promise<Buffer | Failure> {
    const found = await this.whole(at, 0, options);
    // It may be gone by now.
    const isKnown = !isFailure(found) || found.kind === 'too_large' || found.kind === 'not_found';
    if (!isKnown) return found;
    const before = isFailure(found) ? Buffer.alloc(0) : found;
    const encoding = encodingOf(at.path, before);
    return encodeLike(text, encoding === null ? Buffer.alloc(0) : before, encoding ?? 'utf-8');
  }

  /** For a sandbox without checksums: fetches the file and compares it here. */
  private async compare(
    at: CheckedPath,
    version: string | null,
    options: CallOptions,
  ): Promise<Failure | null> {
    const before = await this.find(at, options);
    if (isFailure(before))
      return before.kind === 'not_found' ? failure('not_found', `Error: ${before.error}`) : before;
    return versionOf(before) === version ? null : staleFailure(at.path);
  }

  private async page(
    at: CheckedPath,
    asked: { offset: number; limit: number; column: number },
    options: CallOptions,
  ): Promise<BoxPage | Failure | null> {
    const script = pageScript(this.host(at.path), asked.offset + 1, asked.limit, asked.column);
    const { kind, records, truncated } = await this.ask(script, options);
    if (kind !== 'file') return wrongKind(at, kind, 'file');
    return truncated ? null : parsePage(records);
  }

  /** All bytes of a file. */
  private async find(at: CheckedPath, options: CallOptions): Promise<Buffer | Failure> {
    options.signal?.throwIfAborted();
    const { kind, records } = await this.ask(kindScript(this.host(at.path)), options);
    if (kind !== 'file') return wrongKind(at, kind, 'file');
    return this.whole(at, Number(records[0]) || 0, options);
  }

  /** A file whose size is known. */
  private async whole(at: CheckedPath, size: number, options: CallOptions): Promise<Buffer | Failure> {
    if (size > MAX_WHOLE) return tooLarge(at.path, size, MAX_WHOLE);
    const path = clientPath(this.client, this.host(at.path));
    const [got] = await this.client.downloadFiles([path], MAX_WHOLE, signalOf(options));
    if (got === undefined || got.content === null)
      return got === undefined || got.error === 'file_not_found'
        ? failure('not_found', `File '${at.path}' not found`)
        : failure(got.kind ?? 'denied', `'${at.path}' could not be read (${got.kind ?? got.error}).`);
    return Buffer.from(got.content);
  }

  private async ask(script: string, options: CallOptions): Promise<Records> {
    const ran = await namesFrom(this.client, script, options);
    return parseRecords(wasKilled(ran) ? '' : ran.output, ran.truncated || ran.timedOut === true);
  }

  /** In its text form. */
  private host(path: string): string {
    return path === '/' ? this.root || '/' : `${this.root}${path}`;
  }

  private async locked<T>(at: CheckedPath, work: () => Promise<T>): Promise<T> {
    return withLock(`sandbox\0${this.id}\0${this.host(at.path)}`, work);
  }
}

enforceContract(SandboxBackend.prototype);
