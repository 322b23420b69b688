import type { S3Client } from '@aws-sdk/client-s3';
import { anyObject, anyText, checkOptions, text } from '../../../base/check-options';
import { enforceContract } from '../enforce-contract';
import { directoryFailure, existsFailure, type Failure, failure, isFailure, staleFailure } from '../failure';
import { withLock } from '../locks';
import { byCodeUnit, type CheckedPath, checkPath } from '../paths';
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
} from '../protocol';
import { capOf } from '../search/file-search';
import { LineIndexes } from '../search/line-index';
import { scopeOfSearch } from '../search/search-scope';
import { searchTexts } from '../search/text-search';
import { replaceBytes } from '../text/byte-edit';
import { contentOf, dataFromBytes, mimeTypeFor } from '../text/content';
import { isTextMime, mimeTypeOf } from '../text/mime';
import { readLines } from '../text/page-reader';
import { looksBinary, SNIFF_BYTES } from '../text/text';
import { encodingOf, readWhole } from '../text/text-file';
import { downloaded, uploadEach } from '../transfer';
import { type Entry, globEntries, pageOfListing, placeTaken } from '../virtual-tree';
import { S3Keys } from './s3-keys';
import { type Condition, type ObjectFacts, S3Objects, s3Failure } from './s3-objects';
import { dataOf, inForm, textsOf, WHOLE } from './s3-text';

/** Options of `S3Backend`. */
export interface S3BackendOptions {
  /** A configured client. The backend does not close it. */
  client: S3Client;
  /** Name of an existing bucket. */
  bucket: string;
  /** Prefix of the keys. A trailing slash is added. Default none. */
  prefix?: string;
}

/** Larger objects, in bytes, are not searched. */
const MAX_SEARCHED = 10 * 1024 * 1024;
/** Concurrent downloads. */
const CONCURRENCY = 8;
/** How often an edit is replayed on what somebody else has written in between. */
const MAX_EDITS = 4;

/**
 * Files as objects of a bucket, with the path as key. A file's version is its ETag. Changes to one file take turns in this
 * process. Against other processes, creates, edits and expected versions use conditional writes if the server supports them.
 * A folder exists as long as it contains something.
 */
export class S3Backend implements BackendProtocol {
  private readonly objects: S3Objects;
  private readonly keys: S3Keys;
  private readonly lines = new LineIndexes();

  /** Sends no request, so wrong credentials or a missing bucket only show in the results of calls. */
  constructor(private readonly options: S3BackendOptions) {
    const checks = { client: anyObject, bucket: text, prefix: anyText };
    if (new.target === S3Backend) checkOptions('S3Backend', options, checks, ['client', 'bucket']);
    this.objects = new S3Objects(options.client, options.bucket);
    this.keys = new S3Keys(options.prefix ?? '');
  }

  async ls(path: string, options: LsOptions = {}): Promise<LsResult> {
    const at = checkPath(path);
    if (isFailure(at)) return at;
    return this.border(at, options, async () => {
      const files: FileInfo[] = [];
      for await (const page of this.objects.list(this.keys.below(at), {
        delimiter: '/',
        signal: options.signal,
      })) {
        for (const folder of page.folders)
          files.push({ path: this.keys.path(folder), is_dir: true, size: 0, modified_at: '' });
        for (const object of page.objects) files.push({ ...this.keys.entry(object), is_dir: false });
      }
      // Several pages may name the same folder.
      const once = [...new Map(files.map((file) => [file.path, file])).values()];
      if (once.length > 0 || at.path === '/') return pageOfListing(once, options);
      return (await this.objects.head(this.keys.of(at), options.signal)) === null
        ? failure('not_found', `Directory '${at.path}' not found`)
        : failure('special', `'${at.path}' is a file, not a directory.`);
    });
  }

