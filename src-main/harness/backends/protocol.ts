import type { ErrorKind } from '../../contract/shared/error-kind';
import type { Refused } from '../../contract/shared/sandbox';

/**
 * The file backend protocol, v2 of the published `deepagents` package by name and shape. What is added here is optional
 * (call options, error kinds, page metadata), so backends of that package run under our harness and ours under its.
 *
 * Nothing throws for what a person or a model can cause: a failure is `{ error, kind }`, its text saying what to do next.
 * Aborting `signal` is the one exception: the call rejects with the signal's reason.
 */
export interface CallOptions {
  signal?: AbortSignal;
  /**
   * Milliseconds; 0 is none left. Searches answer with what they found so far and `truncated`; every other call with
   * kind `timeout`, and then nothing was changed. A change that is past undoing is made all the same and answered so.
   */
  timeoutMs?: number;
  /**
   * Of `glob` and `grep`: only files of which it is true are answered, and only they count against a bound. Given
   * canonical paths. A backend may pay no attention to it; whoever gives it looks at the answer as well.
   */
  sees?: (path: string) => boolean;
}

export interface ReadOptions extends CallOptions {
  /**
   * Bytes of UTF-8 of the page's first line to skip (default 0): goes on in a line that a page had cut, by that page's
   * `nextColumn`. A caller that gives it, even 0, gets a cut line without a note of that in `content`. Backends that
   * never cut a line pay no attention to it.
   */
  column?: number;
}

type Fallible<T> = { error?: string; kind?: ErrorKind } & Partial<T>;

export interface FileInfo {
  /** Absolute; directories end with `/`. */
  path: string;
  is_dir?: boolean;
  /** Bytes. */
  size?: number;
  /** ISO 8601. */
  modified_at?: string;
}

export interface GrepMatch {
  path: string;
  /** 1-based. */
  line: number;
  /** Without its line end. */
  text: string;
  /** What whoever is shown lines of the file should know of it, the same with each of its matches. */
  note?: string;
}

export interface FileDataV1 {
  content: string[];
  created_at: string;
  modified_at: string;
}

export interface FileDataV2 {
  content: string | Uint8Array;
  mimeType: string;
  created_at: string;
  modified_at: string;
}

export type FileData = FileDataV1 | FileDataV2;

/** `truncated`: there are more entries than are listed; `nextOffset` goes on. */
export type LsResult = Fallible<{ files: FileInfo[]; truncated: boolean; total: number; nextOffset: number }>;

export type ReadResult = Fallible<{
  /** Lines `offset`..`offset + limit - 1` joined by `\n`, without a final line end; bytes for binary files, whole. */
  content: string | Uint8Array;
  mimeType: string;
  /** Absent where counting would mean reading the whole of a huge file. */
  totalLines: number;
  /** 0-based; absent at the end of the file. */
  nextOffset: number;
  /** The last line of the page was cut: it goes on with `offset: nextOffset - 1, column: nextColumn`. */
  nextColumn: number;
  /** Bytes of the whole file. */
  size: number;
  /** SHA-256 (hex) or another exact version mark of the whole file, for `expectedVersion`. */
  version: string;
  /** What whoever is shown the file should know of it. */
  note: string;
}>;
export type ReadRawResult = Fallible<{ data: FileData; note: string }>;
/**
 * `truncated`: more than `maxCount` matches existed, or time ran out. `omitted`: how many matches are left out because
 * their files need a person's approval.
 */
export type GrepResult = Fallible<{ matches: GrepMatch[]; truncated: boolean; omitted: number }>;
export type GlobResult = Fallible<{ files: FileInfo[]; truncated: boolean }>;
/** State backends of the package return the change for the caller to apply. */
export type FilesUpdate = Record<string, FileData | null>;
export type WriteResult = Fallible<{
  path: string;
  filesUpdate: Record<string, FileData> | null;
  metadata: Record<string, unknown>;
  /** The file as it is now, as `ReadResult.version` names it. */
  version: string;
}>;
export type EditResult = Fallible<{
  path: string;
  filesUpdate: Record<string, FileData> | null;
  occurrences: number;
  metadata: Record<string, unknown>;
  version: string;
}>;
export type DeleteResult = Fallible<{ path: string; filesUpdate: Record<string, null> | null }>;

export type FileOperationError = 'file_not_found' | 'permission_denied' | 'is_directory' | 'invalid_path';
export interface FileUploadResponse {
  path: string;
  error: FileOperationError | null;
  /** What happened, where none of the four words says it: `timeout`. */
  kind?: ErrorKind;
}
export interface FileDownloadResponse extends FileUploadResponse {
  content: Uint8Array | null;
}

export interface LsOptions extends CallOptions {
  offset?: number;
  limit?: number;
}

