import type { CommandSandbox, ExecuteOptions, ExecuteResponse } from '../commands';
import { type Failure, failure, UnknownTarget } from '../failure';
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
import { SandboxBackend } from '../sandbox/sandbox';
import { quote } from '../sandbox/sandbox-scripts';
import { RemoteClient } from './remote-client';
import { type RemoteShell, remoteShell, remoteTerminal } from './remote-terminal';
import { RemoteError, type RemoteTransport } from './remote-transport';

/** Options of a backend on another machine or in a container. */
export interface RemoteBackendOptions {
  /** The folder on the other side that is this backend's `/`. Absolute. Commands start there. Default: its `/`. */
  root?: string;
  /** Limit of a command's output in bytes. Head and tail are kept. Default 100,000. */
  maxOutputBytes?: number;
}

const MAX_OUTPUT = 100_000;

/**
 * Files and commands on another machine or in a container, over a transport. A page of a file costs one round trip. Names
 * and literal text are searched there. Failures of the connection are values of kind `network` or `denied`. Close it.
 */
export class RemoteBackend extends SandboxBackend {
  private readonly remote: RemoteClient;
  private readonly start: string;
  private readonly maxOutput: number;

  constructor(
    private readonly transport: RemoteTransport,
    { root, maxOutputBytes = MAX_OUTPUT }: RemoteBackendOptions,
  ) {
    const client = new RemoteClient(transport);
    super(client, root === undefined ? {} : { root });
    this.remote = client;
    this.start = root === undefined || root === '' ? '/' : root;
    this.maxOutput = maxOutputBytes;
  }

  /** Runs one command without its guard, to see whether the machine can be reached. Rejects with `RemoteError`. */
  async probe(
    command: string,
    options?: Pick<ExecuteOptions, 'signal'>,
  ): Promise<{ output: string; exitCode: number | null }> {
    return this.remote.execute(command, options);
  }

  /** Runs commands of terminals in this folder. The connection must exist, see `probe`. */
  terminal(stdin: () => 'person' | 'closed'): CommandSandbox {
    return remoteTerminal(this.inTerminals(), stdin);
  }

  /** A person's shell, in `folder` there or in this one. The connection must exist, see `probe`. */
  shell(folder?: string): Promise<RemoteShell> {
    return remoteShell(this.inTerminals(), folder);
  }

  private inTerminals() {
    const probe = (command: string) => this.probe(command);
    return { transport: this.transport, probe, root: this.start };
  }

  /**
   * Runs a command line in `root`. Stopping leaves no process on the other side. Without a connection, `exitCode` is 1 and
   * `output` says why. If the connection breaks while the command runs, `exitCode` is null, and `output` has what it printed.
   */
  override async execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    const there = `cd ${quote(this.start)} || exit 1\n${command}`;
    try {
      return await this.remote.executeUpTo(there, options, this.maxOutput);
    } catch (thrown) {
      return { output: failureOf(thrown).error, exitCode: 1, truncated: false };
    }
  }

  /** Entries directly below a folder, as the other side lists them. */
  override ls(path: string, options?: LsOptions): Promise<LsResult> {
    return super.ls(path, options).catch(failureOf);
  }

  /** A page of lines (default: the first 500), cut on the other side. Binary files are sent whole, up to 64 MiB. */
  override read(path: string, offset?: number, limit?: number, options?: ReadOptions): Promise<ReadResult> {
    return super.read(path, offset, limit, options).catch(failureOf);
  }

  /** The whole file, up to 64 MiB. A larger one has kind `too_large`. */
  override readRaw(path: string, options?: CallOptions): Promise<ReadRawResult> {
    return super.readRaw(path, options).catch(failureOf);
  }

  /**
   * Lines that match, at and below `path` (default `/`). The other side sends only lines that may match. Files that
   * it cannot search are sent whole.
   */
  override grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): Promise<GrepResult> {
    return super.grep(pattern, path, glob, maxCount, options).catch(failureOf);
  }

  /** Files whose paths match. They have no size and no time. */
  override glob(pattern: string, path?: string, options?: CallOptions): Promise<GlobResult> {
    return super.glob(pattern, path, options).catch(failureOf);
  }

  /** Creates or overwrites a file by rename, so that readers never see a part of it. Keeps the mode of an existing file. */
  override write(path: string, content: string, options?: WriteOptions): Promise<WriteResult> {
    return super.write(path, content, options).catch(failureOf);
  }

  /** Replaces exact text here and sends the new file. Kind `stale` if the file has changed on the other side meanwhile. */
  override edit(
    path: string,
    from: string,
    to: string,
    all?: boolean,
    options?: WriteOptions,
  ): Promise<EditResult> {
    return super.edit(path, from, to, all, options).catch(failureOf);
  }

  /** Deletes a file, or a folder with everything in it. */
  override delete(path: string, options?: WriteOptions): Promise<DeleteResult> {
    return super.delete(path, options).catch(failureOf);
  }

  /**
   * One answer for each file, in order. If the connection fails, all have the error `permission_denied` and kind `network` or
   * `denied`.
   */
  override uploadFiles(
    files: [path: string, content: Uint8Array][],
    options?: WriteOptions,
  ): Promise<FileUploadResponse[]> {
    const sent = super.uploadFiles(files, options);
    return sent.catch((thrown: unknown) => files.map(([path]) => ({ path, ...notMoved(thrown) })));
  }

  /**
   * One answer for each path, in order. If the connection fails, all have the error `permission_denied` and kind `network` or
   * `denied`.
   */
  override downloadFiles(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]> {
    const got = super.downloadFiles(paths, options);
    return got.catch((thrown: unknown) =>
      paths.map((path) => ({ path, content: null, ...notMoved(thrown) })),
    );
  }

  override realPath(path: string, options?: CallOptions): Promise<string> {
    return super.realPath(path, options).catch((thrown: unknown) => {
      throw new UnknownTarget(failureOf(thrown));
    });
  }

  /** Ends the connection. What commands left behind can still be ended over a new one. */
  drop(): Promise<void> {
    return this.transport.drop();
  }

  /** Ends the connection for good. Over SSH, later calls fail with kind `network`. */
  close(): Promise<void> {
    return this.transport.close();
  }
}

/** Rethrows everything but a failed connection. */
function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof RemoteError)) throw thrown;
  return failure(thrown.kind, `Error: no ${thrown.way}. ${thrown.message}`);
}

const notMoved = (thrown: unknown) => ({
  error: 'permission_denied' as const,
  kind: failureOf(thrown).kind,
});
