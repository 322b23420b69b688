import type { BaseStore } from '@langchain/langgraph-checkpoint';
import { bytesOf, contentOf, dataFromBytes, mimeTypeFor, readData, sizeOf } from './content';
import { existsFailure, type Failure, failure, isFailure, staleFailure } from './failure';
import { capOf, checkPattern } from './file-search';
import { withLock } from './locks';
import { type Namespace, resolveNamespace } from './namespace';
import { asDirectory, byCodeUnit, type CheckedPath, checkPath } from './paths';
import type {
  BackendProtocol,
  CallOptions,
  DeleteResult,
  EditResult,
  FileDataV2,
  FileDownloadResponse,
  FileUploadResponse,
  GlobResult,
  GrepOptions,
  GrepResult,
  IndexedStore,
  LsOptions,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteOptions,
  WriteResult,
} from './protocol';
import { runStore } from './run-context';
import { fromValue, toValue } from './stored-file';
import { replaceText, versionOf } from './text';
import { searchTexts, type TextFile } from './text-search';
import { transferError } from './transfer';
import {
  type Entry,
  globEntries,
  listChildren,
  pageOfListing,
  placeTaken,
  searchScope,
} from './virtual-tree';

export interface StoreBackendOptions {
  namespace?: Namespace;
  /** Default: the store of the LangGraph run in which a call happens. */
  store?: BaseStore & IndexedStore;
  /** Largest file, since each is held and stored whole. Default 5. */
  maxFileSizeMb?: number;
}

/** Items asked of a store at once. */
const PAGE = 1_000;

/**
 * Files in a LangGraph store: they outlive threads and are seen by every thread that has the same namespace, and by no
 * other: namespaces are exact. The key is the path. Stores that offer `IndexedStore` answer listings and searches from
 * their indexes, others are read to the end. Changes of one file take turns within this process.
 */
export class StoreBackend implements BackendProtocol {
  private readonly maxBytes: number;

  constructor(private readonly options: StoreBackendOptions = {}) {
    this.maxBytes = (options.maxFileSizeMb ?? 5) * 1024 * 1024;
  }

  async ls(path: string, options: LsOptions = {}): Promise<LsResult> {
    options.signal?.throwIfAborted();
    const at = checkPath(path);
    if (isFailure(at)) return at;
    const { store, namespace } = this.place();
    if (store.listChildren === undefined) return listChildren(await this.entries(at), at, options);
    const folder = asDirectory(at.path);
    const files: LsResult['files'] = [];
    for (let after: string | undefined; ; ) {
      options.signal?.throwIfAborted();
      const page = await store.listChildren(namespace, folder, {
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      });
      for (const { key, isDirectory, size, modified_at } of page)
        files.push({ path: key, is_dir: isDirectory, size: isDirectory ? 0 : size, modified_at });
      after = page.at(-1)?.key;
      if (page.length < PAGE) break;
    }
    if (files.length > 0 || at.path === '/') return pageOfListing(files, options);
    return (await this.get(at.path)) === null
      ? failure('not_found', `Directory '${at.path}' not found`)
      : failure('special', `'${at.path}' is a file, not a directory.`);
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
    const single = at.path === '/' ? null : await this.get(at.path);
    if (at.path !== '/' && single === null && !(await this.hasBelow(at.path)))
      return failure('not_found', `File '${at.path}' not found`);
    const search = { ...options, pattern, cap: capOf(maxCount) };
    if (single !== null) return searchTexts(inScope(at.path) ? textOf(at.path, single) : [], search);
    if (!options.regex && this.place().store.searchText !== undefined)
      return this.grepIndexed(at, inScope, search);
    const texts: TextFile[] = [];
    for await (const { path: file, data } of this.items(at, options.signal))
      if (inScope(file)) texts.push(...textOf(file, data));
    return searchTexts(
      texts.sort((a, b) => byCodeUnit(a.path, b.path)),
      search,
    );
  }