  async read(filePath: string, offset = 0, limit = 500, options: ReadOptions = {}): Promise<ReadResult> {
    const at = this.keys.check(filePath);
    if (isFailure(at)) return at;
    return this.border<ReadResult>(at, options, async () => {
      const mimeType = mimeTypeOf(at.path);
      const first = await this.objects.get(
        this.keys.of(at),
        isTextMime(mimeType) ? WHOLE : null,
        options.signal,
      );
      if (first === null) return this.notFile(at, options);
      const { bytes, etag: version, size } = first;
      const isPaged = bytes.length < size && !looksBinary(bytes.subarray(0, SNIFF_BYTES));
      if (!isPaged) {
        const whole =
          bytes.length < size ? await this.objects.get(this.keys.of(at), null, options.signal) : first;
        if (whole === null) return this.notFile(at, options);
        const page = await readWhole(at.path, Buffer.from(whole.bytes), { ...options, offset, limit });
        return page.error === undefined ? { ...page, version: whole.etag } : page;
      }
      const source = this.objects.source(this.keys.of(at), version, options.signal);
      const page = await readLines(source, {
        offset,
        limit,
        column: options.column,
        size,
        index: this.lines.ofVersion(`${this.keys.of(at)}\0${version}`, size),
        signal: options.signal,
      });
      return isFailure(page) ? page : { ...page, mimeType, size, version };
    });
  }

  async readRaw(filePath: string, options: CallOptions = {}): Promise<ReadRawResult> {
    const at = this.keys.check(filePath);
    if (isFailure(at)) return at;
    return this.border<ReadRawResult>(at, options, async () => {
      const found = await this.objects.get(this.keys.of(at), null, options.signal);
      return found === null ? this.notFile(at, options) : { data: dataOf(at, found) };
    });
  }

  async grep(
    pattern: string,
    path: string | null = '/',
    glob: string | null = null,
    maxCount: number | null = null,
    options: GrepOptions = {},
  ): Promise<GrepResult> {
    const scope = scopeOfSearch(pattern, path, glob, options.sees);
    if (isFailure(scope)) return scope;
    const { at, inScope } = scope;
    const until = options.timeoutMs === undefined ? null : Date.now() + options.timeoutMs;
    return this.border<GrepResult>(at, options, async () => {
      const { entries, truncated } = await this.entries(at, options.signal, until);
      if (entries.length === 0 && at.path !== '/') return failure('not_found', `File '${at.path}' not found`);
      const wanted = entries
        .filter((entry) => inScope(entry.path))
        .sort((a, b) => byCodeUnit(a.path, b.path));
      const searched = wanted.filter((entry) => entry.size <= MAX_SEARCHED);
      const matches: NonNullable<GrepResult['matches']> = [];
      const cap = capOf(maxCount);
      let isCut = truncated || searched.length < wanted.length;
      // Runs even without files, so that an invalid pattern is reported.
      for (let from = 0; from <= searched.length; from += CONCURRENCY) {
        if (until !== null && Date.now() > until) return { matches, truncated: true };
        const texts = await textsOf(
          this.objects,
          this.keys,
          searched.slice(from, from + CONCURRENCY),
          options.signal,
        );
        const more = await searchTexts(texts, { ...options, pattern, cap: cap - matches.length });
        if (more.error !== undefined) return more;
        for (const match of more.matches ?? []) matches.push(match);
        isCut ||= more.truncated ?? false;
        if (more.truncated) break;
      }
      return { matches, truncated: isCut };
    });
  }

  async glob(pattern: string, path = '/', options: CallOptions = {}): Promise<GlobResult> {
    const at = checkPath(path);
    if (isFailure(at)) return at;
    const until = options.timeoutMs === undefined ? null : Date.now() + options.timeoutMs;
    return this.border<GlobResult>(at, options, async () => {
      const { entries, truncated } = await this.entries(at, options.signal, until);
      const found = globEntries(entries, at, pattern, options.sees);
      return found.error === undefined && truncated ? { ...found, truncated } : found;
    });
  }

