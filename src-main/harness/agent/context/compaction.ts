import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { optional } from '../../../contract/shared/optional';

/** A summary that replaces older messages for the model. The messages themselves stay in the state. */
export const Compaction = z.object({
  /** Unique. `isUndone` and `recorded` tell compactions apart by it. */
  id: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** Index of the first message that was kept. */
  keptFrom: z.number().int().nonnegative(),
  /** Its id, if it has one. */
  keptFromId: z.string().optional(),
  /** Number of messages in the thread at that time. Later answers were based on the summary. */
  total: z.number().int().nonnegative(),
  /** The text that replaces the messages for the model. */
  summary: z.string(),
  /** File with the full messages; null if it could not be written. */
  archive: z.string().nullable(),
  /** Number of messages replaced, in addition to those that earlier compactions replaced. */
  messages: z.number().int(),
  /** Estimated tokens of the request before, with prompt and tools. */
  tokensBefore: z.number(),
  /** The same with the summary. */
  tokensAfter: z.number(),
  /** A trigger was reached, the provider refused the length, the person asked, or the agent called the tool. */
  cause: z.enum(['budget', 'overflow', 'person', 'agent']),
});
export type Compaction = z.infer<typeof Compaction>;

const SUMMARY_ID = 'summary-';

/** How the published package keeps its last summary in a thread. */
export interface SummarizationEvent {
  /** Messages before this index are summarized. */
  cutoffIndex: number;
  /** The message that replaces them. */
  summaryMessage: BaseMessage;
  /** File with the messages. */
  filePath: string | null;
}

/** The same for the published package, so that it can continue the thread. */
export const eventOf = (compaction: Compaction): SummarizationEvent => ({
  cutoffIndex: compaction.keptFrom,
  summaryMessage: summaryMessage(compaction),
  filePath: compaction.archive,
});

/** The trimmed text between the first pair of marks. A regular expression would take hours where the second one is missing. */
function textInside(start: string, end: string, text: string): string | null {
  const from = text.indexOf(start);
  const to = from === -1 ? -1 : text.indexOf(end, from);
  return to === -1 ? null : text.slice(from + start.length, to).trim();
}

/**
 * A summary that the published package made later than ours. Undefined if there is none, or if `event` is what we left for
 * that package: ours may have been undone since.
 */
export function compactionOf(
  event: SummarizationEvent | undefined,
  messages: readonly BaseMessage[],
  ours: Compaction | undefined,
): Compaction | undefined {
  if (event === undefined || event.cutoffIndex <= (ours?.keptFrom ?? 0)) return;
  if (event.summaryMessage.id?.startsWith(SUMMARY_ID) === true) return;
  const { cutoffIndex, summaryMessage: message, filePath } = event;
  const summary =
    textInside('<summary>', '</summary>', message.text) ?? message.text.replace(/^.*to date:\s*/, '');
  return {
    id: `published-${cutoffIndex}`,
    at: new Date().toISOString(),
    keptFrom: cutoffIndex,
    ...optional({ keptFromId: messages[cutoffIndex]?.id }),
    total: messages.length,
    summary,
    archive: filePath,
    messages: cutoffIndex - (ours?.keptFrom ?? 0),
    tokensBefore: 0,
    tokensAfter: 0,
    cause: 'budget',
  };
}

/** Adds new compactions and never rewrites any, so a checkpoint costs one summary. */
export function compactionsReducer(
  current: readonly Compaction[] | undefined,
  update: readonly Compaction[] | undefined,
): Compaction[] {
  const known = new Set((current ?? []).map((one) => one.id));
  return [...(current ?? []), ...(update ?? []).filter((one) => !known.has(one.id))];
}

/**
 * The newest compaction of messages that the thread still has. A program may have removed them, for example to start anew: then
 * the summary is about nothing, and would hide what came after.
 */
export const newestOf = (
  compactions: readonly Compaction[] | undefined,
  messages: readonly BaseMessage[],
): Compaction | undefined => compactions?.findLast((one) => isAbout(messages, one));

/** Whether the first message that was kept is still there, perhaps at another place. */
export const isAbout = (messages: readonly BaseMessage[], { keptFrom, keptFromId }: Compaction): boolean =>
  keptFromId === undefined
    ? keptFrom <= messages.length
    : messages[keptFrom]?.id === keptFromId || messages.some(({ id }) => id === keptFromId);

/** Index of the first kept message. */
export function keptFrom(messages: readonly BaseMessage[], compaction: Compaction | undefined): number {
  if (compaction === undefined) return 0;
  const { keptFrom: index, keptFromId: id } = compaction;
  if (id === undefined || messages[index]?.id === id) return Math.min(index, messages.length);
  return Math.max(
    0,
    messages.findIndex((message) => message.id === id),
  );
}

/** The message that the model sees instead of the removed messages. */
export function summaryMessage(compaction: Compaction): HumanMessage {
  const { id, summary, archive } = compaction;
  const introduction =
    archive === null
      ? 'Here is a summary of the conversation to date:'
      : `The earlier part of this conversation was replaced with a summary to free space. The full text is in ${archive}: read or grep it if a detail is missing here.`;
  return new HumanMessage({
    id: SUMMARY_ID + id,
    content: `${introduction}\n\n<summary>\n${summary}\n</summary>`,
    additional_kwargs: { lc_source: 'summarization' },
  });
}
