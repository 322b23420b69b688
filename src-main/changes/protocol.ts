import type { FileState } from '../contract/changes';
import type { DiffHunk } from '../contract/conversation';
import { MAX_UNDO_FILE } from '../contract/limits';

/** One path going from one state to another. */
export interface PathChange {
  /** Relative to the folder, with `/`. */
  path: string;
  before: FileState;
  after: FileState;
}

export interface Look {
  changes: PathChange[];
  /** False while the folder is first looked through: the contents of some files are not kept yet. */
  ready: boolean;
}

export interface StepResult {
  path: string;
  /** `changed`: it is in neither of the two states, and was left alone. `lost`: the content is not kept. */
  outcome: 'done' | 'already' | 'changed' | 'lost' | 'failed';
  /** Of the system, where it said no. */
  detail?: string;
}

export interface DiffAnswer {
  kind: 'text' | 'binary' | 'too_large' | 'lost' | 'link' | 'same';
  hunks: DiffHunk[];
  cut: boolean;
  added: number;
  removed: number;
}

/** What the main process asks of the engine. Folders are absolute real paths, everything else relative to them. */
export interface EngineApi {
  /** Begins to keep a folder; cheap where it is kept already. Answers before everything has been read. */
  open(folder: string): Promise<void>;
  /**
   * What changed since the last look, and the new contents are kept from now on. `waitMs`: how long to wait for the first
   * look through the folder. `named` are looked at in any case, ignored ones too, and until `release`.
   */
  look(
    folder: string,
    options: { named?: string[]; claim?: string; exclusive?: boolean; waitMs?: number },
  ): Promise<Look>;
  /** The named paths of that claim as they are now; what is below them is then left to `look` again. */
  release(folder: string, claim: string): Promise<PathChange[]>;
  /** As they are on the disk, with their contents kept. */
  states(folder: string, paths: string[]): Promise<FileState[]>;
  diff(before: FileState, after: FileState, maxLines: number): Promise<DiffAnswer>;
  /** `after` with one hunk of the diff as it was before; null where that cannot be made. */
  withoutHunk(before: FileState, after: FileState, hunk: number): Promise<FileState | null>;
  /** Makes each path what it was: from `before` of a step to its `after`, each file at once or not at all. */
  apply(folder: string, revertId: string, steps: PathChange[]): Promise<StepResult[]>;
  /** Bytes of what is kept, and how many there may be. */
  usage(): Promise<{ bytes: number; budget: number }>;
  /** Keeps to this many bytes from now on; what is above goes with the next sweep. */
  setBudget(bytes: number): Promise<void>;
  /** Of rows newest first, the id through which (downwards) contents have to go; null: none. */
  planSweep(rows: { id: number; hashes: string[] }[]): Promise<number | null>;
  /** Deletes every content that is in none of these and in no folder as it is now. */
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
  | { id: number; ok: false; error: string; stack: string | undefined };

export interface EngineOptions {
  /** Folder of the kept contents; made when it is not there. */
  store: string;
  /** Bytes of kept contents, compressed. */
  budget: number;
  /** Writes what it knows of a folder; false beside another process that does. */
  persist: boolean;
}

/** Bytes of a file whose content is kept. */
export const MAX_FILE = MAX_UNDO_FILE;
