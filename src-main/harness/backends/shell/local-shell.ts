import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  amount,
  anyObject,
  type Checks,
  checkOptions,
  content,
  either,
  flag,
  func,
  mustBe,
  recordOf,
  text,
} from '../../../base/check-options';
import { makeFolder } from '../../../base/make-folder';
import { optional } from '../../../contract/shared/optional';
import type {
  CommandOutcome,
  CommandRunner,
  CommandSandbox,
  ExecuteOptions,
  ExecuteResponse,
  JobControl,
  RunOptions,
  SandboxAccess,
  SandboxBackendProtocol,
} from '../commands';
import { FilesystemBackend, type FilesystemBackendOptions, FOLDER_CHECKS } from '../filesystem';
import type { FileUploadResponse } from '../protocol';
import { SandboxError } from '../sandbox/sandbox-error';
import { pipeRunner } from './pipe-runner';

/** Options of `LocalShellBackend`. */
export interface LocalShellBackendOptions extends FilesystemBackendOptions {
  /** Runs the commands. Default: each in a shell without a terminal. The app's runner shows them to the person. */
  runner?: CommandRunner;
  /** Default time limit of a command, in seconds. 0: none. Default 120. */
  timeout?: number;
  /** Bytes of UTF-8 output that are kept, head and tail. Default 100,000. */
  maxOutputBytes?: number;
  /**
   * Keeps all of a longer output in a file of `folder`, named after the call's id. `path` is the name of that folder for the
   * reader's file tools. Without it only head and tail are kept.
   */
  outputFolder?: {
    /** Absolute path on this machine. */
    folder: string;
    /** Path of the file tools. */
    path: string;
  };
  /**
   * Commands share a session: each starts in the folder and with the exported variables of the previous one, and every
   * result states the folder. Default: each starts over in the root folder.
   */
  session?: boolean;
  /** Variables of every command, in addition to the inherited ones or in their place. */
  env?: Record<string, string>;
  /**
   * What commands inherit: nothing (default, so not even PATH), everything in this process (`true`), or the given variables,
   * such as `scrubEnv(process.env)`.
   */
  inheritEnv?: boolean | Record<string, string>;
  /** Confines a command, by its call. Null: it can reach whatever this user can. Default: no command is confined. */
  sandboxOf?: (callId: string | undefined) => CommandSandbox | null;
  /** What a confined command can reach, by its call. Default: `read-write`. */
  accessOf?: (callId: string | undefined) => SandboxAccess;
  /** Where commands start, if `sandboxOf` takes them to another machine. Default: the root folder. */
  startsIn?: string;
  /** Commands may be confined by `sandboxOf`: the execute tool then lets a call ask to run outside. */
  confines?: boolean;
  /** Written when the backend is initialized, by path. */
  initialFiles?: Record<string, string | Uint8Array>;
}

const CHECKS: Checks<LocalShellBackendOptions> = {
  ...FOLDER_CHECKS,
  runner: either(anyObject, func),
  timeout: amount,
  maxOutputBytes: amount,
  outputFolder: anyObject,
  session: flag,
  env: anyObject,
  inheritEnv: either(
    mustBe('true, false or an object with variables', () => false),
    flag,
    anyObject,
  ),
  sandboxOf: func,
  accessOf: func,
  startsIn: text,
  confines: flag,
  initialFiles: recordOf(content, 'paths'),
};

/** Exit status of a command that ran out of time, as in the `timeout` program. */
const TIMED_OUT = 124;

/**
 * Real files below a root, and commands on this machine that start in that root. The root confines only the file operations:
 * a command can reach whatever this user can, so the person has to approve commands.
 */
export class LocalShellBackend extends FilesystemBackend implements SandboxBackendProtocol {
  readonly id = `local-${randomBytes(4).toString('hex')}`;
  private initialized = false;
  private closed = false;

  private readonly runner: CommandRunner;

