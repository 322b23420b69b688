import { type BaseStore, InMemoryStore } from '@langchain/langgraph-checkpoint';
import { amount, type Checks, checkOptions, mustBe, oneOf, withMethod } from '../../../base/check-options';
import { compileGlob } from '../../../base/globs/glob';
import { globPieces } from '../../../base/globs/glob-pieces';
import { isTurnOver, yieldToEventLoop } from '../../../base/yield-to-event-loop';
import { optional } from '../../../contract/shared/optional';
import { enforceContract } from '../enforce-contract';
import { directoryFailure, existsFailure, type Failure, failure, isFailure, staleFailure } from '../failure';
import { withLock } from '../locks';
import { checkNamespace, type Namespace, resolveNamespace } from '../namespace';
import { byCodeUnit, type CheckedPath, checkFile, checkPath } from '../paths';
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
  LsOptions,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteOptions,
  WriteResult,
} from '../protocol';
import { runStore } from '../run-context';
import { capOf } from '../search/file-search';
import { scopeOfSearch } from '../search/search-scope';
import { searchTexts, type TextFile } from '../search/text-search';
import { bytesOf, contentOf, dataFromBytes, mimeTypeFor, readData, sizeOf } from '../text/content';
import { replaceText, versionOf, written } from '../text/text';
import { downloaded, uploadEach } from '../transfer';
import { globEntries, listChildren, pageOfListing, placeTaken } from '../virtual-tree';
import type { IndexedStore } from './indexed-store';
import { answered, storeFailure } from './store-errors';
import {
  entriesBelow,
  fileAt,
  grepIndexed,
  indexedChildren,
  itemsBelow,
  putIf,
  type StorePlace,
  textOf,
} from './store-items';
import { fromValue, storable, toValue } from './stored-file';

/** Options of `StoreBackend`. */
export interface StoreBackendOptions {
  /** Where in the store its files are. Default: `[assistantId, 'filesystem']`, or `['filesystem']` without an assistant. */
  namespace?: Namespace;
  /** Default: the store of the LangGraph run that contains the call. */
  store?: BaseStore & IndexedStore;
  /** Largest file, since each file is stored and kept in memory as a whole. Default 5. */
  maxFileSizeMb?: number;
  /** Format of stored files. Both can be read. Default v2, the only one that holds bytes. */
  fileFormat?: 'v1' | 'v2';
}

/** Makes the namespace of a call from its run, for stores that several people share. */
export type StoreNamespaceFactory = Extract<Namespace, (...args: never) => unknown>;

/** The state, store and configuration of a run, as older programs pass them. */
export interface StoreRuntime {
  /** The thread's state. */
  state: unknown;
  /** Default: the store of the run. */
  store?: BaseStore | null;
  /** The run's configuration, for the namespace. */
  config?: unknown;
  /** Id of the assistant, for the namespace. */
  assistantId?: string;
}

const CHECKS: Checks<StoreBackendOptions> = {
  // Its components have errors of their own.
  namespace: mustBe(
    'a list, or a function that returns one',
    (value) => Array.isArray(value) || typeof value === 'function',
  ),
  store: withMethod('a store, such as new InMemoryStore()', 'get', 'batch'),
  maxFileSizeMb: amount,
  fileFormat: oneOf('v1', 'v2'),
};

/** How often a change is tried while others keep changing the same file. Each retry means that another one succeeded. */
const ATTEMPTS = 100;

/** Computes the new file from the current one (null: there is none yet). Null content deletes it. */
type Change<Made extends object> = (
  before: FileDataV2 | null,
) => (Made & { content: string | Uint8Array | null }) | Failure;

