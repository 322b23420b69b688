import { z } from 'zod';
import { command } from '../command';
import { ProjectId } from '../ids';

/** One day's requests to one model for one project. */
export const UsageRow = z.object({
  /** The calendar day in the person's time zone, YYYY-MM-DD. */
  day: z.iso.date(),
  /** `provider:name` */
  model: z.string(),
  /** Null: the thread was deleted permanently, or belonged to no project. */
  projectId: ProjectId.nullable(),
  requests: z.number(),
  /** Tokens, as `TokenUsage` counts them. */
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  reasoning: z.number(),
  /** Cost in micro-dollars of the requests with a known price. */
  cost: z.number(),
  /** Requests without a known price; `cost` excludes them. */
  unpriced: z.number(),
  /** Requests without a token count. */
  untold: z.number(),
});
export type UsageRow = z.infer<typeof UsageRow>;

const Span = z.strictObject({ from: z.iso.date(), to: z.iso.date() });

/** Token usage and cost. */
export const usageCommands = {
  /** Token usage and cost, including both days. */
  'usage.report': command(Span, z.object({ rows: z.array(UsageRow) })),
  /** The same as a CSV file, in a place that the person chooses; null if they cancel. */
  'usage.save': command(Span, z.object({ path: z.string().nullable() })),
} as const;
