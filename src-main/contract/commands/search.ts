import { z } from 'zod';
import { command } from '../command';
import { MessageId, ProjectId, ThreadId } from '../ids';
import { MAX_QUERY } from '../limits';

const Query = z.string().trim().min(1).max(MAX_QUERY);

/** A part of a text around what was found; `hit` marks the words themselves. */
export const SnippetPart = z.object({ text: z.string(), hit: z.boolean() });
export type SnippetPart = z.infer<typeof SnippetPart>;

/** Messages of one thread in which the words stand, the newest first. */
export const FoundThread = z.object({
  threadId: ThreadId,
  projectId: ProjectId,
  title: z.string(),
  updatedAt: z.number(),
  /** Messages that were found; at most as many as were looked at. */
  count: z.number(),
  hits: z.array(
    z.object({
      messageId: MessageId,
      role: z.enum(['user', 'agent']),
      at: z.number(),
      snippet: z.array(SnippetPart),
    }),
  ),
});
export type FoundThread = z.infer<typeof FoundThread>;

/** Search over all threads. */
export const searchCommands = {
  /** Threads with messages in which all the words stand (the last may be the beginning of one), the newest first. */
  'search.messages': command(
    z.strictObject({ query: Query, projectId: ProjectId.optional() }),
    z.object({
      threads: z.array(FoundThread),
      /** There is more than what is here. */
      cut: z.boolean(),
      /** Messages that are not in the index yet. */
      pending: z.number(),
    }),
  ),
} as const;
