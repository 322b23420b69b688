import { currentBackend } from '../adapt';
import {
  type ExecuteOptions,
  type ExecuteResponse,
  isSandboxBackend,
  type JobControl,
  type SandboxBackendProtocol,
} from '../commands';
import { enforceContract } from '../enforce-contract';
import { type Failure, failure, isFailure, orUnknown } from '../failure';
import { checkPath } from '../paths';
import type {
  BackendProtocol,
  CallOptions,
  DeleteResult,
  EditResult,
  FileDownloadResponse,
  FileUploadResponse,
  GlobResult,
  GrepMatch,
  GrepOptions,
  GrepResult,
  LsOptions,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteOptions,
  WriteResult,
} from '../protocol';
import { transferError } from '../transfer';
import { type RouteFolder, treeFacts } from '../tree-facts';
import { pageOfListing } from '../virtual-tree';
import { wholeListing } from '../whole-listing';
import { screenedJobs } from './screened-jobs';

/**
 * A call that is about to run. `path` is canonical. `content` is the content to write, if there is any. Each file of an
 * upload or a download is a call of its own.
 */
export type ScreenedCall =
  | {
      /** The method that was called. */
      operation: 'ls' | 'read' | 'grep' | 'glob' | 'download';
      /** What the call does. */
      access: 'read';
      /** The file, or where a listing or search starts. */
      path: string;
    }
  | {
      /** Creates or replaces a file. */
      operation: 'write' | 'upload';
      /** What the call does. */
      access: 'write';
      /** The file. */
      path: string;
      /** The whole new content. */
      content: string | Uint8Array;
    }
  | {
      /** Replaces a text in a file. */
      operation: 'edit';
      /** What the call does. */
      access: 'write';
      /** The file. */
      path: string;
      /** The text that replaces the old one, without the rest of the file. */
      content: string;
    }
  | {
      /** Deletes a file or a folder. */
      operation: 'delete';
      /** What the call does. */
      access: 'write';
      /** The file, or the folder with everything below it. */
      path: string;
    }
  | {
      /** Runs a command. */
      operation: 'execute';
      /** What the call does. */
      access: 'execute';
      /** The command line as it was given. */
      command: string;
    };

/**
 * A backend in front of another that allows or rejects calls. Each path is made canonical once, and the inner backend gets
 * exactly the path that was checked. Link targets are checked too. Listings and searches are filtered before they are cut to
 * their limits, so that hidden entries take no place of visible ones.
 */
export abstract class ScreenedBackend implements SandboxBackendProtocol {
  readonly delete?: NonNullable<BackendProtocol['delete']>;
  /** Prefixes of the routes, as the inner backend has them. */
  readonly routePrefixes?: readonly string[];
  /** Passed on with the routes: rules do not apply where commands run, whatever backends are in between. */
  readonly shellPrefixes?: readonly string[];
  /** Folder for what the agent saves automatically, as the inner backend has it. */
  readonly artifactsRoot?: string;
  /** Where commands find the files of routes, as the inner backend has it. */
  readonly routeFolders?: readonly RouteFolder[];

  /** The backend behind this one. It receives only calls that were allowed. */
  protected readonly inner: BackendProtocol;
  constructor(given: BackendProtocol) {
    const inner = currentBackend(given);
    this.inner = inner;
    const remove = inner.delete?.bind(inner);
    if (remove !== undefined)
      this.delete = (path, options) =>
        this.through<DeleteResult>({ operation: 'delete', access: 'write', path }, options, (at) =>
          remove(at, options),
        );
    Object.assign(this, treeFacts(inner));
    if ('routePrefixes' in inner && Array.isArray(inner.routePrefixes))
      this.routePrefixes = inner.routePrefixes;
    if ('shellPrefixes' in inner && Array.isArray(inner.shellPrefixes))
      this.shellPrefixes = inner.shellPrefixes;
  }

  /** Not empty only if the inner backend runs commands. */
  get id(): string {
    return isSandboxBackend(this.inner) ? this.inner.id : '';
  }

  /** Whether this call is allowed on this path. Called again for the target of a link. Null allows the call. */
  protected abstract check(call: ScreenedCall): Promise<Failure | null> | Failure | null;

  /** Called once per call, after `check`. */
  protected admit(_call: ScreenedCall): Promise<Failure | null> | Failure | null {
    return null;
  }

  /** Whether a path may appear in a listing. Null: all may. */
  protected abstract readonly sees: ((path: string) => boolean) | null;

  /** Receives the result of each call, including rejections. */
  protected ended(_call: ScreenedCall, _failed: Failure | { error: string } | null): void {}

