import { z } from 'zod';
import { command, done, nothing } from '../command';
import { DATA_PARTS } from '../data-parts';
import { WIPE_WORD } from '../limits';

export const DataPart = z.enum(DATA_PARTS);
export type DataPart = z.infer<typeof DataPart>;

/** Parts that a person may clear separately. */
export const ClearablePart = z.enum(['terminals', 'offloads', 'attachments']);
export type ClearablePart = z.infer<typeof ClearablePart>;

/** Storage limits. */
export const Budgets = z.strictObject({
  /** Bytes on the disk for earlier file versions. */
  versions: z
    .number()
    .int()
    .min(64 * 1024 ** 2)
    .max(1024 ** 4),
  /** Bytes for earlier versions of memories. */
  memories: z
    .number()
    .int()
    .min(1024 ** 2)
    .max(256 * 1024 ** 2),
  /** Days that a deleted thread can be restored. */
  deletedDays: z.number().int().min(1).max(365),
});
export type Budgets = z.infer<typeof Budgets>;

export const DEFAULT_BUDGETS: Budgets = {
  versions: 2 * 1024 ** 3,
  memories: 256 * 1024 ** 2,
  deletedDays: 30,
};

/** Row counts of a database. */
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
/** A copy that was restored to a temporary location, checked there, and compared with its source. */
export type Checked = z.infer<typeof Checked>;

/** Deepdesk's stored data: sizes, backups and deletion. */
export const dataCommands = {
  'data.read': command(
    nothing,
    z.object({
      folder: z.string(),
      /** Bytes; `terminals` and `memories` are included in `database`. */
      sizes: z.record(DataPart, z.number()),
      counts: DataCounts,
      budgets: Budgets,
    }),
  ),
  'data.setBudgets': command(Budgets.partial().strict(), Budgets),
  /** Permanently deletes a part, except data of a working thread or a running terminal. */
  'data.clear': command(z.strictObject({ part: ClearablePart }), done),
  /** Shows the data folder in the system's file manager. */
  'data.open': command(nothing, done),
  /**
   * Copies the database to a place that the person chooses, and tests the copy. Null if they cancel. Reports
   * `data.progress`.
   */
  'data.backup': command(nothing, Checked.nullable()),
  /** Lets the person choose a backup and tests it; restores nothing yet. */
  'data.choose': command(nothing, Checked.nullable()),
  /** Replaces the data with the chosen backup, keeps the old data beside it, and restarts Deepdesk. */
  'data.restore': command(nothing, done),
  /** Deletes the stored data, including keys, and restarts Deepdesk. */
  'data.wipe': command(z.strictObject({ confirm: z.literal(WIPE_WORD) }), done),
} as const;
