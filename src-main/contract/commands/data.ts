import { z } from 'zod';
import { ProviderId } from '../app';
import { ProjectId } from '../ids';
import { WIPE_WORD } from '../limits';

const command = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });
const nothing = z.strictObject({});
const done = z.strictObject({});

/** What a test of a model found. Whoever shows it has words for each, with what to do next. */
export const ModelTest = z.object({
  outcome: z.enum([
    'answered',
    'no_key',
    'bad_key',
    'no_quota',
    'rate_limited',
    'unknown_model',
    /** Something answers at the address, but no service of this kind. */
    'wrong_address',
    /** Nothing answers at the address that the person gave, or on this machine. */
    'unreachable',
    /** The provider's own address cannot be reached. */
    'no_network',
    'overloaded',
    /** Nothing came in time. */
    'no_answer',
    'ceiling',
    'other',
  ]),
  /** `provider:name` */
  model: z.string(),
  /** Milliseconds until the answer or the failure. */
  took: z.number(),
  /** The provider's own words, without keys. */
  detail: z.string().optional(),
  retryAfterSeconds: z.number().optional(),
});
export type ModelTest = z.infer<typeof ModelTest>;

/** Requests of one day to one model for one project. */
export const UsageRow = z.object({
  /** The person's calendar day, YYYY-MM-DD. */
  day: z.iso.date(),
  /** `provider:name` */
  model: z.string(),
  /** Null: the conversation is gone for good, or it belonged to none. */
  projectId: ProjectId.nullable(),
  requests: z.number(),
  /** Tokens, as `TokenUsage` counts them. */
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  reasoning: z.number(),
  /** Micro-dollars of the requests whose price is known. */
  cost: z.number(),
  /** Requests whose price is not known; they are not in `cost`. */
  unpriced: z.number(),
  /** Requests of which nobody told the tokens. */
  untold: z.number(),
});
export type UsageRow = z.infer<typeof UsageRow>;

const Span = z.strictObject({ from: z.iso.date(), to: z.iso.date() });

/** Folders and tables of the data folder by what they are for. */
export const DATA_PARTS = [
  'database',
  'terminals',
  'memories',
  'offloads',
  'versions',
  'attachments',
  'media',
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

/** Rows of a data file. */
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

export const dataCommands = {
  /** Asks a model one short question, without fall-backs and without asking again. It is paid for like any request. */
  'models.test': command(
    z.strictObject({
      provider: ProviderId,
      /** Its name as the provider writes it. */
      model: z.string().min(1).max(180),
    }),
    ModelTest,
  ),
  /**
   * Puts back what the key or the address of a provider was before it was changed last, or (`back: false`) forgets it.
   * Errors: `not_found` where it is forgotten already.
   */
  'models.takeBack': command(
    z.strictObject({ provider: ProviderId, what: z.enum(['key', 'address']), back: z.boolean() }),
    done,
  ),
  /** What requests took and cost, both days included. */
  'usage.report': command(Span, z.object({ rows: z.array(UsageRow) })),
  /** The same as a CSV file, at a place that the person chooses; null: they chose none. */
  'usage.save': command(Span, z.object({ path: z.string().nullable() })),

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

export const dataProgress = z.object({
  type: z.literal('data.progress'),
  step: z.enum(['copying', 'checking']),
  /** Of the step, 0 to 1; null where that is not known. */
  share: z.number().nullable(),
});
export type DataProgress = Omit<z.infer<typeof dataProgress>, 'type'>;
