import type {
  CaptureSnapshotOptions,
  CreateSandboxOptions,
  Sandbox,
  Snapshot,
  StartSandboxOptions,
} from 'langsmith/experimental/sandbox';
import { optional } from '../../../contract/shared/optional';
import type { ExecuteOptions, ExecuteResponse } from '../commands';
import type { FileDownloadResponse, FileUploadResponse } from '../protocol';
import { runCommand } from '../providers/commands';
import { BaseSandbox } from './base-sandbox';

export type {
  CaptureSnapshotOptions as LangSmithCaptureSnapshotOptions,
  Snapshot as LangSmithSnapshot,
  StartSandboxOptions as LangSmithStartSandboxOptions,
} from 'langsmith/experimental/sandbox';

/** Seconds. */
const DEFAULT_TIMEOUT = 30 * 60;

/** A sandbox that exists already, for `LangSmithSandbox`. */
export interface LangSmithSandboxOptions {
  /** A sandbox of LangSmith's client. */
  sandbox: Sandbox;
  /** Seconds that a command may take. Default: 1,800. */
  defaultTimeout?: number;
}

/** How `LangSmithSandbox.create` makes a sandbox. */
export interface LangSmithSandboxCreateOptions
  extends Omit<CreateSandboxOptions, 'name' | 'timeout' | 'waitForReady' | 'snapshotName'> {
  /** The snapshot to start from. */
  snapshotId?: string;
  /** @deprecated Use `snapshotId`. */
  templateName?: string;
  /** Default: `LANGSMITH_API_KEY` of the environment. */
  apiKey?: string;
  /** Seconds that a command may take. Default: 1,800. */
  defaultTimeout?: number;
}

/** A sandbox of LangSmith. Needs the package `langsmith`. */
export class LangSmithSandbox extends BaseSandbox {
  readonly #sandbox: Sandbox;
  readonly #timeout: number;
  #isRunning = true;

  /** Uses a sandbox that exists already. `create` makes one. */
  constructor({ sandbox, defaultTimeout = DEFAULT_TIMEOUT }: LangSmithSandboxOptions) {
    super();
    this.#sandbox = sandbox;
    this.#timeout = defaultTimeout;
  }

  /**
   * Creates a sandbox from a snapshot. Rejects if not exactly one of `snapshotId` and `templateName` is set, or with the error
   * of LangSmith's client.
   */
  static async create(options: LangSmithSandboxCreateOptions): Promise<LangSmithSandbox> {
    const {
      snapshotId,
      templateName,
      apiKey = process.env.LANGSMITH_API_KEY,
      defaultTimeout,
      ...own
    } = options;
    if ((snapshotId === undefined) === (templateName === undefined))
      throw new Error('A LangSmith sandbox is made from a snapshotId or a templateName: pass one of them.');
    const { SandboxClient } = await import('langsmith/experimental/sandbox');
    const client = new SandboxClient(optional({ apiKey }));
    const sandbox = await client.createSandbox(snapshotId, {
      ...own,
      ...optional({ snapshotName: templateName }),
    });
    return new LangSmithSandbox({ sandbox, ...optional({ defaultTimeout }) });
  }

  /** False once it was stopped or closed through this object. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** `defaultTimeout` of the constructor. */
  get commandTimeout(): number {
    return this.#timeout;
  }

  override get id(): string {
    return this.#sandbox.name;
  }

  /**
   * Runs a command line. `timeout`: seconds; 0 is no limit; default: `defaultTimeout` of the constructor, or `timeoutMs` if
   * that is longer. Output arrives when the command has exited. Aborting `signal` rejects, and ends the command in the sandbox.
   */
  override execute(
    command: string,
    { timeout: given, ...options }: ExecuteOptions & { timeout?: number } = {},
  ): Promise<ExecuteResponse> {
    const timeout = given ?? this.#limitFor(options.timeoutMs);
    return runCommand(
      async (text) => {
        const { stdout, stderr, exit_code } = await this.#sandbox.run(text, { timeout });
        const output = [stdout, stderr].filter(Boolean).join('\n');
        return { output, exitCode: exit_code, truncated: false };
      },
      command,
      options,
    );
  }

  /** Seconds; 0 is no limit. `timeoutMs` itself is kept within the sandbox. */
  #limitFor(timeoutMs = 0): number {
    if (timeoutMs === Number.POSITIVE_INFINITY || this.#timeout === 0) return 0;
    return Math.max(this.#timeout, Math.ceil(timeoutMs / 1_000));
  }

  override downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    return Promise.all(
      paths.map(async (path) => {
        try {
          return { path, content: await this.#sandbox.read(path), error: null };
        } catch (thrown) {
          return { path, content: null, error: downloadError(thrown) };
        }
      }),
    );
  }

  override async uploadFiles(files: [path: string, content: Uint8Array][]): Promise<FileUploadResponse[]> {
    const answers: FileUploadResponse[] = [];
    for (const [path, content] of files) {
      const error = await this.#sandbox.write(path, content).then(
        () => null,
        () => 'permission_denied' as const,
      );
      answers.push({ path, error });
    }
    return answers;
  }

  /** Deletes the sandbox. */
  async close(): Promise<void> {
    await this.#sandbox.delete();
    this.#isRunning = false;
  }

  /** Starts it after a stop, and waits until it is ready. */
  async start(options: StartSandboxOptions = {}): Promise<void> {
    await this.#sandbox.start(options);
    this.#isRunning = true;
  }

  /** Stops it and keeps its files. */
  async stop(): Promise<void> {
    await this.#sandbox.stop();
    this.#isRunning = false;
  }

  /** Saves the file system as a snapshot with this name. */
  captureSnapshot(name: string, options: CaptureSnapshotOptions = {}): Promise<Snapshot> {
    return this.#sandbox.captureSnapshot(name, options);
  }
}

/** The client's package is loaded on demand, so its errors are told apart by name. */
function downloadError(thrown: unknown): 'file_not_found' | 'is_directory' | 'invalid_path' {
  const { name, message } = thrown instanceof Error ? thrown : { name: '', message: '' };
  if (!name.startsWith('LangSmith')) return 'invalid_path';
  return name !== 'LangSmithResourceNotFoundError' && /is a directory/i.test(message)
    ? 'is_directory'
    : 'file_not_found';
}