/**
 * Files in a LangGraph store. They outlive threads, and exactly the threads with the same namespace see them. The key is the
 * path. Stores with `IndexedStore` answer listings and searches from their indexes. Others are read to the end.
 *
 * Changes to one file take turns within this process. Other processes on the same store cannot interfere if it offers
 * `change` or `compareAndPut`. Otherwise the last of two simultaneous changes to a file wins, and a file that changes during
 * a listing may be missing from it. Only `change` prevents a file from being put where another process is creating a directory.
 * Errors of the store itself (`storage`) are values too.
 */
export class StoreBackend implements BackendProtocol {
  private readonly maxBytes: number;
  private readonly options: StoreBackendOptions;
  private readonly runtime: StoreRuntime | undefined;

  constructor(options?: StoreBackendOptions);
  /** @deprecated Pass no `runtime`: it comes from the run that contains the call. */
  constructor(runtime: StoreRuntime, options?: StoreBackendOptions);
  constructor(given: StoreBackendOptions | StoreRuntime = {}, more: StoreBackendOptions = {}) {
    const isRuntime = 'state' in given;
    this.runtime = isRuntime ? given : undefined;
    this.options = isRuntime ? more : given;
    if (new.target === StoreBackend) checkOptions('StoreBackend', this.options, CHECKS);
    this.maxBytes = (this.options.maxFileSizeMb ?? 5) * 1024 * 1024;
    if (Array.isArray(this.options.namespace)) checkNamespace(this.options.namespace);
  }

  async ls(path: string, options: LsOptions = {}): Promise<LsResult> {
    options.signal?.throwIfAborted();
    const at = checkPath(path);
    if (isFailure(at)) return at;
    const { store, namespace } = this.place();
    return answered(at.path, async () => {
      if (store.listChildren === undefined)
        return listChildren(await entriesBelow(this.place(), at, {}, options.signal), at, options);
      const files = await indexedChildren(store.listChildren.bind(store), namespace, at, options.signal);
      if (files.length > 0 || at.path === '/') return pageOfListing(files, options);
      return (await fileAt(this.place(), at.path)) === null
        ? failure('not_found', `Directory '${at.path}' not found`)
        : failure('special', `'${at.path}' is a file, not a directory.`);
    });
  }

  async read(filePath: string, offset = 0, limit = 500, options: CallOptions = {}): Promise<ReadResult> {
    const found = await this.find(filePath, options);
    return isFailure(found) ? found : readData(found, offset, limit);
  }

  async readRaw(filePath: string, options: CallOptions = {}): Promise<ReadRawResult> {
    const found = await this.find(filePath, options);
    return isFailure(found) ? found : { data: found };
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
    return answered(at.path, async () => {
      const place = this.place();
      const single = at.path === '/' ? null : await fileAt(place, at.path);
      if (at.path !== '/' && single === null && !(await this.hasBelow(at.path)))
        return failure('not_found', `File '${at.path}' not found`);
      const search = { ...options, pattern, cap: capOf(maxCount) };
      if (single !== null) return searchTexts(inScope(at.path) ? textOf(at.path, single) : [], search);
      if (!options.regex && place.store.searchText !== undefined)
        return grepIndexed(place, at, inScope, search);
      const texts: TextFile[] = [];
      for await (const { path: file, data } of itemsBelow(place, at, options.signal))
        if (inScope(file)) texts.push(...textOf(file, data));
      return searchTexts(
        texts.sort((a, b) => byCodeUnit(a.path, b.path)),
        search,
      );
    });
  }

  async glob(pattern: string, path = '/', options: CallOptions = {}): Promise<GlobResult> {
    options.signal?.throwIfAborted();
    const at = checkPath(path);
    if (isFailure(at)) return at;
    const compiled = compileGlob(pattern, { hiddenFolders: true });
    if ('error' in compiled) return compiled;
    return answered(at.path, async () => {
      const entries = await entriesBelow(this.place(), at, globPieces(pattern), options.signal);
      // The folder may exist even if nothing in it has those pieces.
      if (entries.length > 0 || at.path === '/') return globEntries(entries, at, compiled, options.sees);
      return (await this.hasBelow(at.path))
        ? { files: [], truncated: false }
        : failure('not_found', `Directory '${at.path}' not found`);
    });
  }

