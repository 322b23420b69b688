import { z } from 'zod';
import { command, done, nothing } from '../command';
import { WIPE_WORD } from '../limits';

/** Folders and tables of the data folder by what they are for. */
export const DATA_PARTS = [
  'database',
  'terminals',
  'memories',
  'offloads',
  'versions',
  'attachments',
  'media',
  'layers',
  'copies',
  'caches',
  'rest',
] as const;

export const DataPart = z.enum(DATA_PARTS);
export type DataPart = z.infer<typeof DataPart>;

/** Parts that a person may clear by themselves. */
export const ClearablePart = z.enum(['terminals', 'offloads', 'attachments']);
export type ClearablePart = z.infer<typeof ClearablePart>;

/** How much is kept. */
export const Budgets = z.strictObject({
  /** Bytes on the disk for what files were before changes. */
  versions: z
    .number()
    .int()
    .min(64 * 1024 ** 2)
    .max(1024 ** 4),
  /** Bytes of earlier versions of memories. */
  memories: z
    .number()
    .int()
    .min(1024 ** 2)
    .max(256 * 1024 ** 2),
  /** Days that a deleted thread can be brought back. */
  deletedDays: z.number().int().min(1).max(365),
});
export type Budgets = z.infer<typeof Budgets>;

export const DEFAULT_BUDGETS: Budgets = {
  versions: 2 * 1024 ** 3,
  memories: 256 * 1024 ** 2,
  deletedDays: 30,
};

/** Rows of a database. */
export const DataCounts = z.object({
  projects: z.number(),
  threads: z.number(),
  messages: z.number(),
  memories: z.number(),
  requests: z.number(),
});
export type DataCounts = z.infer<typeof DataCounts>;

const Checked = z.object({
  path: z.string(),
  bytes: z.number(),
  counts: DataCounts,
});
/** A copy that was restored into a temporary place, checked there, and held against what it was made from. */
export type Checked = z.infer<typeof Checked>;

/** What Deepdesk keeps: how much, copies of it, and deleting it. */
export const dataCommands = {
  'data.read': command(
    nothing,
    z.object({
      folder: z.string(),
      /** Bytes; `terminals` and `memories` are within `database`. */
      sizes: z.record(DataPart, z.number()),
      counts: DataCounts,
      budgets: Budgets,
    }),
  ),
  'data.setBudgets': command(Budgets.partial().strict(), Budgets),
  /** Deletes all of a part for good, but for what belongs to a thread at work or a terminal that runs. */
  'data.clear': command(z.strictObject({ part: ClearablePart }), done),
  /** Shows the data folder in the system's file manager. */
  'data.open': command(nothing, done),
  /** A copy of the database at a place that the person chooses, tested; null: they chose none. Tells `data.progress`. */
  'data.backup': command(nothing, Checked.nullable()),
  /** Has the person choose a backup and tests it; nothing is restored yet. */
  'data.choose': command(nothing, Checked.nullable()),
  /** Puts the chosen backup in the place of the data, which is kept beside it, and starts Deepdesk again. */
  'data.restore': command(nothing, done),
  /** Deletes what is kept, keys included, and starts Deepdesk again. */
  'data.wipe': command(z.strictObject({ confirm: z.literal(WIPE_WORD) }), done),
} as const;
