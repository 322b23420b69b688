import { z } from 'zod';
import { MemoryEntry } from '../app';
import { command, done, FilePath, nothing } from '../command';
import { DiffHunk } from '../conversation';
import { CallId, MessageId, ProjectId, ThreadId } from '../ids';

const Path = z.string().max(4_096);

/** What memories are looked for; what is not given does not matter. */
export const MemoryFilter = z.strictObject({
  /** Words that all stand in the path or the text, whatever their case. */
  query: z.string().max(1_000).optional(),
  /** Written last in a thread, or in a thread of a project. */
  threadId: ThreadId.optional(),
  projectId: ProjectId.optional(),
  by: z.enum(['person', 'agent', 'unverified']).optional(),
  /** Changed at that time or later, in milliseconds since 1970. */
  since: z.number().optional(),
});
export type MemoryFilter = z.infer<typeof MemoryFilter>;

export const MemoryVersion = z.object({
  /** From 1 upwards for each path. */
  version: z.number(),
  at: z.number(),
  /** Null where it was not said. */
  writtenBy: MemoryEntry.shape.writtenBy.nullable(),
  /** Null: this version is a delete. Bytes. */
  size: z.number().nullable(),
});
export type MemoryVersion = z.infer<typeof MemoryVersion>;

export const MemoryChoice = z.enum(['muted', 'pinned']);
export type MemoryChoice = z.infer<typeof MemoryChoice>;

/** A memory or file of instructions that the model was shown. */
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
  /** `invalid`: it is left out, for the reason. */
  state: z.enum(['new', 'changed', 'same', 'invalid']),
  reason: z.string().optional(),
});
export type ImportedMemory = z.infer<typeof ImportedMemory>;

/** Memories: to read and write, find, go back in, export and import, and to choose by thread. */
export const memoriesCommands = {
  'memories.list': command(
    z.strictObject({ query: z.string().max(1_000).optional() }),
    z.object({ memories: z.array(MemoryEntry) }),
  ),
  'memories.read': command(
    z.strictObject({ path: FilePath }),
    z.object({ memory: MemoryEntry, text: z.string() }),
  ),
  /** `expectedUpdatedAt` guards against overwriting what the agent wrote meanwhile (`stale`); null creates. */
  'memories.write': command(
    z.strictObject({
      path: FilePath,
      text: z.string().max(2_000_000),
      expectedUpdatedAt: z.number().nullable(),
    }),
    z.object({ memory: MemoryEntry }),
  ),
  'memories.delete': command(z.strictObject({ path: FilePath }), done),
  /** Brings back the last deleted version. */
  'memories.restore': command(z.strictObject({ path: FilePath }), z.object({ memory: MemoryEntry })),
  /** Takes back what one tool call did to a memory. */
  'memories.undo': command(z.strictObject({ threadId: ThreadId, callId: CallId }), done),
  /** The last changed first; `total` counts all. */
  'memories.find': command(
    z.strictObject({
      filter: MemoryFilter,
      offset: z.number().int().nonnegative(),
      limit: z.number().int().positive().max(500),
    }),
    z.object({ memories: z.array(MemoryEntry), total: z.number() }),
  ),
  /** All that is kept, the newest first. Errors: `not_found`. */
  'memories.versions': command(
    z.strictObject({ path: Path }),
    z.object({ versions: z.array(MemoryVersion) }),
  ),
  /** How version `to` differs from version `from`; a delete and `from` 0 count as nothing. Errors: `not_found`. */
  'memories.compare': command(
    z.strictObject({ path: Path, from: z.number().int().nonnegative(), to: z.number().int().positive() }),
    z.object({ hunks: z.array(DiffHunk), text: z.string() }),
  ),
  /** Makes an older version the newest; nothing of what came after is lost. Errors: `not_found`. */
  'memories.restoreVersion': command(
    z.strictObject({ path: Path, version: z.number().int().positive() }),
    z.object({ memory: MemoryEntry }),
  ),
  /** The person has read it and stands by it. Errors: `not_found`, `stale`. */
  'memories.confirm': command(
    z.strictObject({ path: Path, expectedUpdatedAt: z.number() }),
    z.object({ memory: MemoryEntry }),
  ),
  /** Where a call wrote it; `messageId` null: the thread is there, the message is not. Errors: `not_found`. */
  'memories.origin': command(
    z.strictObject({ threadId: ThreadId, callId: CallId.nullable() }),
    z.object({ title: z.string(), messageId: MessageId.nullable() }),
  ),
  /** What the turns of a thread were shown, by the message of the person's that began each, and what was chosen for it. */
  'memories.used': command(
    z.strictObject({ threadId: ThreadId }),
    z.object({
      turns: z.array(z.object({ messageId: MessageId, used: z.array(UsedMemory) })),
      choices: z.record(z.string(), MemoryChoice),
    }),
  ),
  /** From the next turn on: `muted` is neither loaded nor read in this thread, `pinned` always loaded; null: as usual. */
  'memories.choose': command(
    z.strictObject({ threadId: ThreadId, path: Path, choice: MemoryChoice.nullable() }),
    z.object({ choices: z.record(z.string(), MemoryChoice) }),
  ),
  /** Asks for a folder and writes all memories into a new one in it, as Markdown; null when the person cancelled. */
  'memories.export': command(nothing, z.object({ folder: z.string().nullable(), count: z.number() })),
  /** Asks for a folder of Markdown and says what bringing it in would do; nothing is changed. Null: cancelled. */
  'memories.previewImport': command(
    nothing,
    z.object({ importId: z.string().nullable(), entries: z.array(ImportedMemory) }),
  ),
  /** Does what was shown. Errors: `not_found` for a preview that is gone, `stale` where memories changed since. */
  'memories.import': command(
    z.strictObject({ importId: z.string().max(100) }),
    z.object({ count: z.number() }),
  ),
  'memories.dropImport': command(z.strictObject({ importId: z.string().max(100) }), done),
} as const;
