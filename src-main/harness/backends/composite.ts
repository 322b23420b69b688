import { anyText, type Checks, checkOptions, func, recordOf, withMethod } from '../../base/check-options';
import { ConfigurationError } from '../../base/configuration-error';
import { isBelow } from '../../base/is-below';
import { currentBackend } from './adapt';
import {
  type ExecuteOptions,
  type ExecuteResponse,
  isSandboxBackend,
  type JobControl,
  type SandboxBackendProtocol,
} from './commands';
import { enforceContract } from './enforce-contract';
import { type Failure, failure, isFailure, UnknownTarget } from './failure';
import { patternWithin } from './mount-patterns';
import { checkPrefix, checkRoot, inward, type Mount, outward, visible } from './mounts';
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
  GrepMatch,
  GrepOptions,
  GrepResult,
  LsOptions,
  LsResult,
  ReadRawResult,
  ReadResult,
  WriteOptions,
  WriteResult,
} from './protocol';
import type { AnyBackend } from './published-protocol';
import { transferError } from './transfer';
import { type RouteFolder, routeFoldersOf } from './tree-facts';
import { pageOfListing } from './virtual-tree';
import { wholeListing } from './whole-listing';

/** Options of `CompositeBackend`. */
export interface CompositeBackendOptions {
  /** Runs commands instead of the default backend: the shell belongs to the folder, and the folder is a route. */
  execute?: SandboxBackendProtocol;
  /** Run the commands that name these prefixes as their place, on machines of their own. */
  shells?: Record<string, Pick<SandboxBackendProtocol, 'execute'>>;
  /** Files whose matches a search only counts and leaves out, unless it names the file or a folder of such files. */
  omits?: (path: string) => boolean;
  /** Folder of the tree for large results and old conversations that the agent saves. Default `/`. */
  artifactsRoot?: string;
}

const CHECKS: Checks<CompositeBackendOptions> = {
  execute: withMethod('a backend that runs commands', 'execute'),
  shells: recordOf(withMethod('a backend that runs commands', 'execute'), 'a backend for each prefix'),
  omits: func,
  artifactsRoot: anyText,
};

const backendCheck = withMethod('a backend', 'read', 'readRaw', 'ls', 'lsInfo', 'downloadFiles', 'execute');

/**
 * One tree made of several backends. A path goes to the route with the longest prefix that matches whole names, else to the
 * default. Every returned path is a path in the tree, even in errors. A search above a route includes it. If one route
 * cannot answer, the search fails instead of hiding that.
 */
export class CompositeBackend implements SandboxBackendProtocol {
  /** Prefixes with a trailing `/`, longest first. */
  readonly routePrefixes: readonly string[];
  /** Prefixes of the routes in whose files commands run. Path rules do not apply there. */
  readonly shellPrefixes: readonly string[];
  /** Folder for results and messages that the agent saves automatically. Default `/`. */
  readonly artifactsRoot: string;
  /** Where commands find the files of routes. Undefined if no commands run. */
  readonly routeFolders: readonly RouteFolder[] | undefined;
  private readonly routes: readonly Mount[];
  private readonly omits: ((path: string) => boolean) | undefined;
  private readonly fallback: BackendProtocol;

