import type { Refused } from '../../../contract/shared/sandbox';
import type { CommandSandbox } from '../../backends/protocol';
import type { SandboxOptions } from '../index';

/** Why the commands of a folder cannot be rehearsed. */
export type UnavailableReason =
  | 'platform'
  | 'no_sandbox'
  | 'no_user_namespaces'
  | 'no_overlay'
  | 'mounts_below'
  | 'case_folding'
  | 'file_system'
  | 'network_file_system'
  | 'contains_data_folder'
  | 'data_folder_on_overlay'
  | 'failed';

/** `detail`: what the system said, or the place that is in the way. */
export type Availability =
  | { available: true }
  | { available: false; reason: UnavailableReason; detail?: string };

/** What ends a command that takes too much. */
export interface RehearsalLimits {
  /** Milliseconds. */
  time: number;
  /** On disk, over all that it writes; also of one file. */
  bytes: number;
  files: number;
  /** Processes and threads at a time. */
  processes: number;
  /** Bytes over all its processes. */
  memory: number;
}
export type Limit = keyof RehearsalLimits;

/** What stands at a path. */
export interface Entry {
  type: 'file' | 'folder' | 'link' | 'other';
  /** Bytes. */
  size: number;
  /** Permission bits. */
  mode: number;
  /** Where a link leads. */
  target?: string;
  /** Of a file's content; absent of files that are large or ignored. */
  sha256?: string;
}

export type ChangeKind = 'created' | 'changed' | 'deleted' | 'mode' | 'link' | 'type';

/**
 * `changed`: the folder is another there than when the command began. `open`: a program has the file open for writing.
 * `database`: a database with a write-ahead log that is in use. `refused`: the system does not let this user change it.
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
  /** Git ignores it, or a tool keeps its cache there. */
  ignored?: true;
  /** Other programs obey it, or it is part of a `.git`. */
  protected?: true;
  conflict?: ConflictReason;
  /** A link that leads out of the folder. */
  leadsOutside?: true;
  /** The `.git` that it is part of: kept and discarded with it. */
  git?: string;
}

/** What the changes of a `.git` mean. */
export type GitFact =
  | { what: 'created' | 'deleted' | 'stash' | 'config' }
  | { what: 'commits'; branch: string; count: number }
  | { what: 'switched'; branch: string }
  | { what: 'branch'; branch: string; change: 'created' | 'deleted' | 'moved' }
  | { what: 'tags' | 'staged' | 'files'; count: number }
  | { what: 'hooks'; names: string[] };

export interface Manifest {
  /** SHA-256 over all that is below. */
  hash: string;
  /** The layer's own folder. */
  place: string;
  layer: string;
  /** Real path of the folder. */
  folder: string;
  /** In the order of paths. A deleted folder and each entry of it are changes of their own. */
  changes: readonly Change[];
  git: readonly { path: string; facts: readonly GitFact[] }[];
}

/** Changes below one folder as one row. */
export interface Group {
  kind: 'group';
  path: string;
  count: number;
  bytes: number;
  ignored?: true;
  protected?: true;
  conflict?: true;
}

/** What a layer cannot do though the system could: the command is to run for real, and it did not fail. */
export type Unfit = 'rename' | 'owner';

export interface RehearsalRun {
  exitCode: number | null;
  /** What ended it. */
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
}

export interface RehearseOptions {
  /** As for commands that are not rehearsed; `found` must be bubblewrap. */
  sandbox: SandboxOptions;
  /** In the app's data folder; never in the project. */
  layersFolder: string;
  /** A name of its own, as a UUID: letters, digits and `-`. */
  layer: string;
  limits?: Partial<RehearsalLimits>;
  /** Ends the command and all that it started. What it had done until then is the outcome. */
  signal?: AbortSignal;
  /**
   * Runs the command in the sandbox that it is given, which stands for one `enter`, and ends it when `signal` is aborted.
   * `inShell` does that without a terminal.
   */
  run: (sandbox: CommandSandbox, signal: AbortSignal) => Promise<Ended>;
}

/** What is kept. */
export interface Choice {
  /** Changes, groups and `.git` folders by their paths, each with all below it. Absent: all. */
  paths?: readonly string[];
  /** Files of which a part is kept: the whole text to write. */
  hunks?: Readonly<Record<string, string | Uint8Array>>;
}

/** One path that is about to be changed in the folder. */
export interface KeptEntry {
  path: string;
  before?: Entry;
  after?: Entry;
  /** A file of this machine with the content before; it stays until the layer is discarded. */
  saved?: string;
}

export interface KeepJournal {
  /** Everything is staged and nothing changed yet; what this throws stops the keep. */
  prepared?(entries: readonly KeptEntry[]): Promise<void> | void;
}

export interface KeepResult {
  /** Paths of changes that are in the folder now. */
  kept: string[];
  /** Paths that were left as they are. */
  conflicts: Conflict[];
}

/** A keep that a process did not end. */
export interface RecoveredKeep extends KeepResult {
  layer: string;
  folder: string;
  /** `finished`: all is in the folder. `rolled_back`: nothing is, and the question is as it was. */
  outcome: 'finished' | 'rolled_back';
}