  ls(path: string, options: LsOptions = {}): Promise<LsResult> {
    return this.through<LsResult>({ operation: 'ls', access: 'read', path }, options, async (at, real) => {
      if (this.sees === null) return this.inner.ls(at, options);
      const all = await wholeListing(this.inner, at, options);
      if (all.error !== undefined) return all;
      const listing = pageOfListing((all.files ?? []).filter(this.visible(at, real)), options);
      return all.truncated ? { ...listing, truncated: true } : listing;
    });
  }

  read(filePath: string, offset?: number, limit?: number, options?: CallOptions): Promise<ReadResult> {
    return this.through({ operation: 'read', access: 'read', path: filePath }, options, (at) =>
      this.inner.read(at, offset, limit, options),
    );
  }

  readRaw(filePath: string, options?: CallOptions): Promise<ReadRawResult> {
    return this.through({ operation: 'read', access: 'read', path: filePath }, options, (at) =>
      this.inner.readRaw(at, options),
    );
  }

  grep(
    pattern: string,
    path: string | null = '/',
    glob: string | null = null,
    maxCount: number | null = null,
    options?: GrepOptions,
  ): Promise<GrepResult> {
    return this.through<GrepResult>(
      { operation: 'grep', access: 'read', path: path ?? '/' },
      options,
      async (at, real) => {
        if (this.sees === null || maxCount === null) {
          const found = await this.inner.grep(pattern, at, glob, maxCount, this.seeing(at, real, options));
          return this.sees === null || found.matches === undefined
            ? found
            : { ...found, matches: found.matches.filter(this.visible(at, real)) };
        }
        // Hidden results must not spend the budget: ask for more until enough are left, or there are no more.
        for (let asked = maxCount + 1; ; asked *= 4) {
          const found: GrepResult = await this.inner.grep(
            pattern,
            at,
            glob,
            asked,
            this.seeing(at, real, options),
          );
          if (found.error !== undefined || found.matches === undefined) return found;
          const matches: GrepMatch[] = found.matches.filter(this.visible(at, real));
          const cut = found.truncated ?? false;
          if (matches.length > maxCount)
            return { ...found, matches: matches.slice(0, maxCount), truncated: true };
          if (!cut || found.matches.length < asked) return { ...found, matches, truncated: cut };
        }
      },
    );
  }

  glob(pattern: string, path = '/', options?: CallOptions): Promise<GlobResult> {
    return this.through<GlobResult>(
      { operation: 'glob', access: 'read', path },
      options,
      async (at, real) => {
        const found = await this.inner.glob(pattern, at, this.seeing(at, real, options));
        if (this.sees === null || found.files === undefined) return found;
        return { ...found, files: found.files.filter(this.visible(at, real)) };
      },
    );
  }