  async glob(pattern: string, path = '/', options: CallOptions = {}): Promise<GlobResult> {
    options.signal?.throwIfAborted();
    const at = checkPath(path);
    return isFailure(at) ? at : globEntries(await this.entries(at), at, pattern);
  }

  async write(filePath: string, content: string, options: WriteOptions = {}): Promise<WriteResult> {
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

  /** One batch, so that a store with transactions deletes all or nothing. */
  async delete(filePath: string, options: WriteOptions = {}): Promise<DeleteResult> {
    options.signal?.throwIfAborted();
    const at = checkFile(filePath);
    if (isFailure(at)) return at;
    const { store, namespace } = this.place();
    const gone = (await this.entries(at)).map((entry) => entry.path);
    if (gone.length === 0) return failure('not_found', `Error: '${at.path}' not found`);
    await store.batch(gone.map((key) => ({ namespace, key, value: null })));
    return { path: at.path, filesUpdate: null };
  }

  async uploadFiles(files: [path: string, content: Uint8Array][]): Promise<FileUploadResponse[]> {
    const answers: FileUploadResponse[] = [];
    for (const [path, bytes] of files) {
      const at = checkFile(path);
      const failed = isFailure(at)
        ? at
        : await this.locked(at, () => this.put(at, dataFromBytes(at.path, bytes, '', '').content, {}));
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

  private place(): { store: BaseStore & IndexedStore; namespace: string[] } {
    const store = this.options.store ?? runStore();
    if (store === null)
      throw new Error('Store is required but not available: pass { store }, or compile the graph with one.');
    return { store, namespace: resolveNamespace(this.options.namespace) };
  }

  private async put(
    at: CheckedPath,
    content: string | Uint8Array,
    options: WriteOptions,
  ): Promise<Failure | null> {
    options.signal?.throwIfAborted();
    if (sizeOf(content) > this.maxBytes)
      return failure('too_large', `'${at.path}' is too large to be stored (at most ${this.maxBytes} bytes).`);
    const { store, namespace } = this.place();
    const before = await this.get(at.path);
    if (before !== null && options.createOnly) return existsFailure(at.path);
    if (options.expectedVersion !== undefined) {
      if (before === null) return failure('not_found', `Error: File '${at.path}' not found`);
      if (versionOf(before.content) !== options.expectedVersion) return staleFailure(at.path);
    }
    if (before === null) {
      const taken = await this.placeTaken(at);
      if (taken !== null) return taken;
    }
    const modified_at = new Date().toISOString();
    const created_at = before?.created_at || modified_at;
    const mimeType = mimeTypeFor(at.path, content);
    await store.put(
      namespace,
      at.path,
      toValue({ content, mimeType, created_at, modified_at }, options.author),
    );
    return null;
  }

  private async placeTaken(at: CheckedPath): Promise<Failure | null> {
    const { store, namespace } = this.place();
    const above = at.segments.slice(1).map((_, depth) => `/${at.segments.slice(0, depth + 1).join('/')}`);
    const items = await store.batch(above.map((key) => ({ namespace, key })));
    const files = new Set(above.filter((_, index) => items[index] !== null && items[index] !== undefined));
    return placeTaken(at.path, (path) => files.has(path), await this.hasBelow(at.path));
  }

  private async hasBelow(path: string): Promise<boolean> {
    const { store, namespace } = this.place();
    if (store.listKeys !== undefined)
      return (await store.listKeys(namespace, `${path}/`, { limit: 1 })).length > 0;
    for await (const item of this.items({ path, segments: [] }, undefined))
      if (item.path !== path) return true;
    return false;
  }

  private async get(path: string): Promise<FileDataV2 | null> {
    const { store, namespace } = this.place();
    const item = await store.get(namespace, path);
    return item === null || item === undefined ? null : fromValue(path, item.value);
  }

  private async find(
    path: string,
    options: CallOptions,
  ): Promise<{ at: CheckedPath; data: FileDataV2 } | Failure> {
    options.signal?.throwIfAborted();
    const at = checkFile(path);
    if (isFailure(at)) return at;
    const data = await this.get(at.path);
    if (data !== null) return { at, data };
    return (await this.hasBelow(at.path))
      ? failure('special', `'${at.path}' is a directory, not a file. Use ls to list it.`)
      : failure('not_found', `File '${at.path}' not found`);
  }

  /** The file itself and all below, without contents where the store can list keys. */
  private async entries(at: CheckedPath): Promise<Entry[]> {
    const { store, namespace } = this.place();
    const entries: Entry[] = [];
    if (store.listKeys === undefined) {
      for await (const { path, data } of this.items(at, undefined))
        entries.push({ path, size: sizeOf(data.content), modified_at: data.modified_at });
      return entries;
    }
    const self = at.path === '/' ? null : await this.get(at.path);
    if (self !== null)
      entries.push({ path: at.path, size: sizeOf(self.content), modified_at: self.modified_at });
    for (let after: string | undefined; ; ) {
      const page = await store.listKeys(namespace, asDirectory(at.path), {
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      });
      for (const { key, size, modified_at } of page) entries.push({ path: key, size, modified_at });
      after = page.at(-1)?.key;
      if (page.length < PAGE) return entries;
    }
  }

  /** Files with contents at and below a path, by reading the namespace to its end: what any store can do. */
  private async *items(
    at: CheckedPath,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<{ path: string; data: FileDataV2 }> {
    const { store, namespace } = this.place();
    const folder = asDirectory(at.path);
    for (let offset = 0; ; offset += PAGE) {
      signal?.throwIfAborted();
      const page = await store.search(namespace, { limit: PAGE, offset });
      for (const item of page) {
        // A search takes a namespace as a prefix, of names and in some stores of characters: ours is exact.
        if (!sameNamespace(item.namespace, namespace)) continue;
        if (item.key !== at.path && !item.key.startsWith(folder)) continue;
        const data = fromValue(item.key, item.value);
        if (data !== null) yield { path: item.key, data };
      }
      if (page.length < PAGE) return;
    }
  }

  private async grepIndexed(
    at: CheckedPath,
    inScope: (path: string) => boolean,
    search: { pattern: string; cap: number } & GrepOptions,
  ): Promise<GrepResult> {
    const { store, namespace } = this.place();
    const found: GrepResult = { matches: [], truncated: false };
    for (let after: string | undefined; ; ) {
      search.signal?.throwIfAborted();
      const page =
        (await store.searchText?.(namespace, search.pattern, PAGE, {
          prefix: asDirectory(at.path),
          ...(after === undefined ? {} : { after }),
        })) ?? [];
      const texts = page.flatMap(({ key, value }) => {
        const data = inScope(key) ? fromValue(key, value) : null;
        return data === null ? [] : textOf(key, data);
      });
      const left = search.cap - (found.matches?.length ?? 0);
      const more = await searchTexts(texts, { ...search, cap: left });
      for (const match of more.matches ?? []) found.matches?.push(match);
      after = page.at(-1)?.key;
      if (more.truncated) return { ...found, truncated: true };
      if (page.length < PAGE) break;
    }
    found.matches?.sort((a, b) => byCodeUnit(a.path, b.path) || a.line - b.line);
    return found;
  }

  private async locked<T>(at: CheckedPath, work: () => Promise<T>): Promise<T> {
    return withLock(`store\0${this.place().namespace.join('\0')}\0${at.path}`, work);
  }
}

const sameNamespace = (a: string[], b: string[]): boolean =>
  a.length === b.length && a.every((component, index) => component === b[index]);

const textOf = (path: string, data: FileDataV2): TextFile[] =>
  typeof data.content === 'string' && !data.content.includes('\0') ? [{ path, text: data.content }] : [];

function checkFile(path: unknown): CheckedPath | Failure {
  const at = checkPath(path);
  if (!isFailure(at) && at.segments.length === 0)
    return failure('invalid', "'/' is the root directory. Name a file in it.");
  return at;
}
