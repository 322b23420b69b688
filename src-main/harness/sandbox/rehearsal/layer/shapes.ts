import type { Refused } from '../../../../contract/shared/sandbox';
import type { CommandSandbox } from '../../../backends/commands';
import type { SandboxOptions } from '../../index';

/** Why a folder's commands cannot be rehearsed. */
export type UnavailableReason =
  /** Not Linux. */
  | 'platform'
  /** The sandbox is not bubblewrap, or there is none. */
  | 'no_sandbox'
  /** The system does not let this user create namespaces. */
  | 'no_user_namespaces'
  /** The system cannot mount overlayfs for this user. */
  | 'no_overlay'
  /** Another file system is mounted below the folder. */
  | 'mounts_below'
  /** The file system does not distinguish upper and lower case. */
  | 'case_folding'
  /** The file system does not keep permissions. */
  | 'no_modes'
  /** The file system has no symbolic links. */
  | 'no_links'
  /** Overlayfs does not work on this file system, or it is FUSE. */
  | 'file_system'
  /** NFS, SMB and the like: a server may change files without the kernel's knowledge. */
  | 'network_file_system'
  /** The folder contains the one with the layers, or is in it. */
  | 'contains_data_folder'
  /** The folder with the layers is itself on overlayfs, as in a container. */
  | 'data_folder_on_overlay'
  /** Anything else, for example that util-linux is missing. */
  | 'failed';

/** Whether the commands of a folder can be rehearsed. */
export type Availability =
  | { available: true }
  | {
      available: false;
      reason: UnavailableReason;
      /** The system's message, or the path that prevents it. Absent if the reason says it all. */
      detail?: string;
    };

/** Limits that stop a command. */
export interface RehearsalLimits {
  /** Milliseconds. */
  time: number;
  /** On disk, over all its writes; also for one file. */
  bytes: number;
  /** Files that it creates or changes. */
  files: number;
  /** Concurrent processes and threads. */
  processes: number;
  /** Bytes over all its processes. */
  memory: number;
}
/** A limit that can stop a command. */
export type Limit = keyof RehearsalLimits;