  /** Takes backends of any version. Throws if a prefix is `/`, or if a prefix or `artifactsRoot` is not a valid path. */
  constructor(
    fallback: AnyBackend,
    routes: Record<string, AnyBackend>,
    private readonly options: CompositeBackendOptions = {},
  ) {
    if (new.target === CompositeBackend) checkOptions('CompositeBackend', options, CHECKS);
    const problem =
      backendCheck(fallback, 'its default backend') ??
      recordOf(backendCheck, 'a backend for each prefix')(routes, 'routes');
    if (problem !== undefined) throw new ConfigurationError(`CompositeBackend: ${problem}`, 'INVALID_OPTION');
    const shell: unknown = options.execute ?? fallback;
    const given = Object.entries(routes)
      .map(([prefix, backend]) => ({ backend, prefix: checkPrefix(prefix) }))
      .sort((a, b) => b.prefix.length - a.prefix.length || byCodeUnit(a.prefix, b.prefix));
    this.fallback = currentBackend(fallback);
    this.routes = given.map(({ backend, prefix }) => ({
      backend: currentBackend(backend),
      inner: '/',
      prefix,
    }));
    this.routePrefixes = given.map(({ prefix }) => prefix);
    this.omits = options.omits;
    this.shellPrefixes = given
      .filter(({ backend, prefix }) => backend === shell || options.shells?.[prefix] !== undefined)
      .map(({ prefix }) => prefix);
    this.artifactsRoot = checkRoot(options.artifactsRoot ?? '/');
    const shellHere = options.execute ?? fallback;
    const parts = shellHere === fallback ? [{ prefix: '/', backend: fallback }, ...given] : given;
    this.routeFolders = shellHere.execute === undefined ? undefined : routeFoldersOf(shellHere, parts);
  }

  /** Not empty only if commands can run. */
  get id(): string {
    return this.runner?.id ?? '';
  }

  /** Looked up on every call: a sandbox may start later, or close. */
  private get runner(): SandboxBackendProtocol | null {
    return this.options.execute ?? (isSandboxBackend(this.fallback) ? this.fallback : null);
  }

  async ls(path: string, options: LsOptions = {}): Promise<LsResult> {
    const at = checkPath(path);
    if (isFailure(at)) return at;
    const target = this.resolve(at);
    const ways = this.waysBelow(at.path);
    if (ways.length === 0) return outward(await target.backend.ls(target.inner, options), target);
    // Routes are mixed in, so the listing has to be complete before it is cut.
    const below = await wholeListing(target.backend, target.inner, options);
    if (below.error !== undefined && below.kind !== 'not_found') return outward(below, target);
    const { files = [] } = visible(outward(below, target), target, this.covering(at));
    const listed = new Map(files.map((file) => [file.path, file]));
    for (const way of ways)
      if (!listed.has(way)) listed.set(way, { path: way, is_dir: true, size: 0, modified_at: '' });
    const page = pageOfListing([...listed.values()], options);
    return below.truncated ? { ...page, truncated: true } : page;
  }

  async read(filePath: string, offset?: number, limit?: number, options?: CallOptions): Promise<ReadResult> {
    return this.at(filePath, ({ backend, inner }) => backend.read(inner, offset, limit, options));
  }

  async readRaw(filePath: string, options?: CallOptions): Promise<ReadRawResult> {
    return this.at(filePath, ({ backend, inner }) => backend.readRaw(inner, options));
  }

  async grep(
    pattern: string,
    path: string | null = '/',
    glob: string | null = null,
    maxCount: number | null = null,
    options?: GrepOptions,
  ): Promise<GrepResult> {
    const at = checkPath(path ?? '/');
    if (isFailure(at)) return at;
    const matches: GrepMatch[] = [];
    let truncated = false;
    let omitted = 0;
    const mounts = this.covering(at);
    for (const target of mounts) {
      const inner = glob === null ? null : patternWithin(glob, at.path, target);
      if (inner === null && glob !== null) continue;
      const left = maxCount === null ? null : maxCount - matches.length;
      // Only another search would tell whether there is more, so a spent budget counts as truncated.
      if (left !== null && left <= 0) return { matches, truncated: true, ...counted(omitted) };
      const found = await this.search(at.path, left, async (cap) => {
        const given = inward(options, target, mounts);
        const answer = await target.backend.grep(pattern, target.inner, inner, cap, given);
        return visible(outward(answer, target), target, mounts);
      });
      if (found.error !== undefined) {
        if (found.kind === 'not_found' && this.waysBelow(at.path).length > 0) continue;
        return found;
      }
      for (const match of found.matches ?? []) matches.push(match);
      omitted += found.omitted ?? 0;
      truncated ||= found.truncated ?? false;
      if (truncated) break;
    }
    return { matches, truncated, ...counted(omitted) };
  }

