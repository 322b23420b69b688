import type { Refused } from '../../contract/shared/sandbox';
import type { BackendProtocol, CallOptions, Fallible } from './protocol';

/** Options of `execute`. `background` needs a backend with `jobs`, and `place` one with `commandPlaces`. */
export interface ExecuteOptions extends CallOptions {
  /** Names the tool call in the terminal that mirrors it. */
  callId?: string;
  /** Receives output as it arrives, decoded and in order. */
  onOutput?: (text: string) => void;
  /** Receives what the command had printed when `signal` stopped it, before the call rejects. */
  onStopped?: (printed: PrintedOutput) => void;
  /**
   * Awaited immediately before the command starts. If it rejects, nothing starts, and the call rejects with the same error.
   */
  beforeStart?: () => Promise<void>;
  /**
   * Starts a job. Returns within about a second, with `jobId` if the job is still running, else with how it exited. The job
   * outlives the call. `signal` stops it only until the call returns, `timeoutMs` also after that. For backends with `jobs`.
   */
  background?: boolean;
  /** Runs on the machine of this place, one of `commandPlaces`. Default: where the backend's other commands run. */
  place?: string;
}

/** Head and tail if it was too long. */
export interface PrintedOutput {
  /** stdout and stderr together. */
  output: string;
  /** Whether the middle is missing. */
  truncated: boolean;
}

/** The outcome of a command. */
export interface ExecuteResponse {
  /** stdout and stderr as the terminal showed them, or head and tail if they are too long. */
  output: string;
  /**
   * Null if we stopped it, or if nobody knows how it ended. 124 if time ran out (`timedOut`), as in the `timeout` program.
   */
  exitCode: number | null;
  /** Whether the middle of `output` is missing. */
  truncated: boolean;
  /** Whether time ran out and the command was ended. */
  timedOut?: boolean;
  /** The file with all of an output that was too long, as a path of the file tools. */
  outputFile?: string;
  /** What the sandbox refused. Absent if it refused nothing, or if the command ran outside. */
  refused?: Refused[];
  /** The command continues as this job. `output` is its output so far. */
  jobId?: string;
}

/** A command that runs, or ran, in the background. */
export interface JobInfo {
  /** For `output` and `stop`. */
  id: string;
  /** The command line as it was given. */
  command: string;
  /** Where it was started, on the machine that runs it. */
  cwd: string;
  /** `lost`: the program that managed it was killed while the job ran, and the job ended then or soon after. */
  status: 'running' | 'exited' | 'timed_out' | 'stopped' | 'lost';
  /** Null while it runs, and if we stopped it. */
  exitCode: number | null;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** The same; null while it runs. */
  endedAt: number | null;
}

/**
 * Offsets count what was sent to the terminal, including escape sequences. Continue from `nextOffset` instead of counting.
 */
export interface JobPage {
  /** The job as it is now. */
  job: JobInfo;
  /** Plain text. */
  text: string;
  /** Where the page starts. Later than requested if the start is no longer kept. */
  offset: number;
  /** Where the next page starts. */
  nextOffset: number;
  /** Where the output ends so far. */
  end: number;
}

/** Background commands. Failures are values. */
export interface JobControl {
  /** Oldest first, including finished ones. */
  list(): Promise<JobInfo[]>;
  /** One page of the output. Kinds: `not_found` for an unknown id. */
  output(
    id: string,
    page?: {
      /** Where the page starts. Default: so that it ends where the output ends so far. */
      offset?: number;
      /** Length of the page, in the units of offsets. */
      limit?: number;
    },
  ): Promise<Fallible<JobPage>>;
  /**
   * Kills the whole process tree and resolves when it is gone, with the job as it is then. Stopping a finished job is not a
   * failure.
   */
  stop(id: string): Promise<Fallible<{ job: JobInfo }>>;
}

/** A backend that also runs commands. `isSandboxBackend` recognizes it. */
export interface SandboxBackendProtocol extends BackendProtocol {
  /** Not empty. */
  readonly id: string;
  /** Runs a command line in a shell. Aborting `signal` ends the command and rejects; an exit code never does. */
  execute(command: string, options?: ExecuteOptions): Promise<ExecuteResponse>;
  /** Present if commands can run in the background. */
  readonly jobs?: JobControl | undefined;
  /** Commands may be confined. A call can ask to run outside, and a person decides. */
  readonly confines?: boolean | undefined;
  /** Prefixes of the places on other machines that run commands too. */
  readonly commandPlaces?: readonly string[] | undefined;
  /** Seconds that a command may take if its call does not say. 0: as long as calls may ask for. Default: 120. */
  readonly commandTimeout?: number | undefined;
}

/** Whether a backend can run commands: it has `execute` and a non-empty id. */
export function isSandboxBackend(backend: object): backend is SandboxBackendProtocol {
  const candidate = backend as Partial<SandboxBackendProtocol>;
  return typeof candidate.execute === 'function' && typeof candidate.id === 'string' && candidate.id !== '';
}

/**
 * Runs one command on this machine, in a terminal that the person sees. `src-main/terminal` implements it for
 * LocalShellBackend, which must not know about ptys.
 */
