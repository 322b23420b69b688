import { anyObject, type Checks, checkOptions, oneOf } from '../../base/check-options';
import { isBelow } from '../../base/is-below';
import { enforceContract } from './enforce-contract';
import { directoryFailure, existsFailure, type Failure, failure, isFailure, staleFailure } from './failure';
import { byCodeUnit, type CheckedPath, checkFile, checkPath } from './paths';
import type {
  BackendProtocol,
  CallOptions,
  DeleteResult,
  EditResult,
  FileData,
  FileDownloadResponse,
  FilesUpdate,
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
} from './protocol';
import { fileDataReducer } from './protocol';
import { runFunction } from './run-context';
import { capOf } from './search/file-search';
import { scopeOfSearch } from './search/search-scope';
import { searchTexts } from './search/text-search';
import { byPath, keyOf, pathOfKey } from './state-keys';
import { noteWritten, stepWrites } from './step-writes';
import { asV2, bytesOf, contentOf, dataFromBytes, mimeTypeFor, readData, sizeOf } from './text/content';
import { replaceText, versionOf, written } from './text/text';
import { downloaded, uploaded } from './transfer';
import { type Entry, globEntries, listChildren, placeTaken } from './virtual-tree';

/** A change that was made. Null if it is already applied, else for the program to apply. */
interface Handed<U> {
  filesUpdate: U | null;
}

/** Access to the files of a thread. Both calls are synchronous. `read` sees what was sent before. */
export interface StateFiles {
  /** All files, by path. */
  read(): Record<string, FileData>;
  /** `null` deletes. */
  send(update: FilesUpdate): void;
  /** Whether a write to the file would be lost, since a write that is applied later has already happened. */
  isTaken?(path: string): boolean;
}

/** Options of `StateBackend`. */
export interface StateBackendOptions {
  /** Default: the `files` channel of the LangGraph run that contains the call. */
  files?: StateFiles;
  /** Format of stored files. Both can be read. Default v2, the only one that holds bytes. */
  fileFormat?: 'v1' | 'v2';
}

const CHECKS: Checks<StateBackendOptions> = { files: anyObject, fileFormat: oneOf('v1', 'v2') };

/**
 * Files in the thread's state: checkpointed with it and invisible to other threads. A call sees everything written before
 * it, even by parallel tasks of the same step. Their writes are applied in task order. If a later task has already written a
 * file, an earlier task's write fails with kind `conflict`, so nothing is lost silently.
 */
export class StateBackend implements BackendProtocol {
  private readonly files: StateFiles;
  private readonly fileFormat: 'v1' | 'v2';
  /** Changes are returned in results, for the program to apply. */
  private readonly handsBack: boolean;

  constructor(options?: StateBackendOptions);
  /** @deprecated Pass no `runtime`: with it, changes are not applied but returned as `filesUpdate`. */
  constructor(runtime: { state: unknown }, options?: StateBackendOptions);
  constructor(given: StateBackendOptions | { state: unknown } = {}, more: StateBackendOptions = {}) {
    this.handsBack = 'state' in given;
    const options = 'state' in given ? more : given;
    if (new.target === StateBackend) checkOptions('StateBackend', options, CHECKS);
    this.files = 'state' in given ? filesIn(given) : (options.files ?? filesOfRun);
    this.fileFormat = options.fileFormat ?? 'v2';
  }

  async ls(path: string, options: LsOptions = {}): Promise<LsResult> {
    options.signal?.throwIfAborted();
    const at = checkPath(path);
    return isFailure(at) ? at : listChildren(this.entries(), at, options);
  }

  async read(filePath: string, offset = 0, limit = 500, options: CallOptions = {}): Promise<ReadResult> {
    const found = this.find(filePath, options);
    return isFailure(found) ? found : readData(found.data, offset, limit);
  }

