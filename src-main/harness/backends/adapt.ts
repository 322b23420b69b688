import { optional } from '../../contract/shared/optional';
import { type CheckedChanges, checkedChanges } from './checked-change';
import type { ExecuteOptions, ExecuteResponse, SandboxBackendProtocol } from './commands';
import { isEnforced } from './enforce-contract';
import { failure } from './failure';
import type {
  BackendProtocol,
  CallOptions,
  FilesUpdate,
  LsOptions,
  LsResult,
  ReadRawResult,
  ReadResult,
} from './protocol';
import type {
  AnyBackend,
  BackendV1,
  BackendV2,
  MaybePromise,
  PublishedBackend,
  PublishedExecuteOptions,
} from './published-protocol';
import { runFunction } from './run-context';
import { noteWritten, stepWrites } from './step-writes';
import { asV2, bytesOf, readData } from './text/content';
import { isTextMime, mimeTypeOf } from './text/mime';
import { applyGrepMaxCount } from './text/read-limits';
import { treeFacts } from './tree-facts';

/** Backends that are already adapted, or do not need to be. */
const adapted = new WeakMap<object, BackendProtocol>();

/**
 * Adapts a backend of either published version to ours. Every method returns a promise of a result. A call whose `signal` is
 * already aborted rejects. Pages of text say whether there is more. Changes that old state backends return are sent to the
 * state. A backend of another library need not know the conditions of changes: they are checked first. `routePrefixes`, `id` and
 * `execute` are kept. Adapting the same backend twice returns the same object.
 */
export function adaptBackendProtocol(backend: AnyBackend): BackendProtocol {
  const known = adapted.get(backend);
  if (known !== undefined) return known;
  const made: BackendProtocol = 'lsInfo' in backend ? adaptV1(backend) : adaptV2(backend);
  // A sandbox may have no id until it has started.
  if (backend.execute !== undefined)
    Object.defineProperty(made, 'id', { get: () => backend.id ?? '', enumerable: true });
  adapted.set(backend, made);
  adapted.set(made, made);
  return made;
}

/** The same for a backend to be called by one of ours, which answer as they are. */
export const currentBackend = (backend: AnyBackend): BackendProtocol =>
  isEnforced(backend) ? backend : adaptBackendProtocol(backend);

/**
 * Does the same for a backend that runs commands, or may once it has started: `execute` always exists, and returns an error
 * if the backend has none.
 */
export function adaptSandboxProtocol(backend: AnyBackend): SandboxBackendProtocol {
  const made = adaptBackendProtocol(backend);
  const { execute } = made as Partial<SandboxBackendProtocol>;
  if (execute !== undefined) return made as SandboxBackendProtocol;
  return Object.assign(Object.create(made) as BackendProtocol, { id: '', execute: async () => NO_EXECUTION });
}

function adaptV2(backend: BackendV2): BackendProtocol {
  const reading: Reading = {
    ls: async (path, options) => {
      options?.signal?.throwIfAborted();
      return pageOf(withoutNull(await backend.ls(path, options)), options);
    },
    read: async (path, offset = 0, limit = 500, options) => {
      options?.signal?.throwIfAborted();
      const page = withoutNull(await backend.read(path, offset, limit, options));
      // The published base sandbox numbers the lines, and so does the tool. Take the page from the raw file instead.
      if (isNumbered(page, offset)) {
        const raw = await backend.readRaw(path, options);
        if (raw.error === undefined && raw.data !== undefined)
          return readData(asV2(path, raw.data), offset, limit);
      }
      return withNext(page, offset, limit, () => backend.read(path, offset + limit, 1, options));
    },
    readRaw: async (path, options) => {
      options?.signal?.throwIfAborted();
      // The published backend over a folder throws if the file is missing.
      return Promise.resolve()
        .then(async () =>
          // Hand-written backends may lack it, and the published middleware does not call it.
          (backend.readRaw as unknown) === undefined
            ? rawFromPages(backend, path)
            : withoutNull(await backend.readRaw(path, options)),
        )
        .catch((thrown: unknown) => thrownFailure(thrown, path, options));
    },
    grep: async (pattern, path, glob, maxCount, options) => {
      options?.signal?.throwIfAborted();
      const result = withoutNull(await backend.grep(pattern, path, glob, maxCount, options));
      return applyGrepMaxCount({ result, maxCount });
    },
    glob: async (pattern, path, options) => {
      options?.signal?.throwIfAborted();
      return withoutNull(await backend.glob(pattern, path, options));
    },
  };
  return { ...reading, ...shared(backend, reading) };
}

