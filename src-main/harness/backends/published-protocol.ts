import type {
  CallOptions,
  DeleteResult,
  EditResult,
  ExecuteOptions,
  ExecuteResponse,
  FileData,
  FileDownloadResponse,
  FileInfo,
  FileUploadResponse,
  GlobResult,
  GrepMatch,
  GrepOptions,
  GrepResult,
  JobControl,
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
  timeout?: number;
}

/** The part that both versions of the published protocol share. */
export interface PublishedBackend {
  write(filePath: string, content: string, options?: WriteOptions): MaybePromise<WriteResult>;
  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
    options?: WriteOptions,
  ): MaybePromise<EditResult>;
  delete?(filePath: string, options?: WriteOptions): MaybePromise<DeleteResult>;
  uploadFiles?(files: [string, Uint8Array][]): MaybePromise<FileUploadResponse[]>;
  downloadFiles?(paths: string[]): MaybePromise<FileDownloadResponse[]>;
  realPath?(filePath: string): Promise<string>;
  readonly id?: string;
  execute?(command: string, options?: PublishedExecuteOptions): MaybePromise<ExecuteResponse>;
  readonly routePrefixes?: readonly string[];
  readonly shellPrefixes?: readonly string[];
  readonly jobs?: JobControl | undefined;
  readonly confines?: boolean | undefined;
  readonly commandPlaces?: readonly string[] | undefined;
}

/**
 * The first version of the protocol: it returns lists instead of results, `read` returns numbered text, and `readRaw`
 * throws.
 */
export interface BackendV1 extends PublishedBackend {
  lsInfo(path: string): MaybePromise<FileInfo[]>;
  read(filePath: string, offset?: number, limit?: number): MaybePromise<string>;
  readRaw(filePath: string): MaybePromise<FileData>;
  /** A string is an error. */
  grepRaw(pattern: string, path?: string | null, glob?: string | null): MaybePromise<GrepMatch[] | string>;
  globInfo(pattern: string, path?: string): MaybePromise<FileInfo[]>;
}

/** A backend of the first version that runs commands. */
export type SandboxV1 = BackendV1 & Required<Pick<PublishedBackend, 'id' | 'execute'>>;

/** The current version. Its methods may be synchronous. */
export interface BackendV2 extends PublishedBackend {
  ls(path: string, options?: LsOptions): MaybePromise<LsResult>;
  read(filePath: string, offset?: number, limit?: number, options?: CallOptions): MaybePromise<ReadResult>;
  readRaw(filePath: string, options?: CallOptions): MaybePromise<ReadRawResult>;
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): MaybePromise<GrepResult>;
  glob(pattern: string, path?: string, options?: CallOptions): MaybePromise<GlobResult>;
}

/** A backend of either version of the published protocol. */
export type AnyBackend = BackendV1 | BackendV2;
