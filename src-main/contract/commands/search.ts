import { z } from 'zod';
import { command } from '../command';
import { MessageId, ProjectId, ThreadId } from '../ids';
import { MAX_QUERY } from '../limits';

const Query = z.string().trim().min(1).max(MAX_QUERY);

/** A part of the text around a match; `hit` marks the matched words. */
export const SnippetPart = z.object({ text: z.string(), hit: z.boolean() });
export type SnippetPart = z.infer<typeof SnippetPart>;

/** Matching messages of one thread, newest first. */
export const FoundThread = z.object({
  threadId: ThreadId,
  projectId: ProjectId,
  title: z.string(),
  updatedAt: z.number(),
  /** Number of matching messages, limited to those searched. */
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
  /** Threads with messages that contain all words (the last may be a prefix), newest first. */
  'search.messages': command(
    z.strictObject({ query: Query, projectId: ProjectId.optional() }),
    z.object({
      threads: z.array(FoundThread),
      /** There are more results. */
      cut: z.boolean(),
      /** Messages that are not indexed yet. */
      pending: z.number(),
    }),
  ),
} as const;
