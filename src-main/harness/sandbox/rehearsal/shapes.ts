import type { Refused } from '../../../contract/shared/sandbox';
import type { CommandSandbox } from '../../backends/protocol';
import type { SandboxOptions } from '../index';

/** Why a folder's commands cannot be rehearsed. */
export type UnavailableReason =
  | 'platform'
  | 'no_sandbox'
  | 'no_user_namespaces'
  | 'no_overlay'
  | 'mounts_below'
  | 'case_folding'
  | 'no_modes'
  | 'no_links'
  | 'file_system'
  | 'network_file_system'
  | 'contains_data_folder'
  | 'data_folder_on_overlay'
  | 'failed';

/** `detail`: the system's message, or the path that prevents it. */
export type Availability =
  | { available: true }
  | { available: false; reason: UnavailableReason; detail?: string };

/** Limits that stop a command. */
export interface RehearsalLimits {
  /** Milliseconds. */
  time: number;
  /** On disk, over all its writes; also for one file. */
  bytes: number;
  files: number;
  /** Concurrent processes and threads. */
  processes: number;
  /** Bytes over all its processes. */
  memory: number;
}
export type Limit = keyof RehearsalLimits;

/** An entry at a path. */
export interface Entry {
  type: 'file' | 'folder' | 'link' | 'other';
  /** Bytes. */
  size: number;
  /** Permission bits. */
  mode: number;
  /** Where a link leads. */
  target?: string;
  /** Names of a file, if it has several: keeping a change of its content changes what all of them show. */
  names?: number;
  /** Hash of a file's content; absent for large or ignored files. */
  sha256?: string;
}

export type ChangeKind = 'created' | 'changed' | 'deleted' | 'mode' | 'link' | 'type';

/**
 * `changed`: the folder differs from when the command started. `open`: a program has the file open for writing. `database`:
 * a database in use with a write-ahead log. `refused`: the system denies this user the change.
 */
export type ConflictReason = 'changed' | 'open' | 'database' | 'refused';

export interface Conflict {
  path: string;
  reason: ConflictReason;
}

export interface Change {
  /** Relative to the folder, with `/`. */
  path: string;
  kind: ChangeKind;
  before?: Entry;
  after?: Entry;
  /** Git ignores it, or it is a tool's cache. */
  ignored?: true;
  /** Git tracks it although it is ignored or in a folder for generated files. */
  tracked?: true;
  /** Other programs obey it, or it is part of a `.git`. */
  protected?: true;
  conflict?: ConflictReason;
  /** A link that leads out of the folder, even by way of other links. */
  leadsOutside?: true;
  /** The `.git` that it is part of: kept and discarded with it. */
  git?: string;
}

/** The meaning of changes in a `.git`. */
export type GitFact =
  | { what: 'created' | 'deleted' | 'stash' | 'config' }
  | { what: 'commits'; branch: string; count: number }
  | { what: 'switched'; branch: string }
  | { what: 'branch'; branch: string; change: 'created' | 'deleted' | 'moved' }
  | { what: 'tags' | 'staged' | 'files'; count: number }
  | { what: 'hooks'; names: string[] }
  /** Other files that git obeys, or that lead it elsewhere. `names`: the first ones, relative to the `.git`. */
  | { what: 'obeyed'; names: string[]; count: number };

export interface Manifest {
  /** SHA-256 over everything below. */
  hash: string;
  /** The layer's folder. */
  place: string;
  layer: string;
  /** Real path of the folder. */
  folder: string;
  /** Sorted by path. A deleted folder and each of its entries are separate changes. */
  changes: readonly Change[];
  git: readonly { path: string; facts: readonly GitFact[] }[];
}

/** The changes below one folder, as one row. */
export interface Group {
  kind: 'group';
  path: string;
  count: number;
  bytes: number;
  ignored?: true;
  protected?: true;
  leadsOutside?: true;
  conflict?: true;
}

/** Operations that a layer cannot do but the system can: the command must run for real, and did not fail. */
export type Unfit = 'rename' | 'owner';

export interface RehearsalRun {
  exitCode: number | null;
  /** The limit that stopped it. */
  limit?: Limit;
  output: string;
  refused: readonly Refused[];
  unfit?: Unfit;
  /** Milliseconds. */
  durationMs: number;
  manifest: Manifest;
}

export interface Ended {
  output: string;
  exitCode: number | null;
  /** Milliseconds that it ran, if the caller measures it. */
  durationMs?: number;
}

export interface RehearseOptions {
  /** Same as for commands that are not rehearsed; `found` must be bubblewrap. */
  sandbox: SandboxOptions;
  /** In the app's data folder; never in the project. */
  layersFolder: string;
  /** A unique name such as a UUID: letters, digits and `-`. */
  layer: string;
  limits?: Partial<RehearsalLimits>;
  /** Stops the command with all its processes. Its changes up to then are the outcome. */
  signal?: AbortSignal;
  /**
   * The time limit is reached and the command still runs, as a server does. Resolves to the milliseconds that it gets in
   * addition from then on, or null to stop it. It keeps running in its layer until then, and may exit first. Default: stop.
   */
  overtime?: (milliseconds: number) => Promise<number | null>;
  /**
   * Runs the command in the given sandbox, for one `enter`, and stops it when `signal` is aborted. `inShell` does that
   * without a terminal.
   */
  run: (sandbox: CommandSandbox, signal: AbortSignal) => Promise<Ended>;
}

/** What is kept. */
export interface Choice {
  /** Changes, groups and `.git` folders by path, each with everything below it. Absent: all. */
  paths?: readonly string[];
  /** Files kept in part: the whole text to write. */
  hunks?: Readonly<Record<string, string | Uint8Array>>;
}

/** A path that is about to change in the folder. */
export interface KeptEntry {
  path: string;
  before?: Entry;
  after?: Entry;
  /** A file on this machine with the previous content; it stays until the layer is discarded. */
  saved?: string;
}

export interface KeepJournal {
  /** Everything is staged and nothing has changed yet. An error stops the keep. */
  prepared?(entries: readonly KeptEntry[]): Promise<void> | void;
  /** Everything is in the folder, and a kill until this has resolved is repaired by `recoverKeeps`. */
  applied?(result: KeepResult): Promise<void> | void;
}

export interface KeepResult {
  /** Paths of changes that are now in the folder. */
  kept: string[];
  /** Paths left unchanged. */
  conflicts: Conflict[];
}

/** A keep that a process did not finish. */
export interface RecoveredKeep extends KeepResult {
  layer: string;
  folder: string;
  /** `finished`: everything is in the folder. `rolled_back`: nothing is, and the approval is pending again. */
  outcome: 'finished' | 'rolled_back';
}

/** The layer no longer contains what its manifest says: it was removed, or another program changed it. */
export class LayerChanged extends Error {
  constructor(path?: string) {
    super(
      path === undefined
        ? "The command's changes no longer exist."
        : `What the command wrote to '${path}' no longer exists.`,
    );
  }
}