function adaptV1(backend: BackendV1): BackendProtocol {
  const readRaw = async (path: string, options?: CallOptions): Promise<ReadRawResult> => {
    options?.signal?.throwIfAborted();
    try {
      return { data: asV2(path, await backend.readRaw(path)) };
    } catch (thrown) {
      return thrownFailure(thrown, path, options);
    }
  };
  const reading: Reading = {
    ls: async (path, options) => {
      options?.signal?.throwIfAborted();
      return pageOf({ files: await backend.lsInfo(path) }, options);
    },
    // Its `read` numbers the lines, and so does the tool. Cut the page from the raw file instead.
    read: async (path, offset = 0, limit = 500, options) => {
      const raw = await readRaw(path, options);
      return raw.data === undefined
        ? failure(raw.kind ?? 'not_found', raw.error ?? `File '${path}' not found`)
        : readData(asV2(path, raw.data), offset, limit);
    },
    readRaw,
    grep: async (pattern, path, glob, maxCount, options) => {
      options?.signal?.throwIfAborted();
      const found = await backend.grepRaw(pattern, path, glob);
      return typeof found === 'string'
        ? failure('invalid', found)
        : applyGrepMaxCount({ result: { matches: found }, maxCount });
    },
    glob: async (pattern, path, options) => {
      options?.signal?.throwIfAborted();
      return { files: await backend.globInfo(pattern, path) };
    },
  };
  return { ...reading, ...shared(backend, reading) };
}

type Reading = Pick<BackendProtocol, 'ls' | 'read' | 'readRaw' | 'grep' | 'glob'>;

/** The methods that both versions share. */
function shared(backend: PublishedBackend, reading: Reading): SharedMethods {
  const { change, upload: uploadIf } = isEnforced(backend) ? UNCHECKED : checkedChanges(reading);
  const { routePrefixes, shellPrefixes } = backend;
  const remove = backend.delete?.bind(backend);
  const upload = backend.uploadFiles?.bind(backend);
  const download = backend.downloadFiles?.bind(backend);
  const execute = backend.execute?.bind(backend);
  const realPath = backend.realPath?.bind(backend);
  return {
    write: async (path, content, options) => {
      options?.signal?.throwIfAborted();
      return change(path, options, async () => applied(await backend.write(path, content, options)));
    },
    edit: async (path, from, to, replaceAll, options) => {
      options?.signal?.throwIfAborted();
      return change(path, options, async () =>
        applied(await backend.edit(path, from, to, replaceAll, options)),
      );
    },
    ...(remove === undefined
      ? {}
      : {
          delete: async (path, options) => {
            options?.signal?.throwIfAborted();
            return change(path, options, async () => applied(await remove(path, options)));
          },
        }),
    ...(upload === undefined
      ? {}
      : {
          uploadFiles: async (files, options) => {
            options?.signal?.throwIfAborted();
            return uploadIf(files, options, async (some) => upload(some, options));
          },
        }),
    ...(download === undefined
      ? {}
      : {
          downloadFiles: async (paths, options) => {
            options?.signal?.throwIfAborted();
            return download(paths, options);
          },
        }),
    ...optional({ realPath, routePrefixes }),
    ...treeFacts(backend),
    // Without it, path rules would seem to apply where commands bypass them.
    ...optional({ shellPrefixes }),
    ...(execute === undefined
      ? {}
      : {
          execute: async (command: string, options?: ExecuteOptions) => {
            options?.signal?.throwIfAborted();
            return execute(command, withSeconds(options));
          },
          ...optional({
            jobs: backend.jobs,
            confines: backend.confines,
            commandPlaces: backend.commandPlaces,
            commandTimeout: backend.commandTimeout,
          }),
        }),
  };
}

/** Ours check conditions themselves, in one step with the change where they can. */
const UNCHECKED: CheckedChanges = {
  change: (_path, _options, work) => work(),
  upload: (files, _options, work) => work(files),
};

/** At least one second: none would mean no limit. */
function withSeconds(options: ExecuteOptions | undefined): PublishedExecuteOptions | undefined {
  const { timeoutMs } = options ?? {};
  return timeoutMs === undefined || !Number.isFinite(timeoutMs)
    ? options
    : { ...options, timeout: Math.max(1, Math.ceil(timeoutMs / 1_000)) };
}