  /** Creates nothing on the disk. Throws if `session` or `outputFolder` is set without a `runner`. */
  constructor(private readonly shell: LocalShellBackendOptions = {}) {
    super(shell);
    if (new.target === LocalShellBackend) checkOptions('LocalShellBackend', shell, CHECKS);
    this.runner = shell.runner ?? pipeRunner;
    const needsRunner = shell.session === true ? 'session' : shell.outputFolder && 'outputFolder';
    if (shell.runner === undefined && needsRunner !== undefined)
      throw new Error(`LocalShellBackend: the option ${needsRunner} needs a runner that can do it.`);
  }

  /** Creates a backend whose folder exists and holds the initial files. Throws SandboxError. */
  static async create(options: LocalShellBackendOptions = {}): Promise<LocalShellBackend> {
    const backend = new LocalShellBackend(options);
    await backend.initialize();
    return backend;
  }

  /** The same, under its older name. */
  get isInitialized(): boolean {
    return this.isRunning;
  }

  /** Whether it was initialized and is not closed. */
  get isRunning(): boolean {
    return this.initialized && !this.closed;
  }

  /** Creates the root folder and the initial files. Throws SandboxError, also if it is called again. */
  async initialize(): Promise<void> {
    if (this.initialized)
      throw new SandboxError(
        'This backend is already initialized. Create another one.',
        'ALREADY_INITIALIZED',
      );
    this.initialized = true;
    await makeFolder(this.rootDir);
    const files = Object.entries(this.shell.initialFiles ?? {}).map(
      ([path, content]): [string, Uint8Array] => [
        path,
        typeof content === 'string' ? Buffer.from(content) : content,
      ],
    );
    const refused = (await this.uploadFiles(files)).filter((file: FileUploadResponse) => file.error !== null);
    if (refused.length > 0)
      throw new SandboxError(
        `These files could not be created: ${refused.map((file) => `${file.path} (${file.error})`).join(', ')}`,
        'FILE_OPERATION_FAILED',
      );
  }

  /** Ends the session that its commands share. The folder and its files stay. */
  async close(): Promise<void> {
    this.closed = true;
    await this.runner.endSession?.(this.id);
  }

  /** Background commands, if the runner supports them. */
  get jobs(): JobControl | undefined {
    return this.runner.start === undefined ? undefined : this.runner.jobs;
  }

