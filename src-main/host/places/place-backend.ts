import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { AppError } from '../../contract/result';
import type { ErrorKind } from '../../contract/shared/error-kind';
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
} from '../../harness';
import { type Failure, failure, isFailure, orUnknown, UnknownTarget } from '../../harness/backends';
import { type PlaceConnection, tooSlow, untilAborted } from './place-connection';
import type { ConnectedPlace } from './place-kind';

/** Milliseconds for one call, unless its caller gives it less. */
const CALL_LIMIT = 60_000;
/** The part of it after which a search returns what it has found. */
const SEARCHING = 0.8;
/** Milliseconds for checking whether a place is still there. */
const CHECK_LIMIT = 5_000;

/** Failures that are also what a lost place looks like. */
const SUSPICIOUS: readonly ErrorKind[] = ['not_found', 'denied', 'storage', 'network', 'timeout', 'internal'];

/**
 * The files of a place over its connection. No call waits longer than its limit, and a place that is offline or refuses
 * answers immediately and says why.
 */
export class PlaceBackend implements BackendProtocol {
  constructor(
    private readonly connection: PlaceConnection,
    private readonly callLimit = CALL_LIMIT,
  ) {}

  ls(path: string, options?: LsOptions): Promise<LsResult> {
    return this.call<LsResult>(options, (backend, given) => backend.ls(path, { ...options, ...given }));
  }

  read(path: string, offset?: number, limit?: number, options?: ReadOptions): Promise<ReadResult> {
    return this.call<ReadResult>(options, (backend, given) =>
      backend.read(path, offset, limit, { ...options, ...given }),
    );
  }

  readRaw(path: string, options?: CallOptions): Promise<ReadRawResult> {
    return this.call<ReadRawResult>(options, (backend, given) =>
      backend.readRaw(path, { ...options, ...given }),
    );
  }

  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): Promise<GrepResult> {
    return this.call<GrepResult>(options, (backend, given) =>
      backend.grep(pattern, path, glob, maxCount, { ...options, ...searching(given) }),
    );
  }

  glob(pattern: string, path?: string, options?: CallOptions): Promise<GlobResult> {
    return this.call<GlobResult>(options, (backend, given) =>
      backend.glob(pattern, path, { ...options, ...searching(given) }),
    );
  }

  write(path: string, content: string, options?: WriteOptions): Promise<WriteResult> {
    return this.call<WriteResult>(options, (backend, given) =>
      backend.write(path, content, { ...options, ...given }),
    );
  }

  edit(path: string, from: string, to: string, all?: boolean, options?: WriteOptions): Promise<EditResult> {
    return this.call<EditResult>(options, (backend, given) =>
      backend.edit(path, from, to, all, { ...options, ...given }),
    );
  }

  delete(path: string, options?: WriteOptions): Promise<DeleteResult> {
    return this.call<DeleteResult>(options, async (backend, given) =>
      backend.delete === undefined
        ? failure('unsupported', `Error: nothing can be deleted at '${path}'.`)
        : backend.delete(path, { ...options, ...given }),
    );
  }

  async uploadFiles(
    files: [path: string, content: Uint8Array][],
    options?: WriteOptions,
  ): Promise<FileUploadResponse[]> {
    const done = await this.call<{ answers: FileUploadResponse[] }>(options, async (backend, given) => ({
      answers: (await backend.uploadFiles?.(files, { ...options, ...given })) ?? [],
    }));
    if ('answers' in done && done.answers.length === files.length) return done.answers;
    return files.map(([path]) => ({ path, ...notTransferred(done) }));
  }

  async downloadFiles(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]> {
    const done = await this.call<{ answers: FileDownloadResponse[] }>(options, async (backend, given) => ({
      answers: (await backend.downloadFiles?.(paths, { ...options, ...given })) ?? [],
    }));
    if ('answers' in done && done.answers.length === paths.length) return done.answers;
    return paths.map((path) => ({ path, content: null, ...notTransferred(done) }));
  }

  /** Rejects with `UnknownTarget` if the place is lost or too slow: it might lead anywhere. */
  async realPath(path: string, options?: CallOptions): Promise<string> {
    const found = await this.call<{ real: string } | Failure>(options, async (backend, given) => {
      const real = await orUnknown(backend.realPath?.(path, given) ?? Promise.resolve(path));
      if (typeof real !== 'string') return real;
      // Maybe the place is lost, which the next call must not wait to find out again.
      return real === `/..${path}`
        ? failure('network', `Error: it is unknown where '${path}' leads.`)
        : { real };
    });
    if (isFailure(found)) throw new UnknownTarget(found);
    return found.real;
  }

  private async call<R extends object>(
    options: CallOptions | undefined,
    work: (backend: BackendProtocol, given: Given) => Promise<R>,
  ): Promise<R | Failure> {
    const limit = Math.min(options?.timeoutMs ?? this.callLimit, this.callLimit);
    const slow = new AbortController();
    const timer = setTimeout(() => slow.abort(), limit);
    const signal =
      options?.signal === undefined ? slow.signal : AbortSignal.any([options.signal, slow.signal]);
    try {
      const ready = await this.connection.ready(signal);
      if (!ready.ok) return unusable(ready.error);
      const running = work(ready.value.backend, { signal, timeoutMs: limit });
      const result = await untilAborted(running, signal);
      return (await this.whyLost(ready.value, result)) ?? result;
    } catch (thrown) {
      options?.signal?.throwIfAborted();
      if (!slow.signal.aborted) throw thrown;
      return failure(
        'timeout',
        `Error: the place '/' did not answer within ${Math.ceil(limit / 1_000)} s. A change may still be carried out. Read again before you repeat it.`,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Checks the place after a failure that a lost place explains. */
  private async whyLost(place: ConnectedPlace, result: object): Promise<Failure | null> {
    if (!('error' in result) || typeof result.error !== 'string') return null;
    const kind = 'kind' in result ? result.kind : undefined;
    if (!SUSPICIOUS.some((one) => one === kind)) return null;
    const limit = AbortSignal.timeout(CHECK_LIMIT);
    const error = await this.connection.verify(place, limit).catch((): AppError | null => {
      // The connection failed and does not come back. After any other failure it may just be busy.
      if (kind !== 'network') return null;
      this.connection.lost(place, tooSlow(CHECK_LIMIT));
      return tooSlow(CHECK_LIMIT);
    });
    return error === null ? null : unusable(error);
  }
}

interface Given {
  signal: AbortSignal;
  timeoutMs: number;
}

const searching = ({ signal, timeoutMs }: Given): Given => ({ signal, timeoutMs: timeoutMs * SEARCHING });

/** The mount replaces the quoted path by its own. */
const unusable = (error: AppError): Failure =>
  failure(
    error.kind === 'denied' || error.kind === 'bad_key' ? 'denied' : 'network',
    `Error: the place '/' cannot be used now. ${inEnglish(error)} Everything else still works.`,
  );

const notTransferred = (done: object) => ({
  error: 'permission_denied' as const,
  ...('kind' in done ? { kind: done.kind as ErrorKind } : {}),
});
