import type { ExecuteOptions, ExecuteResponse, JobControl } from './commands';
import type {
  CallOptions,
  DeleteResult,
  EditResult,
  FileData,
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

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** LangSmith sandboxes take a time limit in seconds only. */
export interface PublishedExecuteOptions extends ExecuteOptions {
  /** Seconds. */
  timeout?: number;
}

/** The part that both versions of the published protocol share. */
export interface PublishedBackend {
  /** Creates a file, or replaces it. */
  write(filePath: string, content: string, options?: WriteOptions): MaybePromise<WriteResult>;
  /** Replaces a text that occurs exactly once, or all occurrences. */
  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
    options?: WriteOptions,
  ): MaybePromise<EditResult>;
  /** Deletes a file, or a folder with everything in it. */
  delete?(filePath: string, options?: WriteOptions): MaybePromise<DeleteResult>;
  /** One answer for each file, in order. */
  uploadFiles?(files: [string, Uint8Array][], options?: WriteOptions): MaybePromise<FileUploadResponse[]>;
  /** One answer for each path, in order. */
  downloadFiles?(paths: string[], options?: CallOptions): MaybePromise<FileDownloadResponse[]>;
  /** The path with links resolved. */
  realPath?(filePath: string): Promise<string>;
  /** Not empty if the backend runs commands. */
  readonly id?: string;
  /** Runs a command line in a shell. */
  execute?(command: string, options?: PublishedExecuteOptions): MaybePromise<ExecuteResponse>;
  /** Prefixes of mounted backends. */
  readonly routePrefixes?: readonly string[];
  /** Prefixes of the files that commands see. */
  readonly shellPrefixes?: readonly string[];
  /** Present if commands can run in the background. */
  readonly jobs?: JobControl | undefined;
  /** Whether a call can ask to run outside the sandbox. */
  readonly confines?: boolean | undefined;
  /** Prefixes of places on other machines that run commands. */
  readonly commandPlaces?: readonly string[] | undefined;
  /** Seconds that a command may take if its call does not say. 0: as long as calls may ask for. Default: 120. */
  readonly commandTimeout?: number | undefined;
}

/**
 * The first version of the protocol: it returns lists instead of results, `read` returns numbered text, and `readRaw`
 * throws.
 */
export interface BackendV1 extends PublishedBackend {
  /** Direct entries of a folder. */
  lsInfo(path: string): MaybePromise<FileInfo[]>;
  /** Numbered lines, or a text that starts with `Error`. */
  read(filePath: string, offset?: number, limit?: number): MaybePromise<string>;
  /** The stored file. Throws if there is none. */
  readRaw(filePath: string): MaybePromise<FileData>;
  /** A string is an error. */
  grepRaw(pattern: string, path?: string | null, glob?: string | null): MaybePromise<GrepMatch[] | string>;
  /** Files whose names match. */
  globInfo(pattern: string, path?: string): MaybePromise<FileInfo[]>;
}

/** A backend of the first version that runs commands. */
export type SandboxV1 = BackendV1 & Required<Pick<PublishedBackend, 'id' | 'execute'>>;

/** The current version. Its methods may be synchronous. */
export interface BackendV2 extends PublishedBackend {
  /** Direct entries of a folder. */
  ls(path: string, options?: LsOptions): MaybePromise<LsResult>;
  /** A page of lines, or all bytes of a binary file. */
  read(filePath: string, offset?: number, limit?: number, options?: CallOptions): MaybePromise<ReadResult>;
  /** The stored file. */
  readRaw(filePath: string, options?: CallOptions): MaybePromise<ReadRawResult>;
  /** Lines that contain a literal text, or match a regular expression. */
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): MaybePromise<GrepResult>;
  /** Files whose names match. */
  glob(pattern: string, path?: string, options?: CallOptions): MaybePromise<GlobResult>;
}

/** A backend of either version of the published protocol. */
export type AnyBackend = BackendV1 | BackendV2;
