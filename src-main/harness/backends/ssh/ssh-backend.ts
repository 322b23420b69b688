import type { ErrorKind } from '../../../contract/shared/error-kind';
import { type Failure, failure } from '../failure';
import type {
  CallOptions,
  CommandSandbox,
  DeleteResult,
  EditResult,
  ExecuteOptions,
  ExecuteResponse,
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
import { SandboxBackend } from '../sandbox';
import { quote } from '../sandbox-scripts';
import { SshClient } from './ssh-client';
import { SshConnection, SshError, type SshOptions } from './ssh-connection';
import { sshTerminal } from './ssh-terminal';

export interface SshBackendOptions extends SshOptions {
  /** The folder on the other machine that is this backend's `/`. Absolute. Commands start there. Default: its `/`. */
  root?: string;
  /** Limit of a command's output in bytes. Head and tail are kept. Default 100,000. */
  maxOutputBytes?: number;
}

const MAX_OUTPUT = 100_000;

/**
 * Files and commands on another machine, over the system's OpenSSH client with the person's configuration, keys, agent and
 * jump hosts. All calls share one connection, which is made again after a break. A page of a file costs one round trip.
 * Names and literal text are searched on the other machine. Failures of the connection are values of kind `network` or
 * `denied`. Close it.
 */
export class SshBackend extends SandboxBackend {
  private readonly ssh: SshClient;
  private readonly connection: SshConnection;
  private readonly machine: string;
  private readonly start: string;
  private readonly maxOutput: number;

  constructor({ root, maxOutputBytes = MAX_OUTPUT, ...options }: SshBackendOptions) {
    const connection = new SshConnection(options);
    const client = new SshClient(`ssh:${options.host}`, connection);
    super(client, root === undefined ? {} : { root });
    this.ssh = client;
    this.connection = connection;
    this.machine = options.host;
    this.start = root === undefined || root === '' ? '/' : root;
    this.maxOutput = maxOutputBytes;
  }

  /** Runs one command without its guard, to see whether the machine can be reached. Rejects with `SshError`. */
  async probe(command: string): Promise<{ output: string; exitCode: number | null }> {
    return this.ssh.execute(command);
  }

  /** Runs commands of terminals in this folder. The connection must exist, see `probe`. */
  terminal(stdin: () => 'person' | 'closed'): CommandSandbox {
    const probe = (command: string) => this.probe(command);
    const { connection, machine, start } = this;
    return sshTerminal({ connection, probe, machine, root: start }, stdin);
  }

  /** Stopping leaves no process on the other side. */
  override async execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    const there = `cd ${quote(this.start)} || exit 1\n${command}`;
    try {
      return await this.ssh.executeUpTo(there, options, this.maxOutput);
    } catch (thrown) {
      return { output: failureOf(thrown).error, exitCode: 1, truncated: false };
    }
  }

  override ls(path: string, options?: LsOptions): Promise<LsResult> {
    return super.ls(path, options).catch(failureOf);
  }

  override read(path: string, offset?: number, limit?: number, options?: ReadOptions): Promise<ReadResult> {
    return super.read(path, offset, limit, options).catch(failureOf);
  }

  override readRaw(path: string, options?: CallOptions): Promise<ReadRawResult> {
    return super.readRaw(path, options).catch(failureOf);
  }

  override grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): Promise<GrepResult> {
    return super.grep(pattern, path, glob, maxCount, options).catch(failureOf);
  }

  override glob(pattern: string, path?: string, options?: CallOptions): Promise<GlobResult> {
    return super.glob(pattern, path, options).catch(failureOf);
  }

  override write(path: string, content: string, options?: WriteOptions): Promise<WriteResult> {
    return super.write(path, content, options).catch(failureOf);
  }

  override edit(
    path: string,
    from: string,
    to: string,
    all?: boolean,
    options?: WriteOptions,
  ): Promise<EditResult> {
    return super.edit(path, from, to, all, options).catch(failureOf);
  }

  override delete(path: string, options?: WriteOptions): Promise<DeleteResult> {
    return super.delete(path, options).catch(failureOf);
  }

  override uploadFiles(
    files: [path: string, content: Uint8Array][],
    options?: CallOptions,
  ): Promise<FileUploadResponse[]> {
    const sent: Promise<FileUploadResponse[]> = Reflect.apply(super.uploadFiles, this, [files, options]);
    return sent.catch((thrown: unknown) => files.map(([path]) => ({ path, ...notMoved(thrown) })));
  }

  override downloadFiles(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]> {
    const got: Promise<FileDownloadResponse[]> = Reflect.apply(super.downloadFiles, this, [paths, options]);
    return got.catch((thrown: unknown) =>
      paths.map((path) => ({ path, content: null, ...notMoved(thrown) })),
    );
  }

  override realPath(path: string): Promise<string> {
    // Like a target that the machine does not tell.
    return super.realPath(path).catch((thrown: unknown) => {
      failureOf(thrown);
      return `/..${path}`;
    });
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/** Rethrows everything but a failed connection. */
function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof SshError)) throw thrown;
  const { problem } = thrown;
  const kind: ErrorKind =
    problem.kind === 'denied' || problem.kind.startsWith('host-key') ? 'denied' : 'network';
  return failure(kind, `Error: no SSH connection. ${thrown.message}`);
}

const notMoved = (thrown: unknown) => ({
  error: 'permission_denied' as const,
  kind: failureOf(thrown).kind,
});