export interface CommandRunner {
  /**
   * Resolves when the command and every process it left behind are gone or were killed. Never rejects because of the command
   * itself. Aborting `signal` kills the whole process tree, then rejects with the signal's reason.
   */
  run(command: string, options: RunOptions): Promise<CommandOutcome>;
  /**
   * Starts a command that outlives the call. Returns after a short wait: with `jobId` if it is still running (`exitCode` is
   * null and `output` is its output so far), else like `run`. Aborting `signal` before that stops it.
   */
  start?(command: string, options: RunOptions): Promise<CommandOutcome & { jobId?: string }>;
  /** Jobs started by this runner, and by earlier runners for the same reader. */
  readonly jobs?: JobControl;
  /** Forgets what the commands of a session share, once the last of them has finished. */
  endSession?(name: string): void | Promise<void>;
}

/**
 * The access of a confined command. `read-only`: for a command that runs without asking. It changes nothing, has no network, and
 * sees only the folder, system folders and toolchains. `read-write`: it may write in the folder.
 */
export type SandboxAccess = 'read-only' | 'read-write';

/**
 * Isolates commands from the rest of the machine, or runs them on another one. The sandbox and the backends of other
 * machines provide it for any code that starts programs.
 */
export interface CommandSandbox {
  /** Prepares one command. `writable`: additional folders that the command may write. Rejects if that fails. */
  enter(request: {
    /** Where the command starts. Absolute. */
    cwd: string;
    /** Id of the tool call, if one caused the command. */
    callId?: string;
    /** Absolute paths. Default: none. */
    writable?: readonly string[];
    /** Default: `read-write`. */
    access?: SandboxAccess;
  }): Promise<EnteredSandbox>;
}

/** What a confined command was denied, and which files it changed that other programs run or load. */
export interface SandboxReport {
  /** For the model. Null if there is nothing to report. */
  note: string | null;
  /** Best effort, from the exit code and the command's output. */
  refused: Refused[];
}

/** A machine that a person named, and a folder there. */
export interface Elsewhere {
  /** Name of the machine, for people. */
  machine: string;
  /** Absolute. */
  folder: string;
}

/** The sandbox of one command, made for it. */
export interface EnteredSandbox {
  /** What the command writes goes to a throwaway layer. */
  inLayer?: true;
  /** The command is not isolated: it only finds some paths closed. */
  isOpen?: true;
  /** The command runs on another machine, in this folder there. */
  elsewhere?: Elsewhere;
  /** Wraps a program so that it runs inside the sandbox. Starts nothing. */
  wrap(program: {
    /** The program: a path, or a name in PATH. */
    file: string;
    /** Its arguments. */
    args: readonly string[];
  }): {
    /** The program to start instead. */
    file: string;
    /** Its arguments, which contain the given ones. */
    args: string[];
  };
  /** Call it once the command has finished, also after a failure. */
  leave(ended: {
    /** What the command printed. */
    output: string;
    /** Null or absent if unknown. */
    exitCode?: number | null;
    /** How long it ran, in milliseconds. */
    durationMs?: number;
  }): Promise<SandboxReport>;
}

/** How a `CommandRunner` runs a command. Times are in milliseconds, sizes in bytes. */
export interface RunOptions {
  /** Where the command starts. Absolute. */
  cwd: string;
  /** Absent: the command can reach whatever this user can. */
  sandbox?: CommandSandbox;
  /** The command's access in the sandbox. Default: `read-write`. */
  access?: SandboxAccess;
  /** The whole environment of the command: nothing is inherited. */
  env: Record<string, string>;
  /** When time is up, the whole process tree ends and the outcome is `timedOut`. */
  timeoutMs: number;
  /** Limit of `output` in bytes of UTF-8. Head and tail are kept. */
  maxOutputBytes: number;
  /** Keeps all of a longer output in `file` on this machine. `path` is the file's name for the reader's tools. */
  wholeOutput?: {
    /** Path on this machine. */
    file: string;
    /** Becomes `outputFile` of the outcome. */
    path: string;
  };
  /**
   * Name of a shell session. Commands with the same name run one after another, each in the folder and with the exported
   * variables of the previous one. The first starts in `cwd`. The outcome says where the next one will start.
   */
  session?: string;
  /** Aborting it ends the whole process tree. */
  signal?: AbortSignal;
  /** Names the tool call in the terminal. */
  callId?: string;
  /** Receives output as it arrives, decoded and in order. */
  onOutput?: (text: string) => void;
  /** Receives what was printed when `signal` stopped the command, before the call rejects. */
  onStopped?: (printed: PrintedOutput) => void;
  /** See `ExecuteOptions.beforeStart`. */
  beforeStart?: () => Promise<void>;
}

/** What a `CommandRunner` found when a command ended. */
export interface CommandOutcome {
  /** stdout and stderr in the order in which they arrived, or head and tail if they are longer than `maxOutputBytes`. */
  output: string;
  /** Null if we or a signal stopped it. */
  exitCode: number | null;
  /** Whether the middle of `output` is missing. */
  truncated: boolean;
  /** `timeoutMs` passed, and the whole process tree was killed. */
  timedOut: boolean;
  /** In milliseconds. */
  durationMs: number;
  /** Where the next command of the session starts. */
  cwd?: string;
  /** `wholeOutput.path`, if the output was stored there. */
  outputFile?: string;
  /** What the sandbox refused. Absent if it refused nothing. */
  refused?: Refused[];
}
