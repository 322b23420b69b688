import { z } from 'zod';
import { Refused } from './shared/sandbox';

/** The entry at a path. */
const OutcomeEntry = z.object({
  type: z.enum(['file', 'folder', 'link', 'other']),
  /** Bytes. */
  size: z.number(),
  /** Permission bits. */
  mode: z.number(),
  /** Target of a link. */
  target: z.string().optional(),
  /** Number of names (hard links) of a file, if there are several. */
  names: z.number().optional(),
});

/** One row of an outcome. Paths are relative to the folder, with `/`. */
const OutcomeRow = z.discriminatedUnion('kind', [
  z.object({
    /** `mode`: only the permissions; `link`: a link's target; `type`: a file became a folder, or similar. */
    kind: z.enum(['created', 'changed', 'deleted', 'mode', 'link', 'type']),
    path: z.string(),
    before: OutcomeEntry.optional(),
    after: OutcomeEntry.optional(),
    /** Shown only by size, without a diff. */
    binary: z.boolean().optional(),
    /** Lines; absent if not counted. */
    added: z.number().optional(),
    removed: z.number().optional(),
    /** Git ignores it, or it is in a tool's cache. */
    ignored: z.boolean().optional(),
    /** Other programs run or load it, or it is part of `.git`. No rule or mode keeps it without asking. */
    protected: z.boolean().optional(),
    /** A link that leads out of the folder. No mode keeps it without asking, except ignored ones. */
    leadsOutside: z.boolean().optional(),
    /** The folder has changed there since the command started, so it is not kept. */
    conflict: z.boolean().optional(),
  }),
  /** A generated folder, or one with very many changes. It is kept or discarded as a whole, by its path. */
  z.object({
    kind: z.literal('group'),
    path: z.string(),
    count: z.number(),
    bytes: z.number(),
    ignored: z.boolean().optional(),
    protected: z.boolean().optional(),
    leadsOutside: z.boolean().optional(),
    conflict: z.boolean().optional(),
  }),
]);
export type OutcomeRow = z.infer<typeof OutcomeRow>;

/** The meaning of changes in a `.git` folder. */
const GitFact = z.discriminatedUnion('what', [
  z.object({ what: z.literal('created') }),
  z.object({ what: z.literal('deleted') }),
  z.object({ what: z.literal('commits'), branch: z.string(), count: z.number() }),
  /** HEAD is on a different branch. */
  z.object({ what: z.literal('switched'), branch: z.string() }),
  z.object({
    what: z.literal('branch'),
    branch: z.string(),
    change: z.enum(['created', 'deleted', 'moved']),
  }),
  z.object({ what: z.literal('tags'), count: z.number() }),
  z.object({ what: z.literal('staged'), count: z.number() }),
  z.object({ what: z.literal('stash') }),
  z.object({ what: z.literal('config') }),
  z.object({ what: z.literal('hooks'), names: z.array(z.string()) }),
  /** Other files that git loads, such as `info/attributes`. `names`: the first ones. */
  z.object({ what: z.literal('obeyed'), names: z.array(z.string()), count: z.number() }),
  /** Its other files. */
  z.object({ what: z.literal('files'), count: z.number() }),
]);

/** A `.git` folder is kept or discarded as a whole, by its path. */
const GitOutcome = z.object({
  path: z.string(),
  facts: z.array(GitFact),
  /** The folder's repository has changed since the command started, so it is not kept. */
  conflict: z.boolean().optional(),
});

/** The changes of a rehearsed command. None of them is in the folder yet. */
export const Outcome = z.object({
  /** SHA-256 of all changes: a decision covers exactly these. */
  manifest: z.string(),
  /** Identifies the run, since the same command may have the same outcome again. */
  layer: z.string(),
  exitCode: z.number().nullable(),
  /** The limit that stopped it. */
  limit: z.enum(['time', 'bytes', 'files', 'processes', 'memory']).optional(),
  /** The end of its output. */
  output: z.string(),
  durationMs: z.number(),
  /** Sorted by path, without the `.git` folders. */
  rows: z.array(OutcomeRow),
  /** Number of further rows that are not listed. Keep includes them. */
  more: z.number().optional(),
  /** Accesses it needed but the layer lacks. */
  refused: z.array(Refused),
  git: z.array(GitOutcome).optional(),
  totals: z.object({ files: z.number(), added: z.number(), removed: z.number(), bytes: z.number() }),
  /** Number of files whose previous content undo could not bring back. */
  beyondUndo: z.number().optional(),
  /**
   * Number of written files that decide what a build, a test or a start script runs, or are code of an installed package. No
   * mode keeps them without asking.
   */
  buildFiles: z.number().optional(),
  /** The layer is gone: nothing can be kept, but the command can run again. */
  lost: z.boolean().optional(),
  /** When keeping it failed last, in milliseconds since 1970, and the system's code for why, such as `ENOSPC`. */
  notKept: z.object({ at: z.number(), code: z.string() }).optional(),
});
export type Outcome = z.infer<typeof Outcome>;

/** The result of a rehearsed call. */
export const RehearsedCall = z.object({
  state: z.enum([
    'rehearsing',
    /** It changed nothing. */
    'unchanged',
    'kept',
    /** Only ignored files and caches: kept without asking, and `changes.revert` of the call discards them. */
    'kept_ignored',
    'kept_in_part',
    'discarded',
    /** It ran for real instead. */
    'ran',
  ]),
  /** Number of kept files. */
  paths: z.number(),
});
export type RehearsedCall = z.infer<typeof RehearsedCall>;

/** Why a folder's commands are not rehearsed. */
export const NotRehearsed = z.enum([
  'platform',
  'no_sandbox',
  'no_user_namespaces',
  'no_overlay',
  'mounts_below',
  'case_folding',
  'no_modes',
  'no_links',
  'file_system',
  'network_file_system',
  'contains_data_folder',
  'data_folder_on_overlay',
  'remote',
  'turned_off',
  'failed',
]);
export type NotRehearsed = z.infer<typeof NotRehearsed>;

/** Decisions about an outcome. There is no default here either. */
export const outcomeDecisions = [
  z.object({
    type: z.literal('keep'),
    manifest: z.string().min(1).max(200),
    /** Paths of rows, groups and `.git` folders, each with everything below it. Absent: all. */
    paths: z.array(z.string().min(1).max(8_192)).max(100_000).optional(),
    /** What is left out below these paths, each with everything below it. */
    except: z.array(z.string().min(1).max(8_192)).max(100_000).optional(),
    /** For a text file in `paths`, the hunks of its diff to keep, 0-based. Absent: the whole file. */
    hunks: z
      .record(z.string().min(1).max(8_192), z.array(z.number().int().nonnegative()).max(10_000))
      .optional(),
  }),
  z.object({ type: z.literal('discard'), message: z.string().max(20_000).optional() }),
  /** Runs for real, in the sandbox with the allowed hosts, without a layer. */
  z.object({ type: z.literal('run') }),
  /** Rehearses again with the maximum time for a command, after a timeout. */
  z.object({ type: z.literal('wait') }),
  /** Rehearses again if the layer is gone. */
  z.object({ type: z.literal('again') }),
] as const;
