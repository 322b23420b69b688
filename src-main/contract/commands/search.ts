import { z } from 'zod';
import { ThreadSummary } from '../app';
import { Message } from '../conversation';
import { MessageId, ProjectId, TerminalId, ThreadId } from '../ids';

const command = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });

/** Longest words that are looked for, in UTF-16 units. */
const MAX_QUERY = 400;
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

/** What a file is that a thread is written to. */
export const ExportFormat = z.enum(['markdown', 'html', 'json']);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** Long conversations: by the page, searched, written out and read in. */
export const conversationCommands = {
  /**
   * Up to `limit` messages before one, oldest first, or all from `from` on where that is named. `earlier`: how many
   * stand before them still. `seq`: the last event that is in them.
   */
  'thread.earlier': command(
    z.strictObject({
      threadId: ThreadId,
      before: MessageId,
      limit: z.number().int().positive().max(100_000),
      from: MessageId.optional(),
    }),
    z.object({ messages: z.array(Message), earlier: z.number(), seq: z.number() }),
  ),
  /** Messages of a thread in which the text stands, letter case aside, in order, and how often. */
  'thread.find': command(
    z.strictObject({ threadId: ThreadId, text: z.string().min(1).max(MAX_QUERY) }),
    z.object({ matches: z.array(z.object({ messageId: MessageId, count: z.number() })) }),
  ),
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
  /** Asks the person for a file and writes the thread to it. Null: they cancelled. */
  'thread.export': command(
    z.strictObject({ threadId: ThreadId, format: ExportFormat }),
    z.object({ path: z.string().nullable() }),
  ),
  /** Asks the person for a file that `thread.export` wrote as JSON, and makes a new thread of it. Nothing of it runs. */
  'thread.import': command(
    z.strictObject({ projectId: ProjectId }),
    z.object({ thread: ThreadSummary.nullable() }),
  ),
  /** The last lines that a terminal printed, as plain text; nothing is held up for who asks. */
  'terminal.tail': command(
    z.strictObject({ terminalId: TerminalId, lines: z.number().int().positive().max(50) }),
    z.object({ text: z.string() }),
  ),
  /** Asks the person for a file and writes a text to it. The name is only offered; a path never comes from the window. */
  'text.save': command(
    z.strictObject({ name: z.string().min(1).max(200), text: z.string().max(20_000_000) }),
    z.object({ path: z.string().nullable() }),
  ),
} as const;