  async glob(pattern: string, path = '/', options?: CallOptions): Promise<GlobResult> {
    const at = checkPath(path);
    if (isFailure(at)) return at;
    const files: FileInfo[] = [];
    let truncated = false;
    const mounts = this.covering(at);
    for (const target of mounts) {
      const inner = patternWithin(pattern, at.path, target);
      if (inner === null) continue;
      const answer = await target.backend.glob(inner, target.inner, inward(options, target, mounts));
      const found = visible(outward(answer, target), target, mounts);
      if (found.error !== undefined) {
        if (found.kind === 'not_found' && this.waysBelow(at.path).length > 0) continue;
        return found;
      }
      for (const file of found.files ?? []) files.push(file);
      truncated ||= found.truncated ?? false;
    }
    return { files, truncated };
  }

  async write(filePath: string, content: string, options?: WriteOptions): Promise<WriteResult> {
    return this.at(filePath, ({ backend, inner }) => backend.write(inner, content, options));
  }

  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
    options?: WriteOptions,
  ): Promise<EditResult> {
    return this.at(filePath, ({ backend, inner }) =>
      backend.edit(inner, oldString, newString, replaceAll, options),
    );
  }

  /** Routes and the folders that contain them cannot be deleted: they are places, not files. */
  async delete(filePath: string, options?: WriteOptions): Promise<DeleteResult> {
    const at = checkPath(filePath);
    if (isFailure(at)) return at;
    const route = this.routes.find(({ prefix }) => isBelow(prefix.slice(0, -1), at.path));
    if (route !== undefined)
      return failure(
        'denied',
        `Error: '${at.path}' cannot be deleted because '${route.prefix}' is mounted there.`,
      );
    const target = this.resolve(at);
    if (target.backend.delete === undefined)
      return failure(
        'unsupported',
        `Error: deletion is not available for '${at.path}' on mounted route '${target.prefix}'.`,
      );
    return outward(await target.backend.delete(target.inner, options), target);
  }

  async uploadFiles(
    files: [path: string, content: Uint8Array][],
    options?: WriteOptions,
  ): Promise<FileUploadResponse[]> {
    return this.batched<[string, Uint8Array], FileUploadResponse>(
      files.map((file) => ({ path: file[0], item: file })),
      (inner, [, content]) => [inner, content],
      (backend, items) => backend.uploadFiles?.(items, options),
      (path, error) => ({ path, error }),
    );
  }

  async downloadFiles(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]> {
    return this.batched<string, FileDownloadResponse>(
      paths.map((path) => ({ path, item: path })),
      (inner) => inner,
      (backend, items) => backend.downloadFiles?.(items, options),
      (path, error) => ({ path, content: null, error }),
    );
  }

  async realPath(filePath: string, options?: CallOptions): Promise<string> {
    const at = checkPath(filePath);
    if (isFailure(at)) return filePath;
    const { backend, inner, prefix } = this.resolve(at);
    const real = await backend.realPath?.(inner, options).catch((thrown: unknown) => {
      if (!(thrown instanceof UnknownTarget)) throw thrown;
      throw new UnknownTarget(outward(thrown.failure, { backend, inner, prefix }));
    });
    return real === undefined || real === inner ? at.path : `${prefix.slice(0, -1)}${real}`;
  }

  /** Whether the backend that runs commands may confine them. */
  get confines(): boolean {
    return this.runner?.confines === true;
  }

  get commandTimeout(): number | undefined {
    return this.runner?.commandTimeout;
  }

  get jobs(): JobControl | undefined {
    return this.runner?.jobs;
  }

  get commandPlaces(): readonly string[] {
    return Object.keys(this.options.shells ?? {});
  }

  async execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    const { place } = options;
    if (place !== undefined) {
      const shell = this.options.shells?.[place];
      if (shell !== undefined) return shell.execute(command, options);
      return { output: `Error: commands cannot run on the place '${place}'.`, exitCode: 1, truncated: false };
    }
    const { runner } = this;
    if (runner !== null) return runner.execute(command, options);
    return {
      output:
        "Error: Default backend doesn't support command execution (SandboxBackendProtocol). " +
        'Use a backend that has execute as the default or as the execute option.',
      exitCode: 1,
      truncated: false,
    };
  }

  /** One backend's matches without the omitted ones, which do not use up the limit. */
  private async search(
    named: string,
    cap: number | null,
    grep: (cap: number | null) => Promise<GrepResult>,
  ): Promise<GrepResult> {
    const { omits } = this;
    for (let asked = cap; ; asked = asked === null ? null : asked * 4) {
      const found = await grep(asked);
      if (omits === undefined || found.matches === undefined || omits(named)) return found;
      const shown = found.matches.filter(({ path }) => !omits(path));
      const omitted = found.matches.length - shown.length;
      const enough = cap === null || shown.length >= cap || found.truncated !== true;
      if (!enough && found.matches.length >= (asked ?? 0)) continue;
      const cut = cap !== null && shown.length > cap;
      return {
        matches: cut ? shown.slice(0, cap) : shown,
        truncated: cut || (found.truncated ?? false),
        ...counted(omitted + (found.omitted ?? 0)),
      };
    }
  }

  private resolve(at: CheckedPath): Mount {
    const route = this.routes.find(({ prefix }) => isBelow(at.path, prefix));
    if (route === undefined) return { backend: this.fallback, inner: at.path, prefix: '/' };
    return { ...route, inner: `/${at.path.slice(route.prefix.length)}` };
  }

  /** The backend of a path, then all routes mounted below it. */
  private covering(at: CheckedPath): Mount[] {
    const below = this.routes.filter(
      ({ prefix }) => at.path !== prefix.slice(0, -1) && isBelow(prefix.slice(0, -1), at.path),
    );
    return [this.resolve(at), ...below.sort((a, b) => byCodeUnit(a.prefix, b.prefix))];
  }

  /** The next folder from a path down to each route below it. */
  private waysBelow(path: string): string[] {
    const folder = asDirectory(path);
    const ways = this.routePrefixes
      .filter((prefix) => prefix !== folder && prefix.startsWith(folder))
      .map((prefix) => prefix.slice(0, prefix.indexOf('/', folder.length) + 1));
    return [...new Set(ways)];
  }

  private async at<R extends { error?: string; path?: string }>(
    path: string,
    call: (target: Mount) => Promise<R>,
  ): Promise<R | Failure> {
    const at = checkPath(path);
    if (isFailure(at)) return at;
    const target = this.resolve(at);
    return outward(await call(target), target);
  }

  /** Makes one call per backend, and returns the answers in the order of the requests. */
  private async batched<I, A extends { path: string }>(
    asked: { path: string; item: I }[],
    toInner: (inner: string, item: I) => I,
    move: (backend: BackendProtocol, items: I[]) => Promise<A[]> | undefined,
    refuse: (path: string, error: FileUploadResponse['error']) => A,
  ): Promise<A[]> {
    const answers = new Map<number, A>();
    const groups = new Map<BackendProtocol, { index: number; item: I }[]>();
    for (const [index, { path, item }] of asked.entries()) {
      const at = checkPath(path);
      if (isFailure(at)) answers.set(index, refuse(path, transferError(at)));
      else {
        const target = this.resolve(at);
        const group = groups.get(target.backend) ?? [];
        group.push({ index, item: toInner(target.inner, item) });
        groups.set(target.backend, group);
      }
    }
    for (const [backend, group] of groups) {
      const items = group.map(({ item }) => item);
      const got = (await move(backend, items)) ?? [];
      for (const [nth, { index }] of group.entries()) {
        const answer = got[nth];
        if (answer !== undefined) answers.set(index, answer);
      }
    }
    // A backend that cannot transfer bytes rejects all of its files.
    return asked.map(({ path }, index) => ({
      ...(answers.get(index) ?? refuse(path, 'permission_denied')),
      path,
    }));
  }
}

enforceContract(CompositeBackend.prototype);

const counted = (omitted: number) => (omitted === 0 ? {} : { omitted });
