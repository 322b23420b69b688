import type { ErrorKind } from '../../contract/shared/error-kind';
import type { Refused } from '../../contract/shared/sandbox';

/**
 * The file backend protocol, v2 of the published `deepagents` package by name and shape. Our additions are optional (call
 * options, error kinds, page metadata), so that package's backends run under our harness and ours under its.
 *
 * Nothing that a person or a model can cause throws: a failure is `{ error, kind }`, and its text says what to do next.
 * Aborting `signal` is the one exception: the call rejects with the signal's reason.
 */
export interface CallOptions {
  /** Aborting it rejects the call with its reason. */
  signal?: AbortSignal;
  /**
   * Milliseconds. 0 means that no time is left. When time is up, searches return what they found so far and `truncated`.
   * Every other call returns kind `timeout` and changes nothing. A change that can no longer be undone is completed and
   * reported as done.
   */
  timeoutMs?: number;
  /**
   * For `glob` and `grep`: only files for which this is true are returned and count toward a limit. Receives canonical
   * paths. A backend may ignore it, so the caller has to filter the answer as well.
   */
  sees?: (path: string) => boolean;
}

export interface ReadOptions extends CallOptions {
  /**
   * Bytes of UTF-8 to skip in the page's first line (default 0). To continue a line that a page cut, pass that page's
   * `nextColumn`. If it is given, even as 0, `content` has no note about a cut line. Backends that never cut a line ignore
   * it.
   */
  column?: number;
}

/** A result, or why there is none: `error` says it for the model, `kind` for a program. A success has neither. */
export type Fallible<T> = { error?: string; kind?: ErrorKind } & Partial<T>;

/** An entry of a folder. `size`: bytes. `modified_at`: ISO 8601. */
export interface FileInfo {
  /** Absolute. Directories end with `/`. */
  path: string;
  /** Whether it is a folder. Default: false. */
  is_dir?: boolean;
  /** In bytes. */
  size?: number;
  /** ISO 8601. */
  modified_at?: string;
}

/** A line that matches. */
export interface GrepMatch {
  /** Absolute. */
  path: string;
  /** 1-based. */
  line: number;
  /** Without its line ending. */
  text: string;
  /** A note about the file for whoever sees its lines, the same in each of its matches. */
  note?: string;
}

/** A file in the older stored format: lines, and times as ISO 8601. */
export interface FileDataV1 {
  /** Lines without their `\n`. */
  content: string[];
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  modified_at: string;
}

/** A file in the current stored format: text or bytes, with its MIME type, and times as ISO 8601. */
export interface FileDataV2 {
  /** A string for text, bytes for anything else. */
  content: string | Uint8Array;
  /** Such as `text/plain`. */
  mimeType: string;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  modified_at: string;
}

/** A file as a thread or a store keeps it. */
export type FileData = FileDataV1 | FileDataV2;

/** `truncated`: there are more entries than are listed. */
export type LsResult = Fallible<{
  /** The entries of this page. */
  files: FileInfo[];
  truncated: boolean;
  /** Entries of the whole folder, if the backend knows. */
  total: number;
  /** `offset` of the next page. Absent after the last one. */
  nextOffset: number;
}>;

/** A page of a text, or all bytes of a file. */
export type ReadResult = Fallible<{
  /**
   * Lines `offset`..`offset + limit - 1` joined by `\n`, without a final line ending. Binary files are returned whole, as
   * bytes.
   */
  content: string | Uint8Array;
  /** Such as `text/plain`. */
  mimeType: string;
  /** Absent if counting would require reading a huge file in full. */
  totalLines: number;
  /** The first and the last line of the page, 1-based. Absent if it has no lines. */
  startLine: number;
  /** Inclusive. */
  endLine: number;
  /** 0-based. Absent at the end of the file. */
  nextOffset: number;
  /** The last line of the page was cut. Continue with `offset: nextOffset - 1, column: nextColumn`. */
  nextColumn: number;
  /** Size of the whole file in bytes. */
  size: number;
  /** SHA-256 (hex) or another exact version mark of the whole file, for `expectedVersion`. */
  version: string;
  /** A note about the file for whoever sees it. */
  note: string;
}>;
/** The whole file. */
export type ReadRawResult = Fallible<{ data: FileData; note: string }>;
/**
 * `truncated`: more than `maxCount` matches existed, or time ran out. `omitted`: how many matches are left out because
 * their files need a person's approval.
 */
export type GrepResult = Fallible<{ matches: GrepMatch[]; truncated: boolean; omitted: number }>;
/** `truncated`: there are more files than are listed, or time ran out. */
export type GlobResult = Fallible<{ files: FileInfo[]; truncated: boolean }>;
/** The package's state backends return the change for the caller to apply. */
export type FilesUpdate = Record<string, FileData | null>;
/** `filesUpdate`: the change, if the program has to apply it, else null. `metadata`: passed on in the message of the call. */
export type WriteResult = Fallible<{
  path: string;
  filesUpdate: Record<string, FileData> | null;
  metadata: Record<string, unknown>;
  /** The file's new version, as in `ReadResult.version`. */
  version: string;
}>;
/** The same for an edit. `occurrences`: how many were replaced. */
export type EditResult = Fallible<{
  path: string;
  filesUpdate: Record<string, FileData> | null;
  occurrences: number;
  metadata: Record<string, unknown>;
  /** The file's new version, as in `ReadResult.version`. */
  version: string;
}>;
/** `path`: what was deleted, with everything below it. */
export type DeleteResult = Fallible<{ path: string; filesUpdate: Record<string, null> | null }>;