type SharedMethods = Pick<
  BackendProtocol,
  'write' | 'edit' | 'delete' | 'uploadFiles' | 'downloadFiles' | 'realPath'
> &
  Partial<
    Pick<SandboxBackendProtocol, 'execute' | 'jobs' | 'confines' | 'commandPlaces' | 'commandTimeout'>
  > & {
    routePrefixes?: readonly string[];
    shellPrefixes?: readonly string[];
  };

export const NO_EXECUTION: ExecuteResponse = {
  output:
    "Error: Execution not available. This agent's backend does not support command execution (SandboxBackendProtocol).",
  exitCode: 1,
  truncated: false,
};

/** Lines of any file. */
const WHOLE = 1_000_000_000;

/** Old state backends do not change the state themselves: they return the change. */
function applied<R extends { error?: string; filesUpdate?: FilesUpdate | null }>(answer: R): R {
  const result = withoutNull(answer);
  if (!result.filesUpdate || result.error !== undefined) return result;
  const send = runFunction('__pregel_send');
  if (send === null) return result;
  send([['files', result.filesUpdate]]);
  stepWrites()?.note(result.filesUpdate);
  noteWritten(result.filesUpdate);
  return { ...result, filesUpdate: null };
}

/** The whole file, for a backend without `readRaw`. */
async function rawFromPages(backend: BackendV2, path: string): Promise<ReadRawResult> {
  const [file] = (await backend.downloadFiles?.([path])) ?? [];
  const page = file === undefined ? withoutNull(await backend.read(path, 0, WHOLE)) : undefined;
  const content = file === undefined ? page?.content : file.content;
  if (content === undefined || content === null)
    return failure('not_found', page?.error ?? `File '${path}' not found`);
  const mimeType = mimeTypeOf(path);
  const bytes = typeof content === 'string' ? null : bytesOf(content);
  const text = bytes !== null && isTextMime(mimeType) ? new TextDecoder().decode(bytes) : content;
  return { data: { content: text, mimeType, created_at: '', modified_at: '' } };
}

/** Some backends write `error: null` where there is none. */
function withoutNull<R extends { error?: string }>(result: R): R {
  if ((result.error as unknown) !== null) return result;
  const { error: _, ...rest } = result;
  return rest as R;
}

/** The published protocol has no pages of a folder: its backends answer with all entries. */
function pageOf(all: LsResult, { offset = 0, limit }: LsOptions = {}): LsResult {
  const { files, total, nextOffset } = all;
  if (files === undefined || total !== undefined || nextOffset !== undefined) return all;
  const to = Math.min(files.length, offset + (limit ?? files.length));
  const page = { ...all, files: files.slice(offset, to), total: files.length };
  return to < files.length ? { ...page, truncated: true, nextOffset: to } : page;
}

/** If a full page does not say whether there is more, read the line after it. */
async function withNext(
  page: ReadResult,
  offset: number,
  limit: number,
  after: () => MaybePromise<ReadResult>,
): Promise<ReadResult> {
  const says = page.totalLines !== undefined || page.nextOffset !== undefined || page.size !== undefined;
  if (page.error !== undefined || typeof page.content !== 'string' || says || limit <= 0) return page;
  if (page.content.split('\n').length < limit) return page;
  const next = await after();
  const more = next.error === undefined && typeof next.content === 'string' && next.content !== '';
  return more ? { ...page, nextOffset: offset + limit } : page;
}

/** Whether each line starts with its number. A real file may look like that too. */
function isNumbered(page: ReadResult, offset: number): boolean {
  if (typeof page.content !== 'string' || page.content === '' || page.size !== undefined) return false;
  const lines = page.content.replace(/\n$/, '').split('\n');
  return lines.every((line, index) => /^ *(\d+)\t/.exec(line)?.[1] === String(offset + index + 1));
}

function thrownFailure(thrown: unknown, path: string, options: CallOptions | undefined) {
  options?.signal?.throwIfAborted();
  if (!(thrown instanceof Error)) throw thrown;
  return /not found|no such file|ENOENT/i.test(thrown.message)
    ? failure('not_found', `File '${path}' not found`)
    : failure('invalid', thrown.message);
}