export interface WriteOptions extends CallOptions {
  /** Who writes: kept with each version by backends that keep versions. */
  author?: { threadId?: string; callId?: string; unverified?: true };
  /** Refused with kind `stale` when the file is no longer this version. */
  expectedVersion?: string;
  /** Refused with kind `conflict` when the file exists. */
  createOnly?: boolean;
}

export interface GrepOptions extends CallOptions {
  /** The pattern is a regular expression (Rust syntax); otherwise literal. Always case-sensitive. */
  regex?: boolean;
}

/** Paths are absolute with `/`, whatever the system. */
export interface BackendProtocol {
  /** Entries directly below a directory. */
  ls(path: string, options?: LsOptions): Promise<LsResult>;
  /** `offset` 0-based lines (default 0), `limit` lines (default 500). */
  read(filePath: string, offset?: number, limit?: number, options?: ReadOptions): Promise<ReadResult>;
  readRaw(filePath: string, options?: CallOptions): Promise<ReadRawResult>;
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): Promise<GrepResult>;
  /**
   * ripgrep's meaning of a glob everywhere: without `/` a base name at any depth; with `/` relative to `path`; a leading
   * `/` anchors there; `**`, braces and `[!a]`; names with a leading dot need an explicit dot; files only.
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
  /** A file or a whole subtree. */
  delete?(filePath: string, options?: WriteOptions): Promise<DeleteResult>;
  /** Each file has its own answer; those for which there was no time are answered with kind `timeout`, and not stored. */
  uploadFiles?(
    files: [path: string, content: Uint8Array][],
    options?: CallOptions,
  ): Promise<FileUploadResponse[]>;
  downloadFiles?(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]>;
  /**
   * Where a path leads when links are followed, as a path of this backend; the path itself where it is no link or is not
   * there. Rules about paths look at both, so that a link is no way around them. Absent: there are no links.
   */
  realPath?(filePath: string): Promise<string>;
}

export interface ExecuteOptions extends CallOptions {
  /** Names the tool call in the terminal that mirrors it. */
  callId?: string;
  /** Output as it comes, decoded, in order. */
  onOutput?: (text: string) => void;
  /** Told of what the command had printed where `signal` ended it, before the call rejects. */
  onStopped?: (printed: PrintedOutput) => void;
  /** Awaited immediately before the command is started. Where it rejects, nothing is started, and the call rejects so. */
  beforeStart?: () => Promise<void>;
  /**
   * Starts a job: answers within about a second, with `jobId` where it goes on, else with how it ended. It outlives the
   * call; `signal` ends it only until the answer, `timeoutMs` where one is given. For backends that have `jobs`.
   */
  background?: boolean;
}

/** Head and tail where it was too long. */
export interface PrintedOutput {
  output: string;
  truncated: boolean;
}

export interface ExecuteResponse {
  /** stdout and stderr as the terminal showed them, head and tail kept where too long. */
  output: string;
  /** Null when it was stopped by us; 124, as the program `timeout` has it, when time ran out (`timedOut`). */
  exitCode: number | null;
  truncated: boolean;
  timedOut?: boolean;
  /** Where all of an output that was too long is kept, as a path of the file tools. */
  outputFile?: string;
  /** What the sandbox refused; absent where nothing was, or where the command ran outside. */
  refused?: Refused[];
  /** The command goes on as this job; `output` is what it printed so far. */
  jobId?: string;
}

export interface JobInfo {
  id: string;
  command: string;
  cwd: string;
  /** `lost`: it ran when the program that looked after it was ended, and was ended with it or soon after. */
  status: 'running' | 'exited' | 'timed_out' | 'stopped' | 'lost';
  /** Null while it runs, and where it was ended by us. */
  exitCode: number | null;
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number | null;
}

/** Offsets are of what the terminal was sent, escape sequences included: go on from `nextOffset`, do not count. */
export interface JobPage {
  job: JobInfo;
  /** Plain text. */
  text: string;
  /** Where the page begins; later than asked for where the beginning is no longer kept. */
  offset: number;
  nextOffset: number;
  /** Where the output ends by now. */
  end: number;
}

/** Commands that go on in the background. Failures are values. */
export interface JobControl {
  /** Oldest first, also those that ended. */
  list(): Promise<JobInfo[]>;
  /** One page from `offset`, or the end of the output. `limit` in the units of offsets. */
  output(id: string, page?: { offset?: number; limit?: number }): Promise<Fallible<JobPage>>;
  /** Ends its whole process tree; resolves when it is gone. A job that has ended is no failure. */
  stop(id: string): Promise<Fallible<{ job: JobInfo }>>;
}

export interface SandboxBackendProtocol extends BackendProtocol {
  /** Not empty. */
  readonly id: string;
  execute(command: string, options?: ExecuteOptions): Promise<ExecuteResponse>;
  /** Where commands can go on in the background. */
  readonly jobs?: JobControl | undefined;
  /** Commands may run confined; a call can ask to be run outside, which a person decides. */
  readonly confines?: boolean | undefined;
}