  async write(filePath: string, content: string, options: WriteOptions = {}): Promise<WriteResult> {
    const at = checkFile(filePath);
    if (isFailure(at)) return at;
    const like = (now: FileDataV2 | null) => storable(contentOf(at.path, content, now?.content));
    const made = await this.change(at, options, (now) => ({ content: like(now) }));
    return isFailure(made) ? made : written(made.content, { path: at.path, filesUpdate: null });
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
    const edited = await this.change(at, options, (before) => {
      if (before === null) return failure('not_found', `Error: File '${at.path}' not found`);
      if (typeof before.content !== 'string')
        return failure('binary', `'${at.path}' is not UTF-8 text and cannot be edited as text.`);
      const replaced = replaceText(before.content, oldString, newString, replaceAll);
      return isFailure(replaced)
        ? replaced
        : { content: storable(replaced.text), occurrences: replaced.occurrences };
    });
    if (!isFailure(edited)) {
      const { content, occurrences } = edited;
      return written(content, { path: at.path, filesUpdate: null, occurrences });
    }
    if (edited.kind !== 'not_found') return edited;
    return answered(at.path, async () =>
      (await this.hasBelow(at.path)) ? directoryFailure(at.path) : edited,
    );
  }

  /** One batch, so that a store with transactions deletes all or nothing. */
  async delete(filePath: string, options: WriteOptions = {}): Promise<DeleteResult> {
    options.signal?.throwIfAborted();
    const at = checkFile(filePath);
    if (isFailure(at)) return at;
    if (options.expectedVersion !== undefined) {
      const removed = await this.change(at, options, () => ({ content: null }));
      return isFailure(removed) ? removed : { path: at.path, filesUpdate: null };
    }
    const { store, namespace } = this.place();
    return answered(at.path, async () => {
      const gone = (await entriesBelow(this.place(), at, {}, options.signal)).map((entry) => entry.path);
      if (gone.length === 0) return failure('not_found', `Error: '${at.path}' not found`);
      await store.batch(gone.map((key) => ({ namespace, key, value: null })));
      return { path: at.path, filesUpdate: null };
    });
  }

  async uploadFiles(
    files: [path: string, content: Uint8Array][],
    options: WriteOptions = {},
  ): Promise<FileUploadResponse[]> {
    return uploadEach(files, options.signal, async (path, bytes) => {
      const at = checkFile(path);
      return isFailure(at)
        ? at
        : this.change(at, options, () => ({ content: dataFromBytes(at.path, bytes, '', '').content }));
    });
  }

  async downloadFiles(paths: string[], { signal }: CallOptions = {}): Promise<FileDownloadResponse[]> {
    const options = optional({ signal });
    return Promise.all(
      paths.map(async (path) => {
        const found = await this.find(path, options);
        return downloaded(path, isFailure(found) ? found : bytesOf(found.content));
      }),
    );
  }

  private place(): StorePlace {
    const store = this.runtime?.store ?? this.options.store ?? runStore();
    if (store === null)
      throw new Error('Store is required but not available: pass { store }, or compile the graph with one.');
    return { store, namespace: resolveNamespace(this.options.namespace, this.runtime) };
  }

  /** Reads a file, computes its new content and stores it, atomically if the store can. */
  private async change<Made extends object>(
    at: CheckedPath,
    options: WriteOptions,
    make: Change<Made>,
  ): Promise<Made | Failure> {
    options.signal?.throwIfAborted();
    const { store, namespace } = this.place();
    if (store.change === undefined) return this.changeInTurn(at, options, make);
    try {
      if (isTurnOver()) await yieldToEventLoop(options.signal);
      const { made } = await store.change(namespace, at.path, (now) => {
        const before = now.value === null ? null : fromValue(at.path, now.value);
        const refused =
          this.refusal(at, before, options) ??
          (before === null && placeTaken(at.path, now.isThere, now.isAnyBelow(`${at.path}/`)));
        const made = refused || make(before);
        if (isFailure(made)) return { made };
        const value = this.valueOf(at, before, made.content, options);
        return value !== null && isFailure(value) ? { made: value } : { made, value };
      });
      return made;
    } catch (thrown) {
      return storeFailure(at.path, thrown);
    }
  }

