import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { z } from 'zod';

/** One time that older messages were replaced, for the model, by a summary. The messages themselves stay in the state. */
export const Compaction = z.object({
  id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** The first message that stayed as it was, by place and by id (ids may be missing). */
  keptFrom: z.number().int().nonnegative(),
  keptFromId: z.string().optional(),
  /** Messages of the thread at that time: what was answered later was answered to the summary. */
  total: z.number().int().nonnegative(),
  summary: z.string(),
  /** File with the messages in full; null where it could not be written. */
  archive: z.string().nullable(),
  /** Messages that this one replaced, on top of those of earlier ones. */
  messages: z.number().int(),
  /** Estimated tokens of the request before and after. */
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  cause: z.enum(['budget', 'overflow', 'person', 'agent']),
});
export type Compaction = z.infer<typeof Compaction>;

/** Adds what is new; nothing is ever rewritten, so a checkpoint costs one summary. */
export function compactionsReducer(
  current: readonly Compaction[] | undefined,
  update: readonly Compaction[] | undefined,
): Compaction[] {
  const known = new Set((current ?? []).map((one) => one.id));
  return [...(current ?? []), ...(update ?? []).filter((one) => !known.has(one.id))];
}

/** Where the messages that stayed begin. */
export function keptFrom(messages: readonly BaseMessage[], compaction: Compaction | undefined): number {
  if (compaction === undefined) return 0;
  const { keptFrom: index, keptFromId: id } = compaction;
  if (id === undefined || messages[index]?.id === id) return Math.min(index, messages.length);
  const found = messages.findIndex((message) => message.id === id);
  return found === -1 ? Math.min(index, messages.length) : found;
}

/** What the model is shown in place of the messages that went. */
export function summaryMessage(compaction: Compaction): HumanMessage {
  const { id, summary, archive } = compaction;
  const introduction =
    archive === null
      ? 'Here is a summary of the conversation to date:'
      : `The earlier part of this conversation was replaced with a summary to free space. The full text is in ${archive}: read or grep it if a detail is missing here.`;
  return new HumanMessage({
    id: `summary-${id}`,
    content: `${introduction}\n\n<summary>\n${summary}\n</summary>`,
    additional_kwargs: { lc_source: 'summarization' },
  });
}