  write(filePath: string, content: string, options?: WriteOptions): Promise<WriteResult> {
    return this.through({ operation: 'write', access: 'write', path: filePath, content }, options, (at) =>
      this.inner.write(at, content, options),
    );
  }

  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
    options?: WriteOptions,
  ): Promise<EditResult> {
    return this.through(
      { operation: 'edit', access: 'write', path: filePath, content: newString },
      options,
      (at) => this.inner.edit(at, oldString, newString, replaceAll, options),
    );
  }

  async uploadFiles(
    files: [path: string, content: Uint8Array][],
    options?: WriteOptions,
  ): Promise<FileUploadResponse[]> {
    return Promise.all(
      files.map(async ([path, content]): Promise<FileUploadResponse> => {
        const answer = await this.through(
          { operation: 'upload', access: 'write', path, content },
          options,
          async (at) => transferred((await this.inner.uploadFiles?.([[at, content]], options))?.[0]),
        );
        return 'file' in answer ? { ...answer.file, path } : { path, error: transferError(answer) };
      }),
    );
  }

  async downloadFiles(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]> {
    return Promise.all(
      paths.map(async (path): Promise<FileDownloadResponse> => {
        const answer = await this.through(
          { operation: 'download', access: 'read', path },
          options,
          async (at) => transferred((await this.inner.downloadFiles?.([at], options))?.[0]),
        );
        return 'file' in answer
          ? { content: null, ...answer.file, path }
          : { path, content: null, error: transferError(answer) };
      }),
    );
  }

  async execute(command: string, options?: ExecuteOptions): Promise<ExecuteResponse> {
    const call: ScreenedCall = { operation: 'execute', access: 'execute', command };
    const runner = isSandboxBackend(this.inner) ? this.inner : null;
    const refused =
      runner === null
        ? failure('unsupported', 'Execution not available: the backend cannot run commands.')
        : ((await this.check(call)) ?? (await this.admit(call)));
    if (runner === null || refused !== null) {
      this.ended(call, refused);
      return {
        output: `Error: ${(refused?.error ?? '').replace(/^Error: /, '')}`,
        exitCode: 1,
        truncated: false,
      };
    }
    return this.told(
      call,
      () => runner.execute(command, options),
      ({ exitCode }) =>
        exitCode === 0 ? null : { error: `The command exited with ${exitCode ?? 'no status'}` },
    );
  }

  get confines(): boolean {
    return isSandboxBackend(this.inner) && this.inner.confines === true;
  }

  get commandPlaces(): readonly string[] | undefined {
    return isSandboxBackend(this.inner) ? this.inner.commandPlaces : undefined;
  }

  get commandTimeout(): number | undefined {
    return isSandboxBackend(this.inner) ? this.inner.commandTimeout : undefined;
  }

  /** Only jobs whose command `check` allows. */
  get jobs(): JobControl | undefined {
    const jobs = isSandboxBackend(this.inner) ? this.inner.jobs : undefined;
    return (
      jobs &&
      screenedJobs(
        jobs,
        async (command) => (await this.check({ operation: 'execute', access: 'execute', command })) === null,
      )
    );
  }

  async realPath(filePath: string, options?: CallOptions): Promise<string> {
    return (await this.inner.realPath?.(filePath, options)) ?? filePath;
  }

  /** Also checks where a path leads, then does the work on the canonical path. */
  private async through<R extends { error?: string | null }>(
    call: Exclude<ScreenedCall, { access: 'execute' }>,
    options: CallOptions | undefined,
    work: (at: string, real: string) => Promise<R>,
  ): Promise<R | Failure> {
    const at = checkPath(call.path);
    if (isFailure(at)) {
      // An audit exists to record attempts to get out.
      this.ended({ ...call, path: String(call.path) }, at);
      return at;
    }
    const target = await orUnknown(this.realPath(at.path, options));
    const real = typeof target === 'string' ? target : at.path;
    const refused =
      (typeof target === 'string' ? null : target) ??
      (await this.check({ ...call, path: at.path })) ??
      (real === at.path ? null : await this.checkReal(call, at.path, real)) ??
      (await this.admit({ ...call, path: at.path }));
    if (refused !== null) {
      this.ended({ ...call, path: at.path }, refused);
      return refused;
    }
    return this.told(
      { ...call, path: at.path },
      () => work(at.path, real),
      (answer) => (typeof answer.error === 'string' ? { error: answer.error } : null),
    );
  }

  /** Runs an allowed call and reports its result, even if it was canceled. */
  private async told<R>(
    call: ScreenedCall,
    work: () => Promise<R>,
    failureIn: (answer: R) => { error: string } | null,
  ): Promise<R> {
    let answer: R;
    try {
      answer = await work();
    } catch (thrown) {
      this.ended(call, { error: thrown instanceof Error ? thrown.message : String(thrown) });
      throw thrown;
    }
    this.ended(call, failureIn(answer));
    return answer;
  }

  /** No rule can apply to an unknown target, so if there are rules it is not followed. */
  private async checkReal(
    call: Exclude<ScreenedCall, { access: 'execute' }>,
    path: string,
    real: string,
  ): Promise<Failure | null> {
    if (!isFailure(checkPath(real))) return this.check({ ...call, path: real });
    return this.sees === null
      ? null
      : failure(
          'denied',
          `Error: permission denied for ${call.access} on ${path} (it leads outside the paths that the rules cover)`,
        );
  }

  /** Options that let the backend leave out hidden files itself, since these must not count toward its limits. */
  private seeing<O extends CallOptions>(at: string, real: string, options: O | undefined): O | undefined {
    if (this.sees === null) return options;
    const visible = this.visible(at, real);
    return { ...options, sees: (path: string) => visible({ path }) && options?.sees?.(path) !== false } as O;
  }

  /** Whether an entry is visible, by its own path and by the real location of the listed directory. */
  private visible(at: string, real: string): (entry: { path: string }) => boolean {
    const { sees } = this;
    return ({ path }) => {
      if (sees === null) return true;
      // Some backends return paths relative to the searched folder.
      const whole = checkPath(path.startsWith('/') ? path : `${at}/${path}`);
      if (isFailure(whole) || !sees(whole.path)) return false;
      return real === at || sees(`${real}${whole.path.slice(at === '/' ? 0 : at.length)}`);
    };
  }
}

enforceContract(ScreenedBackend.prototype);

/** What the inner backend answered about one file. Without an answer, the file was not transferred. */
function transferred<F extends FileUploadResponse>(file: F | undefined) {
  const answer = file ?? ({ error: 'permission_denied' } as const);
  return { error: answer.error, file: answer };
}