/** A backend that can run commands: has `execute` and an id that is not empty. */
export function isSandboxBackend(backend: object): backend is SandboxBackendProtocol {
  const candidate = backend as Partial<SandboxBackendProtocol>;
  return typeof candidate.execute === 'function' && typeof candidate.id === 'string' && candidate.id !== '';
}

/**
 * Runs one command on this machine, in a terminal that the person sees. Implemented by the terminal room, used by
 * LocalShellBackend, which must not know about ptys.
 */
export interface CommandRunner {
  /**
   * Resolves when the command and every process it left behind are gone or were ended. Never rejects for what the
   * command does. Aborting `signal` ends the whole process tree, then rejects with the signal's reason.
   */
  run(command: string, options: RunOptions): Promise<CommandOutcome>;
  /**
   * Starts a command that outlives the call. Answers after a first look: with `jobId` where it goes on (`exitCode` is null
   * and `output` what it printed so far), else as `run` does. Aborting `signal` before that ends it.
   */
  start?(command: string, options: RunOptions): Promise<CommandOutcome & { jobId?: string }>;
  /** What was started, and by earlier runners for the same reader. */
  readonly jobs?: JobControl;
  /** Forgets what commands of a session share, once the last of them is over. */
  endSession?(name: string): void | Promise<void>;
}

/**
 * What a confined command reaches. `read-only`: for a command that nobody was asked about. It changes nothing, has no
 * network, and sees only the folder, system folders and toolchains. `read-write`: it writes in the folder.
 */
export type SandboxAccess = 'read-only' | 'read-write';

/** Keeps commands from the rest of the machine. Made by the sandbox room, used by whoever starts programs. */
export interface CommandSandbox {
  /** Prepares one command. `writable`: folders beside that the command is to write. Rejects where that fails. */
  enter(request: {
    cwd: string;
    callId?: string;
    writable?: readonly string[];
    /** Default: `read-write`. */
    access?: SandboxAccess;
  }): Promise<EnteredSandbox>;
}

/** What a confined command was refused, and what it changed that other programs run or obey. */
export interface SandboxReport {
  /** For the model; null where there is nothing to tell. */
  note: string | null;
  /** Best effort, from the exit code and what the command printed. */
  refused: Refused[];
}

export interface EnteredSandbox {
  /** What is run in place of a program, so that it runs inside. */
  wrap(program: { file: string; args: readonly string[] }): { file: string; args: string[] };
  /** To be called once the command is over. `exitCode`: null or absent where it is not known. */
  leave(ended: { output: string; exitCode?: number | null }): Promise<SandboxReport>;
}

export interface RunOptions {
  cwd: string;
  /** Absent: the command can reach whatever this user can. */
  sandbox?: CommandSandbox;
  /** What the command reaches in the sandbox. Default: `read-write`. */
  access?: SandboxAccess;
  /** The whole environment of the command: nothing is inherited. */
  env: Record<string, string>;
  timeoutMs: number;
  /** Cap of `output` in bytes of UTF-8; head and tail are kept. */
  maxOutputBytes: number;
  /** Keeps the whole of a longer output in `file` on this machine; `path` is how the reader's tools name it. */
  wholeOutput?: { file: string; path: string };
  /**
   * Name of a shell session: commands of the same name run one after the other, each in the folder and with the exported
   * variables with which the one before it ended; `cwd` is where the first begins. The outcome says where the next will.
   */
  session?: string;
  signal?: AbortSignal;
  callId?: string;
  onOutput?: (text: string) => void;
  /** Told of what was printed where `signal` ended the command, before the call rejects. */
  onStopped?: (printed: PrintedOutput) => void;
  /** As `ExecuteOptions.beforeStart`. */
  beforeStart?: () => Promise<void>;
}

export interface CommandOutcome {
  output: string;
  exitCode: number | null;
  truncated: boolean;
  timedOut: boolean;
  /** Milliseconds. */
  durationMs: number;
  /** Where the next command of the session begins. */
  cwd?: string;
  /** `wholeOutput.path`, where the output was kept there. */
  outputFile?: string;
  /** What the sandbox refused; absent where nothing was. */
  refused?: Refused[];
}

/**
 * Merges an update into the files of a thread's state: `null` deletes. The reducer of the channel `files`.
 * Never changes its arguments.
 */
export function fileDataReducer(
  current: Record<string, FileData> | undefined,
  update: FilesUpdate | undefined,
): Record<string, FileData> {
  const merged = new Map(Object.entries(current ?? {}));
  for (const [path, data] of Object.entries(update ?? {}))
    if (data === null) merged.delete(path);
    else merged.set(path, data);
  return Object.fromEntries(merged);
}
