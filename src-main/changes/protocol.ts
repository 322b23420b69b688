import type { DiffHunk } from '../contract/approvals';
import type { FileState } from '../contract/changes';
import { MAX_UNDO_FILE } from '../contract/limits';

/** The change of one path from one state to another. */
export interface PathChange {
  /** Relative to the folder, with `/`. */
  path: string;
  before: FileState;
  after: FileState;
}

/** A step of a revert. */
export interface RevertStep extends PathChange {
  /** The file is moved here from this path, because its content is not kept. No other step removes it there. */
  from?: string | undefined;
}

export interface Scan {
  changes: PathChange[];
  /** False during the first scan of the folder: the contents of some files are not kept yet. */
  ready: boolean;
}

export interface ScanOptions {
  named?: string[];
  claim?: string;
  exclusive?: boolean;
  waitMs?: number;
  limits?: NamedLimits;
}

/** Limits on the excluded files of a named folder whose contents are kept. */
export interface NamedLimits {
  files: number;
  bytes: number;
}

/** For calls that have no limits of their own. */
export const NAMED_LIMITS: NamedLimits = { files: 2_000, bytes: 64 * 1024 * 1024 };

export interface StepResult {
  path: string;
  /** `changed`: the path is in neither of the two states and was left alone. `lost`: the content is not kept. */
  outcome: 'done' | 'already' | 'changed' | 'lost' | 'failed';
  /** The error code of the system. */
  detail?: string;
}

export interface DiffAnswer {
  kind: 'text' | 'binary' | 'too_large' | 'lost' | 'link' | 'same';
  hunks: DiffHunk[];
  cut: boolean;
  added: number;
  removed: number;
}

/** The engine's API for the main process. Folders are absolute real paths; all other paths are relative to them. */
export interface EngineApi {
  /** Starts tracking a folder; cheap if it is tracked already. Resolves before everything has been read. */
  open(folder: string): Promise<void>;
  /**
   * Returns the changes since the last call and keeps the new contents. `waitMs`: how long to wait for the first scan of the
   * folder. `named` paths are always checked, even ignored ones, until `release`. `limits`: of what is kept of one that is
   * excluded; absent: 2,000 files and 64 MiB.
   */
  scan(folder: string, options: ScanOptions): Promise<Scan>;
  /** The current state of the paths that the claim named. `scan` then covers the paths below them again. */
  release(folder: string, claim: string): Promise<PathChange[]>;
  /** The current states on the disk. Keeps their contents. */
  states(folder: string, paths: string[]): Promise<FileState[]>;
  diff(before: FileState, after: FileState, maxLines: number): Promise<DiffAnswer>;
  /** `after` with one hunk of the diff reverted, or null if that is not possible. */
  withoutHunk(before: FileState, after: FileState, hunk: number): Promise<FileState | null>;
  /** Changes each path from the step's `before` to its `after`; each file changes atomically. */
  apply(folder: string, revertId: string, steps: RevertStep[]): Promise<StepResult[]>;
  /** Stores a content from elsewhere and returns its hash. */
  keep(bytes: Uint8Array): Promise<string>;
  /** A stored content; null if it is not kept. */
  content(hash: string): Promise<Uint8Array | null>;
  /** Stored bytes and their limit. */
  usage(): Promise<{ bytes: number; budget: number }>;
  /** Sets the limit in bytes. The next sweep deletes what exceeds it. */
  setBudget(bytes: number): Promise<void>;
  /** From rows with the newest first, the id from which downwards contents must be deleted; null: none. */
  planSweep(rows: { id: number; hashes: string[] }[]): Promise<number | null>;
  /** Deletes every content that is neither in `keep` nor in the current state of a folder. */
  sweep(keep: string[]): Promise<void>;
  close(): Promise<void>;
}

export type EngineMethod = keyof EngineApi;

export interface EngineRequest {
  id: number;
  method: EngineMethod;
  args: unknown[];
}

export type EngineReply =
  | { id: number; ok: true; value: unknown }
  /** `code`: that of a system error, by which a full disk is recognized; otherwise empty. */
  | { id: number; ok: false; error: string; code: string; stack: string | undefined };

export interface EngineOptions {
  /** Folder of the stored contents; created if missing. */
  store: string;
  /** Limit of stored contents in bytes, compressed. */
  budget: number;
  /** Maximum number of excluded files of a named folder whose contents are kept. Absent: 2,000. */
  namedFiles?: number;
  /** Maximum number of entries kept of a folder. Absent: 300,000. */
  maxEntries?: number;
  /** Saves the index of a folder; false if another process does. */
  persist: boolean;
}

/** Maximum size in bytes of a file whose content is kept. */
export const MAX_FILE = MAX_UNDO_FILE;