  /**
   * Runs one command in the root folder. `output` is what the terminal showed, with a nonzero status stated at its end.
   * Running out of time gives status 124. Cancel: kills the whole process tree, then rejects with the signal's reason.
   * `background`: see `ExecuteOptions`. Jobs start in the root folder, even if commands share a session.
   */
  async execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    if (typeof command !== 'string' || command.trim() === '')
      return { output: 'Error: Command must be a non-empty string.', exitCode: 1, truncated: false };
    options.signal?.throwIfAborted();
    if (options.background) return this.startJob(command, options);
    const timeoutMs = options.timeoutMs ?? (this.commandTimeout || Number.POSITIVE_INFINITY) * 1000;
    const outcome = await this.runner.run(command, {
      ...this.runOptions(options, timeoutMs),
      ...(this.shell.session ? { session: this.id } : {}),
    });
    return withFolder(this.respond(outcome, timeoutMs), this.folderNote(command, outcome));
  }

  /** The option `timeout`. */
  get commandTimeout(): number {
    return this.shell.timeout ?? 120;
  }

  get confines(): boolean {
    return this.shell.confines === true;
  }

  private async startJob(command: string, options: ExecuteOptions): Promise<ExecuteResponse> {
    const { runner } = this;
    if (runner.start === undefined) {
      const output = 'Error: background jobs are not available here. Run it without background.';
      return { output, exitCode: 1, truncated: false };
    }
    const timeoutMs = options.timeoutMs ?? Number.POSITIVE_INFINITY;
    const { jobId, ...outcome } = await runner.start(command, this.runOptions(options, timeoutMs));
    if (jobId === undefined) return this.respond(outcome, timeoutMs);
    const { output, truncated, outputFile } = outcome;
    return {
      output,
      exitCode: null,
      truncated,
      jobId,
      ...optional({ outputFile }),
    };
  }

  private runOptions(
    { signal, callId, onOutput, onStopped, beforeStart }: ExecuteOptions,
    timeoutMs: number,
  ): RunOptions {
    const sandbox = this.shell.sandboxOf?.(callId) ?? null;
    return {
      ...(sandbox === null ? {} : { sandbox, access: this.shell.accessOf?.(callId) ?? 'read-write' }),
      cwd: this.rootDir,
      env: this.environment(),
      timeoutMs,
      maxOutputBytes: this.maxOutputBytes,
      ...this.wholeOutput(callId),
      ...optional({ signal, callId, onOutput, onStopped, beforeStart }),
    };
  }

  /** States where the next command starts, wherever that could be unclear. */
  private folderNote(command: string, { cwd }: CommandOutcome): string | null {
    if (cwd !== undefined) return `[cwd: ${cwd}]`;
    return CHANGES_FOLDER.test(command)
      ? `[The next command starts in ${this.shell.startsIn ?? this.rootDir} again.]`
      : null;
  }

  private wholeOutput(callId = randomBytes(8).toString('hex')): Pick<RunOptions, 'wholeOutput'> {
    const { outputFolder } = this.shell;
    if (outputFolder === undefined) return {};
    const name = outputName(callId);
    const path = `${outputFolder.path.replace(/\/+$/, '')}/${name}`;
    return { wholeOutput: { file: join(outputFolder.folder, name), path } };
  }

  private get maxOutputBytes(): number {
    return this.shell.maxOutputBytes ?? 100_000;
  }

  private environment(): Record<string, string> {
    const { inheritEnv = false, env = {} } = this.shell;
    if (inheritEnv === false) return { ...env };
    const inherited: Record<string, string> = {};
    for (const [name, value] of Object.entries(inheritEnv === true ? process.env : inheritEnv))
      if (value !== undefined) inherited[name] = value;
    return { ...inherited, ...env };
  }

  private respond(outcome: CommandOutcome, timeoutMs: number): ExecuteResponse {
    const { truncated, outputFile, refused } = outcome;
    const where = {
      ...optional({ outputFile, refused }),
    };
    const cut = truncated ? `\n\n... Output truncated at ${this.maxOutputBytes} bytes.` : '';
    if (outcome.timedOut) {
      const said = `Error: Command timed out after ${(timeoutMs / 1000).toFixed(1)} seconds.`;
      const shown = outcome.output.trimEnd();
      return {
        output: shown === '' ? said : `${shown}${cut}\n\n${said}`,
        exitCode: TIMED_OUT,
        truncated,
        timedOut: true,
        ...where,
      };
    }
    const shown = outcome.output.trim() === '' ? '<no output>' : outcome.output;
    if (outcome.exitCode === 0) return { output: shown + cut, exitCode: 0, truncated, ...where };
    const status = outcome.exitCode === null ? 'Command was stopped.' : `Exit code: ${outcome.exitCode}`;
    return {
      output: `${shown.trimEnd()}${cut}\n\n${status}`,
      exitCode: outcome.exitCode,
      truncated,
      ...where,
    };
  }
}

/** A command line that changes the folder of its shell, not only inside parentheses. */
const CHANGES_FOLDER = /(?:^|[;&|\n]|\b(?:then|do|else)\b)[^\S\n]*(?:cd|pushd|popd)(?=\s|[;&|]|$)/;

function withFolder(response: ExecuteResponse, note: string | null): ExecuteResponse {
  if (note === null) return response;
  const separator = response.output.endsWith('\n') ? '' : '\n';
  return { ...response, output: `${response.output}${separator}${note}` };
}

/** A unique, readable file name for any call id. */
function outputName(callId: string): string {
  const readable = callId.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60);
  return `${readable}-${createHash('sha256').update(callId).digest('hex').slice(0, 8)}.log`;
}
