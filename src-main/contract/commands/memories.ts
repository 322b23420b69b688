import { z } from 'zod';
import { MemoryEntry } from '../app';
import { DiffHunk } from '../approvals';
import { command, done, FilePath } from '../command';
import { CallId, MessageId, PlaceId, ProjectId, ThreadId } from '../ids';
import { AppError } from '../result';
import { Reason } from '../shared/reasons';

const Path = z.string().max(4_096);

/**
 * The project whose memories `/memories/` means. Those for everywhere, at `/memories/shared/`, need none.
 */
const viewer = { projectId: ProjectId.nullable().optional() };

/** A filter for memories; absent fields do not filter. */
export const MemoryFilter = z.strictObject({
  /** Words that must all occur in the path or text, ignoring case. */
  query: z.string().max(1_000).optional(),
  /** Last written in a thread, or in a thread of a project. */
  threadId: ThreadId.optional(),
  projectId: ProjectId.optional(),
  /** Only those of the project, or only those for everywhere. */
  scope: z.enum(['project', 'everywhere']).optional(),
  by: z.enum(['person', 'agent', 'unverified']).optional(),
  /** Changed at that time or later, in milliseconds since 1970. */
  since: z.number().optional(),
});
export type MemoryFilter = z.infer<typeof MemoryFilter>;

export const MemoryVersion = z.object({
  /** Counts up from 1 for each path. */
  version: z.number(),
  at: z.number(),
  /** Null if unknown. */
  writtenBy: MemoryEntry.shape.writtenBy.nullable(),
  /** Bytes; null if this version is a deletion. */
  size: z.number().nullable(),
});
export type MemoryVersion = z.infer<typeof MemoryVersion>;

export const MemoryChoice = z.enum(['muted', 'pinned']);
export type MemoryChoice = z.infer<typeof MemoryChoice>;

/** A memory or instructions file that the model saw. */
export const UsedMemory = z.object({
  path: z.string(),
  /** `loaded` with every request of the turn; `read` by a call. */
  how: z.enum(['loaded', 'read']),
  /** Estimated. */
  tokens: z.number(),
  unverified: z.boolean(),
});
export type UsedMemory = z.infer<typeof UsedMemory>;

export const ImportedMemory = z.object({
  path: z.string(),
  /** `invalid`: skipped, with the reason. */
  state: z.enum(['new', 'changed', 'same', 'invalid']),
  reason: Reason.optional(),
});
export type ImportedMemory = z.infer<typeof ImportedMemory>;

/** What holds memories: a project, the memories for everywhere, or the place of a team. */
export const MemoryEnd = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('project'), projectId: ProjectId }),
  z.strictObject({ kind: z.literal('everywhere') }),
  z.strictObject({ kind: z.literal('team'), placeId: PlaceId }),
]);
export type MemoryEnd = z.infer<typeof MemoryEnd>;

export const MemoryCopyPreview = z.object({
  /** Number of memories that the target does not have. */
  fresh: z.number(),
  same: z.number(),
  /** Number of memories with another text at the target, and the first of their names. */
  different: z.number(),
  names: z.array(z.string()),
});
export type MemoryCopyPreview = z.infer<typeof MemoryCopyPreview>;

export const CopiedMemories = z.object({
  copied: z.number(),
  /** Number of memories that were there already. */
  same: z.number(),
  /** The first that are left at their origin. `different`: the target has another text. `changed`: changed during the move. */
  left: z.array(z.object({ name: z.string(), why: z.enum(['different', 'changed']) })),
  /** What ended it early. */
  error: AppError.nullable(),
});
export type CopiedMemories = z.infer<typeof CopiedMemories>;