  async write(filePath: string, content: string, options: WriteOptions = {}): Promise<WriteResult> {
    const at = this.keys.check(filePath);
    if (isFailure(at)) return at;
    const meant = contentOf(at.path, content);
    const put = await this.changing(at, options, async () => {
      const bytes =
        typeof meant === 'string'
          ? await inForm(this.objects, this.keys, { at, text: meant, options })
          : meant;
      return isFailure(bytes) ? bytes : this.put(at, bytes, options, null);
    });
    return isFailure(put) ? put : { path: at.path, filesUpdate: null, version: put.etag };
  }

  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll = false,
    options: WriteOptions = {},
  ): Promise<EditResult> {
    const at = this.keys.check(filePath);
    if (isFailure(at)) return at;
    return this.changing<EditResult>(at, options, async () => {
      for (let tries = 1; ; tries += 1) {
        const found = await this.objects.get(this.keys.of(at), null, options.signal);
        if (found === null) {
          const failed = await this.notFile(at, options);
          return failed.kind === 'not_found' ? failure('not_found', `Error: ${failed.error}`) : failed;
        }
        const bytes = Buffer.from(found.bytes);
        const encoding = encodingOf(at.path, bytes);
        if (encoding === null)
          return failure('binary', `'${at.path}' is not text and cannot be edited as text.`);
        const edited = await replaceBytes(bytes, encoding, { oldString, newString, replaceAll });
        if (isFailure(edited)) return edited;
        const put = await this.put(at, Buffer.concat(edited.pieces), options, found);
        if (!isFailure(put)) {
          const { occurrences } = edited;
          return { path: at.path, filesUpdate: null, occurrences, version: put.etag };
        }
        if (put.kind !== 'stale' || options.expectedVersion !== undefined || tries >= MAX_EDITS) return put;
      }
    });
  }

  async delete(filePath: string, options: WriteOptions = {}): Promise<DeleteResult> {
    const at = this.keys.check(filePath);
    if (isFailure(at)) return at;
    return this.changing<DeleteResult>(at, options, async () => {
      const seen = await this.objects.head(this.keys.of(at), options.signal);
      if (options.expectedVersion !== undefined) {
        if (seen === null) return failure('not_found', `Error: File '${at.path}' not found`);
        if (seen.etag !== options.expectedVersion) return staleFailure(at.path);
      }
      const { entries } = await this.entries(at, options.signal, null);
      if (entries.length === 0) return failure('not_found', `Error: '${at.path}' not found`);
      if (seen !== null && entries.length === 1) {
        const outcome = await this.objects.removeVersion(this.keys.of(at), seen.etag);
        return outcome === 'changed' ? staleFailure(at.path) : { path: at.path, filesUpdate: null };
      }
      const keys = entries.map((entry) => this.keys.at(entry.path));
      const left = await this.objects.remove(keys);
      return left.length === 0
        ? { path: at.path, filesUpdate: null }
        : failure(
            'denied',
            `Error: ${left.length} of ${keys.length} files below '${at.path}' could not be deleted.`,
          );
    });
  }

  async uploadFiles(
    files: [path: string, content: Uint8Array][],
    options: WriteOptions = {},
  ): Promise<FileUploadResponse[]> {
    return uploadEach(files, options.signal, async (path, bytes) => {
      const at = this.keys.check(path);
      return isFailure(at) ? at : this.changing(at, options, () => this.put(at, bytes, options, null));
    });
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
    const at = this.keys.check(path);
    const got = isFailure(at)
      ? at
      : await this.border(
          at,
          options,
          async () =>
            (await this.objects.get(this.keys.of(at), null, options.signal)) ?? this.notFile(at, options),
        );
    return downloaded(path, isFailure(got) ? got : got.bytes);
  }

  /** `seen`: the version that an edit was made from. It must still be current. */
  private async put(
    at: CheckedPath,
    bytes: Uint8Array,
    options: WriteOptions,
    seen: ObjectFacts | null,
  ): Promise<{ etag: string } | Failure> {
    const before = seen ?? (await this.objects.head(this.keys.of(at), options.signal));
    if (before !== null && options.createOnly) return existsFailure(at.path);
    if (options.expectedVersion !== undefined) {
      if (before === null) return failure('not_found', `Error: File '${at.path}' not found`);
      if (before.etag !== options.expectedVersion) return staleFailure(at.path);
    }
    if (before === null) {
      const taken = await this.placeTaken(at, options);
      if (taken !== null) return taken;
    }
    const bound = seen !== null || options.expectedVersion !== undefined;
    const condition: Condition = options.createOnly ? 'absent' : bound && before !== null ? before : null;
    const mimeType = mimeTypeFor(at.path, dataFromBytes(at.path, bytes, '', '').content);
    const author = Object.fromEntries(
      Object.entries(options.author ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
    const created_at = before?.created_at ?? new Date().toISOString();
    options.signal?.throwIfAborted();
    // Not aborted: an interrupted write may have happened.
    const outcome = await this.objects.put(
      this.keys.of(at),
      bytes,
      { mimeType, created_at, author },
      condition,
    );
    if (typeof outcome !== 'string') return outcome;
    if (outcome === 'gone') return failure('not_found', `Error: File '${at.path}' not found`);
    return options.createOnly ? existsFailure(at.path) : staleFailure(at.path);
  }

  private async placeTaken(at: CheckedPath, { signal }: CallOptions): Promise<Failure | null> {
    const above = at.segments.slice(1).map((_, depth) => `/${at.segments.slice(0, depth + 1).join('/')}`);
    const heads = await Promise.all(above.map((path) => this.objects.head(this.keys.at(path), signal)));
    const files = new Set(above.filter((_, index) => heads[index] !== null));
    return placeTaken(at.path, (path) => files.has(path), await this.hasBelow(at, signal));
  }

  private async hasBelow(at: CheckedPath, signal: AbortSignal | undefined): Promise<boolean> {
    for await (const page of this.objects.list(this.keys.below(at), { limit: 1, signal }))
      return page.objects.length > 0;
    return false;
  }

  private async notFile(at: CheckedPath, { signal }: CallOptions): Promise<Failure> {
    return (await this.hasBelow(at, signal))
      ? directoryFailure(at.path)
      : failure('not_found', `File '${at.path}' not found`);
  }

  /** The file itself and everything below it. `until`: milliseconds since 1970. */
  private async entries(
    at: CheckedPath,
    signal: AbortSignal | undefined,
    until: number | null,
  ): Promise<{ entries: Entry[]; truncated: boolean }> {
    const self = at.path === '/' ? null : await this.objects.head(this.keys.of(at), signal);
    const entries: Entry[] =
      self === null ? [] : [{ path: at.path, size: self.size, modified_at: self.modified_at }];
    for await (const page of this.objects.list(this.keys.below(at), { signal })) {
      for (const object of page.objects) entries.push(this.keys.entry(object));
      if (until !== null && Date.now() > until) return { entries, truncated: true };
    }
    return { entries, truncated: false };
  }

  private async changing<R>(
    at: CheckedPath,
    options: CallOptions,
    work: () => Promise<R | Failure>,
  ): Promise<R | Failure> {
    return this.border(at, options, () => withLock(`s3\0${this.options.bucket}\0${this.keys.of(at)}`, work));
  }

  /** The only place where the client's errors become values. */
  private async border<R>(
    at: CheckedPath,
    { signal }: CallOptions,
    work: () => Promise<R | Failure>,
  ): Promise<R | Failure> {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (thrown) {
      signal?.throwIfAborted();
      return s3Failure(thrown, at.path);
    }
  }
}

enforceContract(S3Backend.prototype);