/** An entry at a path. */
export interface Entry {
  /** `other`: a device, socket or pipe. */
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

/** `mode`: only permissions changed. `link`: a link leads elsewhere. `type`: for example, a file became a folder. */
export type ChangeKind = 'created' | 'changed' | 'deleted' | 'mode' | 'link' | 'type';

/**
 * `changed`: the folder differs from when the command started. `open`: a program has the file open for writing. `database`:
 * a database in use with a write-ahead log. `refused`: the system denies this user the change.
 */
export type ConflictReason = 'changed' | 'open' | 'database' | 'refused';

/** A change that cannot be kept now. */
export interface Conflict {
  /** Relative to the folder. */
  path: string;
  /** Why it cannot be kept. */
  reason: ConflictReason;
}

/** One changed path. */
export interface Change {
  /** Relative to the folder, with `/`. */
  path: string;
  /** What happened to the path. */
  kind: ChangeKind;
  /** Absent if there was nothing. */
  before?: Entry;
  /** Absent if nothing is left. */
  after?: Entry;
  /** Git ignores it, or it is a tool's cache. */
  ignored?: true;
  /** Git tracks it although it is ignored or in a folder for generated files. */
  tracked?: true;
  /** Other programs run or load it, or it is part of a `.git`. */
  protected?: true;
  /** Why it cannot be kept now. Absent if it can. */
  conflict?: ConflictReason;
  /** A link that leads out of the folder, even through other links. */
  leadsOutside?: true;
  /** The `.git` that it is part of: kept and discarded with it. */
  git?: string;
}

/** The meaning of changes in a `.git`. */
export type GitFact =
  /** `created`, `deleted`: the `.git` itself. `stash`, `config`: these changed. */
  | { what: 'created' | 'deleted' | 'stash' | 'config' }
  /** A branch has new commits. At most 1,000 are counted. */
  | { what: 'commits'; branch: string; count: number }
  /** HEAD changed. `branch`: the branch that is checked out, or the first 12 characters of a commit. */
  | { what: 'switched'; branch: string }
  /** `moved`: to a commit that does not follow the old one, or that is not new. */
  | { what: 'branch'; branch: string; change: 'created' | 'deleted' | 'moved' }
  /** Changed tags, or changed entries of the index. `files`: only other files changed, which git neither runs nor loads. */
  | { what: 'tags' | 'staged' | 'files'; count: number }
  /** Programs that git runs. `names`: the first 20 that changed, relative to `hooks`. */
  | { what: 'hooks'; names: string[] }
  /** Other files that git loads, or that lead it elsewhere. `names`: the first 20, relative to the `.git`. */
  | { what: 'obeyed'; names: string[]; count: number };

/** Everything that a command changed in its layer. */
export interface Manifest {
  /** SHA-256 over everything below. */
  hash: string;
  /** The layer's folder. */
  place: string;
  /** Name of the layer. */
  layer: string;
  /** Real path of the folder. */
  folder: string;
  /** Sorted by path. A deleted folder and each of its entries are separate changes. */
  changes: readonly Change[];
  /** What happened to each `.git` that changed. */
  git: readonly {
    /** Of the `.git`, relative to the folder. */
    path: string;
    /** At least one. */
    facts: readonly GitFact[];
  }[];
}

/** The changes below one folder, as one row. */
export interface Group {
  /** Always `group`: rows of single paths have a `ChangeKind`. */
  kind: 'group';
  /** The folder, relative to the project folder. */
  path: string;
  /** Files and links among its changes; empty folders do not count. */
  count: number;
  /** Total size of its new files. */
  bytes: number;
  /** Git ignores all of them. */
  ignored?: true;
  /** Other programs run or load at least one of them. */
  protected?: true;
  /** At least one is a link that leads out of the folder. */
  leadsOutside?: true;
  /** At least one cannot be kept now. */
  conflict?: true;
}

/**
 * Operations that a layer cannot do or keep but the system can: the command must run for real, and did not fail. `mode`: other
 * permissions of the project folder itself.
 */
export type Unfit = 'rename' | 'owner' | 'attributes' | 'mode';

/** The outcome of a command in a layer. */
export interface RehearsalRun {
  /** Null if the command was stopped. */
  exitCode: number | null;
  /** The limit that stopped it. */
  limit?: Limit;
  /** stdout and stderr together. */
  output: string;
  /** What the sandbox refused. */
  refused: readonly Refused[];
  /** The command failed because of the layer, and must run for real. */
  unfit?: Unfit;
  /** Milliseconds. */
  durationMs: number;
  /** What it changed. */
  manifest: Manifest;
}

/** How a command ended. */
export interface Ended {
  /** stdout and stderr together. */
  output: string;
  /** Null if the command was stopped. */
  exitCode: number | null;
  /** Milliseconds that it ran, if the caller measures it. */
  durationMs?: number;
}

/** Options of `rehearse`. */
export interface RehearseOptions {
  /** Same as for commands that are not rehearsed; `found` must be bubblewrap. */
  sandbox: SandboxOptions;
  /** In the app's data folder; never in the project. */
  layersFolder: string;
  /** A unique name such as a UUID: letters, digits and `-`. */
  layer: string;
  /** Default: `DEFAULT_LIMITS`. */
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
  /** What is left out below these paths, each with everything below it. */
  except?: readonly string[];
  /** Files kept in part: the whole text to write. */
  hunks?: Readonly<Record<string, string | Uint8Array>>;
}

/** A path that is about to change in the folder. */
export interface KeptEntry {
  /** Relative to the folder. */
  path: string;
  /** Absent if it will be created. */
  before?: Entry;
  /** Absent if it will be deleted. */
  after?: Entry;
  /** A file on this machine with the previous content; it stays until the layer is discarded. */
  saved?: string;
}

/** Called while changes are kept, so that a program can record them. */
export interface KeepJournal {
  /** Everything is staged and nothing has changed yet. An error stops the keep. */
  prepared?(entries: readonly KeptEntry[]): Promise<void> | void;
  /** Everything is in the folder, and a kill until this has resolved is repaired by `recoverKeeps`. */
  applied?(result: KeepResult): Promise<void> | void;
}

/** What was kept. */
export interface KeepResult {
  /** Paths of changes that are now in the folder. */
  kept: string[];
  /** Paths left unchanged. */
  conflicts: Conflict[];
}

/** A keep that a process did not finish. */
export interface RecoveredKeep extends KeepResult {
  /** Name of the layer. */
  layer: string;
  /** Real path of the folder. */
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