  async readRaw(filePath: string, options: CallOptions = {}): Promise<ReadRawResult> {
    const found = this.find(filePath, options);
    return isFailure(found) ? found : { data: found.data };
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
    const all = byPath(this.files.read());
    if (at.path !== '/' && !Object.hasOwn(all, at.path) && !hasBelow(all, at.path))
      return failure('not_found', `File '${at.path}' not found`);
    const texts = Object.keys(all)
      .filter(inScope)
      .sort(byCodeUnit)
      .flatMap((file) => {
        const content = this.data(all, file)?.content;
        return typeof content === 'string' && !content.includes('\0') ? [{ path: file, text: content }] : [];
      });
    return searchTexts(texts, { ...options, pattern, cap: capOf(maxCount) });
  }

  async glob(pattern: string, path = '/', options: CallOptions = {}): Promise<GlobResult> {
    options.signal?.throwIfAborted();
    const at = checkPath(path);
    return isFailure(at) ? at : globEntries(this.entries(), at, pattern, options.sees);
  }

  async write(filePath: string, content: string, options: WriteOptions = {}): Promise<WriteResult> {
    const at = checkFile(filePath);
    if (isFailure(at)) return at;
    const all = this.files.read();
    const whole = contentOf(at.path, content, this.data(all, keyOf(all, at.path))?.content);
    const put = this.put(at, whole, options);
    return isFailure(put) ? put : written(whole, { path: at.path, ...put });
  }

  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll = false,
    options: WriteOptions = {},
  ): Promise<EditResult> {
    const found = this.find(filePath, options);
    if (isFailure(found))
      return found.kind === 'not_found' ? failure('not_found', `Error: ${found.error}`) : found;
    const { at, data } = found;
    if (typeof data.content !== 'string')
      return failure('binary', `'${at.path}' is not UTF-8 text and cannot be edited as text.`);
    const edited = replaceText(data.content, oldString, newString, replaceAll);
    if (isFailure(edited)) return edited;
    const { text, occurrences } = edited;
    const put = this.put(at, text, options);
    return isFailure(put) ? put : written(text, { path: at.path, ...put, occurrences });
  }

  async delete(filePath: string, options: WriteOptions = {}): Promise<DeleteResult> {
    options.signal?.throwIfAborted();
    const at = checkFile(filePath);
    if (isFailure(at)) return at;
    const all = this.files.read();
    const data = this.data(all, keyOf(all, at.path));
    if (options.expectedVersion !== undefined) {
      if (data === undefined) return failure('not_found', `Error: File '${at.path}' not found`);
      if (versionOf(data.content) !== options.expectedVersion) return staleFailure(at.path);
    }
    const gone = Object.keys(all).filter((key) => isBelow(pathOfKey(key), at.path));
    if (gone.length === 0) return failure('not_found', `Error: '${at.path}' not found`);
    const taken = gone.find((key) => this.files.isTaken?.(key));
    if (taken !== undefined) return takenFailure(taken);
    return {
      path: at.path,
      filesUpdate: this.send(Object.fromEntries(gone.map((key) => [key, null] as const))),
    };
  }

  async uploadFiles(
    files: [path: string, content: Uint8Array][],
    options: WriteOptions = {},
  ): Promise<FileUploadResponse[]> {
    return files.map(([path, bytes]) => {
      const at = checkFile(path);
      if (isFailure(at)) return uploaded(path, at);
      return uploaded(path, this.put(at, dataFromBytes(at.path, bytes, '', '').content, options));
    });
  }

  async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    return paths.map((path) => {
      const found = this.find(path, {});
      return downloaded(path, isFailure(found) ? found : bytesOf(found.data.content));
    });
  }

  /** Synchronous from reading to sending, so that nothing of the same task comes between. */
  private put(
    at: CheckedPath,
    content: string | Uint8Array,
    options: WriteOptions,
  ): Handed<Record<string, FileData>> | Failure {
    options.signal?.throwIfAborted();
    const all = this.files.read();
    const key = keyOf(all, at.path);
    const before = this.data(all, key);
    if (before !== undefined && options.createOnly) return existsFailure(at.path);
    if (options.expectedVersion !== undefined) {
      if (before === undefined) return failure('not_found', `Error: File '${at.path}' not found`);
      if (versionOf(before.content) !== options.expectedVersion) return staleFailure(at.path);
    }
    if (before === undefined) {
      const files = byPath(all);
      const taken = placeTaken(at.path, (path) => Object.hasOwn(files, path), hasBelow(files, at.path));
      if (taken !== null) return taken;
    }
    if (this.files.isTaken?.(key)) return takenFailure(at.path);
    if (this.fileFormat === 'v1' && typeof content !== 'string')
      return failure('unsupported', `'${at.path}' is binary, which file format v1 cannot hold.`);
    const modified_at = new Date().toISOString();
    const created_at = before?.created_at ?? modified_at;
    const data: FileData =
      this.fileFormat === 'v1' && typeof content === 'string'
        ? { content: content.split('\n'), created_at, modified_at }
        : { content, mimeType: mimeTypeFor(at.path, content), created_at, modified_at };
    return { filesUpdate: this.send({ [key]: data }) };
  }

  /** Null if the change is already applied. */
  private send<U extends FilesUpdate>(update: U): U | null {
    if (this.handsBack) return update;
    this.files.send(update);
    return null;
  }

  private find(
    path: string,
    options: CallOptions,
  ): { at: CheckedPath; data: ReturnType<typeof asV2> } | Failure {
    options.signal?.throwIfAborted();
    const at = checkFile(path);
    if (isFailure(at)) return at;
    const all = this.files.read();
    const data = this.data(all, keyOf(all, at.path));
    if (data !== undefined) return { at, data };
    return hasBelow(byPath(all), at.path)
      ? directoryFailure(at.path)
      : failure('not_found', `File '${at.path}' not found`);
  }

  private data(all: Record<string, FileData>, key: string): ReturnType<typeof asV2> | undefined {
    const data = Object.hasOwn(all, key) ? all[key] : undefined;
    return data === undefined ? undefined : asV2(key, data);
  }

  private entries(): Entry[] {
    return Object.entries(byPath(this.files.read())).map(([path, data]) => {
      const { content, modified_at } = asV2(path, data);
      return { path, size: sizeOf(content), modified_at };
    });
  }
}

