import { amount, anyObject, checkOptions } from '../../../base/check-options';
import { isBelow } from '../../../base/is-below';
import { guardedFetch } from '../../../base/network/guarded-fetch';
import { optional } from '../../../contract/shared/optional';
import { enforceContract } from '../enforce-contract';
import { type Failure, failure, isFailure } from '../failure';
import { checkPath } from '../paths';
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
} from '../protocol';
import { StateBackend, type StateFiles } from '../state';
import { bytesOf, contentOf } from '../text/content';
import { decodeText } from '../text/text';
import { transferError, uploaded } from '../transfer';
import type { HubClient } from './context-hub-repository';
import { HubWriter } from './context-hub-writer';

/** Options of `ContextHubBackend`. */
export interface ContextHubOptions {
  /** Default: LangSmith's client, with its key and address from the environment. */
  client?: HubClient;
  /** Milliseconds after which a call pulls again, to see what others have committed. Default: never. */
  maxAgeMs?: number;
}

/**
 * Files in an agent repository of the LangSmith Hub. The first access pulls them. Every change becomes a commit, and changes
 * of the same moment share one. A change is visible here immediately, and resolves once it is in the Hub. Content that is
 * not UTF-8 is rejected. `getLinkedEntries` lists links to other repositories, which are not changed. Errors start with `Hub
 * unavailable:` if the Hub is the cause. Reads use the last pull until a commit fails or the pull is older than `maxAgeMs`.
 */
export class ContextHubBackend implements BackendProtocol {
  private readonly writer: HubWriter;
  private readonly state: StateBackend;

  /** `identifier`: `name` or `owner/name`. The first change creates a missing repository. */
  constructor(identifier: string, options: ContextHubOptions = {}) {
    checkOptions('ContextHubBackend', options, { client: anyObject, maxAgeMs: amount });
    const { client, maxAgeMs } = options;
    let made: Promise<HubClient> | null = null;
    this.writer = new HubWriter(
      () => {
        made ??= client === undefined ? ownClient() : Promise.resolve(client);
        return made;
      },
      identifier,
      maxAgeMs,
    );
    this.state = new StateBackend({ files: this.writer.files });
  }

  /** Paths of linked repositories (without a leading slash) and their handles. */
  async getLinkedEntries(): Promise<Record<string, string> | Failure> {
    const tree = await this.writer.tree();
    return isFailure(tree) ? tree : { ...tree.links };
  }

  /** Whether the repository has any commit. */
  async hasPriorCommits(): Promise<boolean | Failure> {
    const tree = await this.writer.tree();
    return isFailure(tree) ? tree : tree.commit !== null;
  }

  async ls(path: string, options: LsOptions = {}): Promise<LsResult> {
    return this.reading(options, () => this.state.ls(path, options));
  }

  async read(filePath: string, offset = 0, limit = 500, options: ReadOptions = {}): Promise<ReadResult> {
    return this.reading(options, () => this.state.read(filePath, offset, limit, options));
  }

  async readRaw(filePath: string, options: CallOptions = {}): Promise<ReadRawResult> {
    return this.reading(options, () => this.state.readRaw(filePath, options));
  }

  async grep(
    pattern: string,
    path: string | null = '/',
    glob: string | null = null,
    maxCount: number | null = null,
    options: GrepOptions = {},
  ): Promise<GrepResult> {
    return this.reading(options, () => this.state.grep(pattern, path, glob, maxCount, options));
  }

  async glob(pattern: string, path = '/', options: CallOptions = {}): Promise<GlobResult> {
    return this.reading(options, () => this.state.glob(pattern, path, options));
  }

  async write(filePath: string, content: string, options: WriteOptions = {}): Promise<WriteResult> {
    const meant = contentOf(typeof filePath === 'string' ? filePath : '', content);
    if (decodeText(bytesOf(meant)) === null)
      return failure('unsupported', `'${filePath}' is not UTF-8 text, and the Hub stores nothing else.`);
    return this.changing<WriteResult>(filePath, options, (on, rest) => on.write(filePath, content, rest));
  }

  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll = false,
    options: WriteOptions = {},
  ): Promise<EditResult> {
    return this.changing<EditResult>(filePath, options, (on, rest) =>
      on.edit(filePath, oldString, newString, replaceAll, rest),
    );
  }

  async delete(filePath: string, options: WriteOptions = {}): Promise<DeleteResult> {
    return this.changing<DeleteResult>(filePath, options, (on, rest) => on.delete(filePath, rest));
  }

  async uploadFiles(
    files: [path: string, content: Uint8Array][],
    options: WriteOptions = {},
  ): Promise<FileUploadResponse[]> {
    return Promise.all(
      files.map(async ([path, bytes]): Promise<FileUploadResponse> => {
        if (decodeText(bytes) === null) return { path, error: 'invalid_path' };
        const done = await this.changing<{ sent?: FileUploadResponse; error?: string }>(
          path,
          options,
          async (on, rest) => optional({ sent: (await on.uploadFiles([[path, bytes]], rest))[0] }),
        );
        return isFailure(done) ? uploaded(path, done) : (done.sent ?? { path, error: 'invalid_path' });
      }),
    );
  }

  async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    const tree = await this.writer.tree();
    if (isFailure(tree)) return paths.map((path) => ({ path, content: null, error: transferError(tree) }));
    return this.state.downloadFiles(paths);
  }

  private async reading<R>(options: CallOptions, read: () => Promise<R>): Promise<R | Failure> {
    options.signal?.throwIfAborted();
    const tree = await this.writer.tree();
    options.signal?.throwIfAborted();
    return isFailure(tree) ? tree : read();
  }

  private async changing<R extends { error?: string | null }>(
    path: unknown,
    { signal, ...rest }: WriteOptions,
    change: (on: StateBackend, rest: WriteOptions) => Promise<R>,
  ): Promise<R | Failure> {
    signal?.throwIfAborted();
    const at = checkPath(path);
    if (isFailure(at)) return at;
    const tree = await this.writer.tree();
    if (isFailure(tree)) return tree;
    const link = Object.keys(tree.links).find((linked) => isBelow(at.path, `/${linked}`));
    if (link !== undefined)
      return failure(
        'denied',
        `'${at.path}' belongs to the linked repository '${tree.links[link]}' and is changed there.`,
      );
    // The signal ends the caller's wait. A replayed change must not see it.
    return this.writer.submit((files: StateFiles) => change(new StateBackend({ files }), rest), signal);
  }
}

enforceContract(ContextHubBackend.prototype);

async function ownClient(): Promise<HubClient> {
  const { Client } = await import('langsmith');
  return new Client({ fetchImplementation: guardedFetch });
}
