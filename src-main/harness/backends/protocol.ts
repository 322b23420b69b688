import type { ErrorKind } from '../../contract/shared/error-kind';

/** How a call of a backend is canceled, and how long it may take. */
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

/** Options of `read`. `offset` and `limit` are arguments of their own. */
export interface ReadOptions extends CallOptions {
  /**
   * Bytes of UTF-8 to skip in the page's first line (default 0). To continue a line that a page cut, pass that page's
   * `nextColumn`. If it is given, even as 0, `content` has no note about a cut line. Backends that never cut a line ignore
   * it.
   */
  column?: number;
}

/** A result, or why there is none: `error` says it for the model, `kind` for a program. A success has neither. */
export type Fallible<T> = {
  /** For the model: what happened and what to do next. */
  error?: string;
  /** For programs. */
  kind?: ErrorKind;
} & Partial<T>;

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

/** A page of a folder's entries. */
export type LsResult = Fallible<{
  /** The entries of this page. */
  files: FileInfo[];
  /** The folder has more entries than this page. */
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
export type ReadRawResult = Fallible<{
  /** As it is stored. */
  data: FileData;
  /** A note about the file for whoever sees it. */
  note: string;
}>;
/** The lines that a search found. */
export type GrepResult = Fallible<{
  /** The matching lines. */
  matches: GrepMatch[];
  /** More than `maxCount` lines match, or time ran out. */
  truncated: boolean;
  /** Number of matches that are left out because their files need a person's approval. */
  omitted: number;
}>;
/** The files that a search found. */
export type GlobResult = Fallible<{
  /** The matching files. */
  files: FileInfo[];
  /** More files match, or time ran out. */
  truncated: boolean;
}>;
/** The package's state backends return the change for the caller to apply. */
export type FilesUpdate = Record<string, FileData | null>;
/** The outcome of a write. */
export type WriteResult = Fallible<{
  /** The written file. */
  path: string;
  /** The change, if the caller has to apply it, else null. */
  filesUpdate: Record<string, FileData> | null;
  /** Passed on in the message of the call. */
  metadata: Record<string, unknown>;
  /** The file's new version, as in `ReadResult.version`. */
  version: string;
}>;
/** The outcome of an edit. */
export type EditResult = Fallible<{
  /** The edited file. */
  path: string;
  /** The change, if the caller has to apply it, else null. */
  filesUpdate: Record<string, FileData> | null;
  /** Number of replaced texts. */
  occurrences: number;
  /** Passed on in the message of the call. */
  metadata: Record<string, unknown>;
  /** The file's new version, as in `ReadResult.version`. */
  version: string;
}>;
/** The outcome of a delete. */
export type DeleteResult = Fallible<{
  /** The deleted file, or the folder with everything in it. */
  path: string;
  /** The change, if the caller has to apply it, else null. */
  filesUpdate: Record<string, null> | null;
}>;

/** Why a file could not be transferred, in the terms of the published package. */
export type FileOperationError = 'file_not_found' | 'permission_denied' | 'is_directory' | 'invalid_path';
/** The outcome for one uploaded file. `error`: null if it was saved. */
export interface FileUploadResponse {
  /** As it was given. */
  path: string;
  /** Null if it worked. */
  error: FileOperationError | null;
  /** The cause if none of the four terms fits: `timeout`, and for uploads `stale` and `conflict`. */
  kind?: ErrorKind;
}
/** The outcome for one downloaded file. `content`: null if there is an error. */
export interface FileDownloadResponse extends FileUploadResponse {
  /** All bytes of the file, whatever its type. */
  content: Uint8Array | null;
}

/** Options of `ls`: which page of the entries is returned. */
export interface LsOptions extends CallOptions {
  /** Entries to skip: `nextOffset` of the page before. Default 0. */
  offset?: number;
  /** Entries in the answer. Default: 10,000 in most backends of this library. A backend may ignore both. */
  limit?: number;
}

/**
 * Options of every change: its author, and the conditions under which it happens. For a backend that ignores conditions, the
 * library reads and compares before the change.
 */
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

/** Options of `grep`. The limit of matches is its argument `maxCount`. */
export interface GrepOptions extends CallOptions {
  /** The pattern is a regular expression (Rust syntax); otherwise literal. Always case-sensitive. */
  regex?: boolean;
}

/**
 * The file backend protocol, v2 of the published `deepagents` package by name and shape. Our additions are optional (call
 * options, error kinds, page metadata), so that package's backends run under our harness and ours under its. Paths are
 * absolute with `/` on every system.
 *
 * Nothing that a person or a model can cause throws: a failure is `{ error, kind }`, and its text says what to do next.
 * Aborting `signal` is the one exception: the call rejects with the signal's reason.
 */
export interface BackendProtocol {
  /** Entries directly below a directory, sorted by path. Kinds: `not_found`, `denied`, `special` for a file. */
  ls(path: string, options?: LsOptions): Promise<LsResult>;
  /**
   * A page of lines: `offset` lines are skipped (default 0), and at most `limit` are returned (default 500). A binary file is
   * returned whole, as bytes. Kinds: `not_found`, `denied`, `special`, `too_large`, and `invalid` for an offset past the end.
   */
  read(filePath: string, offset?: number, limit?: number, options?: ReadOptions): Promise<ReadResult>;
  /** The whole file, as it is stored. Kinds: as `read`. */
  readRaw(filePath: string, options?: CallOptions): Promise<ReadRawResult>;
  /**
   * Lines that contain a literal text, at and below `path` (default `/`). `glob` limits the files. `maxCount`: matches in all;
   * null: no limit. Binary files are skipped. Kinds: `not_found`, `denied`, and `invalid` for a pattern or glob that cannot be
   * used.
   */
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
   * other than `.git` in a pattern without `/` and `**`. Files only, below `path` (default `/`). Kinds: as `grep`.
   */
  glob(pattern: string, path?: string, options?: CallOptions): Promise<GlobResult>;
  /**
   * Creates or overwrites a file as a whole, with its missing parent folders. Whoever reads it meanwhile gets the old or the
   * new text. A text keeps the byte order mark, and the line endings if all are CR LF, of the text that it replaces. Kinds:
   * `denied`, `special`, `too_large`, `storage`, and those that `options` name.
   */
  write(filePath: string, content: string, options?: WriteOptions): Promise<WriteResult>;
  /**
   * Replaces a text that occurs exactly once, or with `replaceAll` (default false) every occurrence. Nothing changes on a
   * failure. Kinds: as `write`, and `not_found`, `binary`, and `invalid` if the text is missing or occurs more often.
   */
  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
    options?: WriteOptions,
  ): Promise<EditResult>;
  /** Deletes a file or a whole subtree; with `expectedVersion` only a file. Kinds: `not_found`, `denied`, `storage`. Absent: the
   * backend cannot delete, and the tool is not offered. */
  delete?(filePath: string, options?: WriteOptions): Promise<DeleteResult>;
  /**
   * Creates or overwrites files with exactly these bytes. Each file has its own answer, in the order of `files`. The conditions of
   * `options` apply to each file: kinds `stale` and `conflict`. Files for which there was no time are not stored and have kind
   * `timeout`.
   */
  uploadFiles?(
    files: [path: string, content: Uint8Array][],
    options?: WriteOptions,
  ): Promise<FileUploadResponse[]>;
  /** Reads all bytes of files, also of large ones. Each path has its own answer, in the order of `paths`. */
  downloadFiles?(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]>;
  /**
   * The path of this backend that a path's links lead to, or the path itself if it is not a link or does not exist. Path
   * rules check both, so that no link bypasses them. Absent: there are no links. A target that is unknown is below `/..`, which
   * is no path. Rejects with `UnknownTarget` if the backend cannot be reached, with the failure to answer.
   */
  realPath?(filePath: string, options?: CallOptions): Promise<string>;
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