/** Why a file could not be transferred, in the terms of the published package. */
export type FileOperationError = 'file_not_found' | 'permission_denied' | 'is_directory' | 'invalid_path';
/** The outcome for one uploaded file. `error`: null if it was saved. */
export interface FileUploadResponse {
  /** As it was given. */
  path: string;
  /** Null if it worked. */
  error: FileOperationError | null;
  /** The cause if none of the four terms fits: `timeout`. */
  kind?: ErrorKind;
}
/** The outcome for one downloaded file. `content`: null if there is an error. */
export interface FileDownloadResponse extends FileUploadResponse {
  /** All bytes of the file, whatever its type. */
  content: Uint8Array | null;
}

export interface LsOptions extends CallOptions {
  /** Entries to skip: `nextOffset` of the page before. Default 0. */
  offset?: number;
  /** Entries in the answer. Default: all. A backend may ignore both. */
  limit?: number;
}

export interface WriteOptions extends CallOptions {
  /** The author of a write, recorded with each version by backends that keep versions. */
  author?: {
    /** `configurable.thread_id` of the run. */
    threadId?: string;
    /** Id of the tool call. */
    callId?: string;
    /** Nobody has checked who wrote it. */
    unverified?: true;
  };
  /** Fails with kind `stale` if the file is no longer this version. */
  expectedVersion?: string;
  /** Fails with kind `conflict` if the file exists. */
  createOnly?: boolean;
}

export interface GrepOptions extends CallOptions {
  /** The pattern is a regular expression (Rust syntax); otherwise literal. Always case-sensitive. */
  regex?: boolean;
}

/** Paths are absolute with `/` on every system. */
export interface BackendProtocol {
  /** Entries directly below a directory. */
  ls(path: string, options?: LsOptions): Promise<LsResult>;
  /** `offset` 0-based lines (default 0), `limit` lines (default 500). */
  read(filePath: string, offset?: number, limit?: number, options?: ReadOptions): Promise<ReadResult>;
  /** The whole file, as it is stored. */
  readRaw(filePath: string, options?: CallOptions): Promise<ReadRawResult>;
  /** Lines that contain a literal text, at and below `path`. `maxCount`: matches in all; null: no limit. */
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): Promise<GrepResult>;
  /**
   * Globs mean the same as in ripgrep everywhere: without `/`, a base name at any depth; with `/`, relative to `path`; a
   * leading `/` anchors there. `**`, braces and `[!a]` work. Names with a leading dot need an explicit dot, except folders
   * other than `.git` in a pattern without `/` and `**`. Files only.
   */
  glob(pattern: string, path?: string, options?: CallOptions): Promise<GlobResult>;
  /** Creates or overwrites, atomically. */
  write(filePath: string, content: string, options?: WriteOptions): Promise<WriteResult>;
  /** Replaces exact text. */
  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
    options?: WriteOptions,
  ): Promise<EditResult>;
  /** Deletes a file or a whole subtree. */
  delete?(filePath: string, options?: WriteOptions): Promise<DeleteResult>;
  /** Each file has its own answer. Files for which there was no time are not stored and have kind `timeout`. */
  uploadFiles?(
    files: [path: string, content: Uint8Array][],
    options?: CallOptions,
  ): Promise<FileUploadResponse[]>;
  /** Each path has its own answer, in the order of `paths`. */
  downloadFiles?(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]>;
  /**
   * The path of this backend that a path's links lead to, or the path itself if it is not a link or does not exist. Path
   * rules check both, so that no link bypasses them. Absent: there are no links.
   */
  realPath?(filePath: string): Promise<string>;
}

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
  /** Null if we stopped it. 124 if time ran out (`timedOut`), as in the `timeout` program. */
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
  id: string;
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
  /** One page from `offset`, or the end of the output. `limit` uses the units of offsets. */
  output(id: string, page?: { offset?: number; limit?: number }): Promise<Fallible<JobPage>>;
  /** Kills the whole process tree and resolves when it is gone. Stopping a finished job is no failure. */
  stop(id: string): Promise<Fallible<{ job: JobInfo }>>;
}

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
    cwd: string;
    callId?: string;
    writable?: readonly string[];
    /** Default: `read-write`. */
    access?: SandboxAccess;
  }): Promise<EnteredSandbox>;
}

/** What a confined command was denied, and which files it changed that other programs run or obey. */
export interface SandboxReport {
  /** For the model. Null if there is nothing to report. */
  note: string | null;
  /** Best effort, from the exit code and the command's output. */
  refused: Refused[];
}

/** A machine that a person named, and a folder there. */
export interface Elsewhere {
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
  /** Wraps a program so that it runs inside the sandbox. */
  wrap(program: { file: string; args: readonly string[] }): { file: string; args: string[] };
  /** Call it once the command has finished. `exitCode`: null or absent if unknown. `durationMs`: how long it ran. */
  leave(ended: { output: string; exitCode?: number | null; durationMs?: number }): Promise<SandboxReport>;
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
  wholeOutput?: { file: string; path: string };
  /**
   * Name of a shell session. Commands with the same name run one after the other, each in the folder and with the exported
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

/**
 * Merges an update into the files of a thread's state: `null` deletes. The reducer of the `files` channel. Never changes its
 * arguments.
 */
export function fileDataReducer(
  current: Record<string, FileData> | undefined,
  update: FilesUpdate | undefined,
): Record<string, FileData> {
  const merged = new Map(Object.entries(current ?? {}));
  for (const [path, data] of Object.entries(update ?? {}))
    if (data === null) merged.delete(path);
    else if (typeof data === 'object') merged.set(path, data);
    else
      throw new TypeError(
        `The file ${path} in the state is a ${typeof data}. Give it as { content, mimeType, created_at, modified_at }.`,
      );
  return Object.fromEntries(merged);
}