enforceContract(StateBackend.prototype);

const hasBelow = (all: Record<string, FileData>, path: string): boolean =>
  Object.keys(all).some((key) => key.startsWith(`${path}/`));

/** The run that contains the call: LangGraph's reader (which applies what this task has sent) and sender. */
const filesOfRun: StateFiles = {
  read() {
    const files = ofRun('__pregel_read')('files', true);
    const own = isFiles(files) ? files : {};
    const others = stepWrites()?.fromOthers() ?? {};
    return Object.keys(others).length === 0 ? own : fileDataReducer(own, others);
  },
  send(update) {
    ofRun('__pregel_send')([['files', update]]);
    stepWrites()?.note(update);
    noteWritten(update);
  },
  isTaken: (path) => stepWrites()?.takenBy(path) === 'later',
};

/** The files of a state that a program passes. */
function filesIn(runtime: { state: unknown }): StateFiles {
  const { state } = runtime;
  return {
    read: () => {
      const files: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'files') : null;
      return isFiles(files) ? files : {};
    },
    send: () => undefined,
  };
}

const takenFailure = (path: string): Failure =>
  failure(
    'conflict',
    `'${path}' was changed by a later call in the same answer, and that change was kept. Read it again, then repeat the change.`,
  );

function ofRun(name: string): (...args: unknown[]) => unknown {
  const found = runFunction(name);
  if (found === null)
    throw new Error(
      'StateBackend is used outside a LangGraph run: pass { files } to say where the files are.',
    );
  return found;
}

const isFiles = (value: unknown): value is Record<string, FileData> =>
  typeof value === 'object' && value !== null;
