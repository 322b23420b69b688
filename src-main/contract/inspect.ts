import { z } from 'zod';

/** One part of a sent request. */
export const RequestPart = z.object({
  kind: z.enum(['system', 'tool', 'message']),
  /** Its name: the heading of a section, the name of a tool, the role of a message. */
  title: z.string(),
  /** Estimated. */
  tokens: z.number(),
  text: z.string(),
  /** UTF-16 units cut from the end of `text` because it is too long to show. */
  cut: z.number().optional(),
});
export type RequestPart = z.infer<typeof RequestPart>;

/** The last request of an agent, part by part, in the model's reading order. */
export const InspectedRequest = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  /** `provider:name` */
  model: z.string(),
  /** Name of the sub-agent; null for the thread's main agent. */
  agent: z.string().nullable(),
  /** It asked for a summary of the conversation. */
  isSummary: z.boolean(),
  parts: z.array(RequestPart),
  /** Estimated sum of the parts. */
  tokens: z.number(),
  /** Tokens as counted by the provider; null if there was no answer or no count. */
  counted: z.number().nullable(),
  contextWindow: z.number().nullable(),
});
export type InspectedRequest = z.infer<typeof InspectedRequest>;
