import { z } from 'zod';

/** One part of a request, as it was sent. */
export const RequestPart = z.object({
  kind: z.enum(['system', 'tool', 'message']),
  /** What it is called: the heading of a section, the name of a tool, who speaks in a message. */
  title: z.string(),
  /** Estimated. */
  tokens: z.number(),
  text: z.string(),
  /** UTF-16 units that are left out at the end of `text`, because the whole would be too much to show. */
  cut: z.number().optional(),
});
export type RequestPart = z.infer<typeof RequestPart>;

/** The last request of an agent, part by part and in the order in which the model reads it. */
export const InspectedRequest = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  /** `provider:name` */
  model: z.string(),
  /** Name of the sub-agent; null for the thread's own agent. */
  agent: z.string().nullable(),
  /** It asked for a summary of the conversation. */
  isSummary: z.boolean(),
  parts: z.array(RequestPart),
  /** Sum of the parts, estimated. */
  tokens: z.number(),
  /** Tokens of the request as the provider counted them; null where it was not answered or nobody told. */
  counted: z.number().nullable(),
  contextWindow: z.number().nullable(),
});
export type InspectedRequest = z.infer<typeof InspectedRequest>;
