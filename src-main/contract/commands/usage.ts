import { z } from 'zod';
import { command } from '../command';
import { ProjectId } from '../ids';

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

/** What requests took and cost. */
export const usageCommands = {
  /** What requests took and cost, both days included. */
  'usage.report': command(Span, z.object({ rows: z.array(UsageRow) })),
  /** The same as a CSV file, at a place that the person chooses; null: they chose none. */
  'usage.save': command(Span, z.object({ path: z.string().nullable() })),
} as const;