/** Memories: reading, writing, finding, history, export, import, and selection by thread. */
export const memoriesCommands = {
  'memories.list': command(
    z.strictObject({ query: z.string().max(1_000).optional(), ...viewer }),
    z.object({ memories: z.array(MemoryEntry) }),
  ),
  'memories.read': command(
    z.strictObject({ path: FilePath, ...viewer }),
    z.object({ memory: MemoryEntry, text: z.string() }),
  ),
  /** `expectedUpdatedAt` prevents overwriting a newer version by the agent (`stale`); null creates. */
  'memories.write': command(
    z.strictObject({
      path: FilePath,
      text: z.string().max(2_000_000),
      expectedUpdatedAt: z.number().nullable(),
      ...viewer,
    }),
    z.object({ memory: MemoryEntry }),
  ),
  'memories.delete': command(z.strictObject({ path: FilePath, ...viewer }), done),
  /** Restores the last deleted version. */
  'memories.restore': command(
    z.strictObject({ path: FilePath, ...viewer }),
    z.object({ memory: MemoryEntry }),
  ),
  /**
   * Moves a memory of the project to everywhere, or one of everywhere to the project, with its versions. Errors: `not_found`,
   * `conflict` if the name is taken there.
   */
  'memories.move': command(
    z.strictObject({ path: FilePath, projectId: ProjectId }),
    z.object({ memory: MemoryEntry }),
  ),
  /** Undoes one tool call's change to a memory. */
  'memories.undo': command(z.strictObject({ threadId: ThreadId, callId: CallId }), done),
  /** Most recently changed first; `total` counts all. */
  'memories.find': command(
    z.strictObject({
      filter: MemoryFilter,
      ...viewer,
      offset: z.number().int().nonnegative(),
      limit: z.number().int().positive().max(500),
    }),
    z.object({ memories: z.array(MemoryEntry), total: z.number() }),
  ),
  /** All stored versions, newest first. Errors: `not_found`. */
  'memories.versions': command(
    z.strictObject({ path: Path, ...viewer }),
    z.object({ versions: z.array(MemoryVersion) }),
  ),
  /** The diff from version `from` to version `to`; a deletion and version 0 count as empty. Errors: `not_found`. */
  'memories.compare': command(
    z.strictObject({
      path: Path,
      from: z.number().int().nonnegative(),
      to: z.number().int().positive(),
      ...viewer,
    }),
    z.object({ hunks: z.array(DiffHunk), text: z.string() }),
  ),
  /** Makes an older version the newest; later versions are kept. Errors: `not_found`. */
  'memories.restoreVersion': command(
    z.strictObject({ path: Path, version: z.number().int().positive(), ...viewer }),
    z.object({ memory: MemoryEntry }),
  ),
  /** The person has read and approved it. Errors: `not_found`, `stale`. */
  'memories.confirm': command(
    z.strictObject({ path: Path, expectedUpdatedAt: z.number(), ...viewer }),
    z.object({ memory: MemoryEntry }),
  ),
  /** The call that wrote it; `messageId` null: the thread exists, but the message does not. Errors: `not_found`. */
  'memories.origin': command(
    z.strictObject({ threadId: ThreadId, callId: CallId.nullable() }),
    z.object({ title: z.string(), messageId: MessageId.nullable() }),
  ),
  /**
   * The memories that the turns of a thread saw, by the person's message that started each turn, and the thread's selection.
   */
  'memories.used': command(
    z.strictObject({ threadId: ThreadId }),
    z.object({
      turns: z.array(z.object({ messageId: MessageId, used: z.array(UsedMemory) })),
      choices: z.record(z.string(), MemoryChoice),
    }),
  ),
  /**
   * From the next turn on, `muted` is neither loaded nor read in this thread, and `pinned` is always loaded; null: default.
   */
  'memories.choose': command(
    z.strictObject({ threadId: ThreadId, path: Path, choice: MemoryChoice.nullable() }),
    z.object({ choices: z.record(z.string(), MemoryChoice) }),
  ),
  /**
   * Asks for a folder and writes the project's memories and those for everywhere into a new one in it, as Markdown; null if
   * the person cancels.
   */
  'memories.export': command(
    z.strictObject(viewer),
    z.object({ folder: z.string().nullable(), count: z.number() }),
  ),
  /** Asks for a folder of Markdown files and previews the import without changes. Null if the person cancels. */
  'memories.previewImport': command(
    z.strictObject(viewer),
    z.object({ importId: z.string().nullable(), entries: z.array(ImportedMemory) }),
  ),
  /**
   * Performs the previewed import. Errors: `not_found` if the preview has expired, `stale` if memories have changed since.
   */
  'memories.import': command(
    z.strictObject({ importId: z.string().max(100) }),
    z.object({ count: z.number() }),
  ),
  /** What `memories.copy` would do. Errors: those of connecting, `invalid` unless exactly one of the two is a team. */
  'memories.previewCopy': command(z.strictObject({ from: MemoryEnd, to: MemoryEnd }), MemoryCopyPreview),
  /**
   * Copies memories to where nothing has their names, and compares each copy with its original. `removes`: then deletes the
   * original. Cancel the call to stop it; repeating it continues. Reports `memories.copying`.
   */
  'memories.copy': command(
    z.strictObject({ from: MemoryEnd, to: MemoryEnd, removes: z.boolean() }),
    CopiedMemories,
  ),
  'memories.dropImport': command(z.strictObject({ importId: z.string().max(100) }), done),
} as const;