  /** Does the same in several steps, and retries if another process changed it in between. */
  private changeInTurn<Made extends object>(
    at: CheckedPath,
    options: WriteOptions,
    make: Change<Made>,
  ): Promise<Made | Failure> {
    const { store, namespace } = this.place();
    return withLock(`store\0${namespace.join('\0')}\0${at.path}`, () =>
      answered(at.path, async () => {
        for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
          options.signal?.throwIfAborted();
          const item = (await store.get(namespace, at.path)) ?? null;
          const before = item === null ? null : fromValue(at.path, item.value);
          const refused =
            this.refusal(at, before, options) ?? (before === null && (await this.placeTaken(at)));
          const made = refused || make(before);
          if (isFailure(made)) return made;
          const value = this.valueOf(at, before, made.content, options);
          if (value !== null && isFailure(value)) return value;
          const stored = await putIf(store, { namespace, key: at.path, value }, item?.value ?? null);
          if (typeof stored !== 'boolean') return stored;
          if (stored) return made;
        }
        return failure('conflict', `'${at.path}' keeps being changed by others. Try again later.`);
      }),
    );
  }

  private refusal(at: CheckedPath, before: FileDataV2 | null, options: WriteOptions): Failure | null {
    if (before !== null && options.createOnly) return existsFailure(at.path);
    if (options.expectedVersion === undefined) return null;
    if (before === null) return failure('not_found', `Error: File '${at.path}' not found`);
    return versionOf(before.content) === options.expectedVersion ? null : staleFailure(at.path);
  }

  private valueOf(
    at: CheckedPath,
    before: FileDataV2 | null,
    asked: string | Uint8Array | null,
    options: WriteOptions,
  ): Record<string, unknown> | null | Failure {
    if (asked === null) return null;
    const content = storable(asked);
    if (sizeOf(content) > this.maxBytes)
      return failure('too_large', `'${at.path}' is too large to be stored (at most ${this.maxBytes} bytes).`);
    const v1 = this.options.fileFormat === 'v1';
    if (v1 && typeof content !== 'string')
      return failure('unsupported', `'${at.path}' is binary, which file format v1 cannot hold.`);
    const modified_at = new Date().toISOString();
    const created_at = before?.created_at || modified_at;
    return toValue(
      { content, mimeType: mimeTypeFor(at.path, content), created_at, modified_at },
      { author: options.author, v1, keepsBytes: this.place().store instanceof InMemoryStore },
    );
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
    for await (const item of itemsBelow(this.place(), { path, segments: [] }, undefined))
      if (item.path !== path) return true;
    return false;
  }

  private async find(path: string, options: CallOptions): Promise<FileDataV2 | Failure> {
    options.signal?.throwIfAborted();
    const at = checkFile(path);
    if (isFailure(at)) return at;
    const { store, namespace } = this.place();
    // Not through `answered`: this is the most frequent call, and every promise counts.
    try {
      if (isTurnOver()) await yieldToEventLoop();
      const item = (await store.get(namespace, at.path)) ?? null;
      const data = item === null ? null : fromValue(at.path, item.value);
      if (data !== null) return data;
      return (await this.hasBelow(at.path))
        ? directoryFailure(at.path)
        : failure('not_found', `File '${at.path}' not found`);
    } catch (thrown) {
      return storeFailure(at.path, thrown);
    }
  }
}

enforceContract(StoreBackend.prototype);
