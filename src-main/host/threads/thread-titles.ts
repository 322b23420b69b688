import type { AIMessage } from '@langchain/core/messages';
import type { ThreadState } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import type { Result } from '../../contract/result';
import { isVisibleName } from '../../contract/shared/shown-name';
import { withoutOverrides } from '../../contract/shared/unseen';
import type { Spent } from '../../models/model-call';
import type { RunModels } from '../settings/run-models';
import type { Hub } from '../window/hub';
import type { LiveThread } from './live-thread';

export interface TitleParts {
  hub: Hub;
  thread(threadId: ThreadId): LiveThread | undefined;
  /** Whether the person wants generated titles. */
  wanted(): boolean;
  models(threadId: ThreadId, model: string): Promise<Result<RunModels>>;
  /** Records the usage of a title request. */
  onSpent(live: LiveThread, spent: Spent): void;
}

/** UTF-16 units of the question and the answer for the model, and of a title. */
const MAX_LENGTH = 2_000;
const MAX_TITLE_LENGTH = 60;
/** Milliseconds for one title; after that the first line stays. */
const WITHIN = 30_000;

const PROMPT = `Write a title for this conversation in at most six words, in the person's language. Say what it is about, not who does what. Answer with the title only: no quotation marks, no period, one line.`;

/**
 * The first line of the first message that shows anything, used until the thread has a title. Marks that reverse or embed the
 * text after them are left out.
 */
export function titleOfText(text: string): string {
  const line =
    withoutOverrides(text)
      .split('\n')
      .map((one) => one.trim())
      .find(isVisibleName) ?? '';
  const chars = [...line];
  return chars.length > MAX_TITLE_LENGTH ? `${chars.slice(0, MAX_TITLE_LENGTH - 1).join('')}…` : line;
}

/** The input for a title; undefined if the person set one or the thread is past its first answer. */
function titleMaterial({
  thread,
  messages,
  turn,
}: ThreadState): { said: string; answered: string } | undefined {
  const said = messages.filter((message) => message.role === 'user');
  const [first] = said;
  if (turn.phase !== 'idle' || said.length !== 1 || !first) return undefined;
  if (thread.origin !== undefined || thread.model.startsWith('offline:')) return undefined;
  if (thread.title !== titleOfText(first.text)) return undefined;
  const answer = messages.findLast(
    (message) => message.role === 'agent' && message.parentCallId === undefined && message.text !== '',
  );
  if (answer?.role !== 'agent' || answer.phase !== 'done') return undefined;
  return { said: first.text.slice(0, MAX_LENGTH), answered: answer.text.slice(0, MAX_LENGTH) };
}

/** One line without the usual decoration; empty if the answer has nothing usable. */
export function cleanTitle(answer: string): string {
  const line = answer.split('\n').find((one) => one.trim() !== '') ?? '';
  const bare = line
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/^\s*(?:title|name|标题|名称)\s*[:：]\s*/iu, '')
    .replace(/^[\s"'“”‘’«»「『《#*_`-]+/u, '')
    // The lookbehind keeps this linear: only the start of a run is tried.
    .replace(/(?<![\s"'“”‘’«»」』》*_`.。!！])[\s"'“”‘’«»」』》*_`.。!！]+$/u, '');
  const chars = [...bare];
  return chars.length > MAX_TITLE_LENGTH ? `${chars.slice(0, MAX_TITLE_LENGTH - 1).join('')}…` : bare;
}

/**
 * Has the model title each new thread after its first answer: one short request, counted and limited by the ceilings like
 * any other. A title from the person stays, and so does the first line if no title comes. Returns a function that stops it
 * and cancels open requests.
 */
export function nameThreads({ hub, thread, wanted, models, onSpent }: TitleParts): () => void {
  const closing = new AbortController();
  const asked = new Set<ThreadId>();
  const stop = hub.onApp((event) => {
    if (event.type !== 'summary.changed' || event.summary.status !== 'idle') return;
    const { id } = event.summary;
    if (!wanted()) return;
    const live = asked.has(id) ? undefined : thread(id);
    if (!live || titleMaterial(live.state) === undefined) return;
    asked.add(id);
    // A thread without a generated title is not a failure to report.
    name(live).catch(() => undefined);
  });

  const name = async (live: LiveThread): Promise<void> => {
    const material = titleMaterial(live.state);
    if (!material) return;
    const { id, model } = live.state.thread;
    const run = await models(id, model);
    if (!run.ok) return;
    const { HumanMessage, SystemMessage } = await import('@langchain/core/messages');
    const answer: AIMessage = await run.value.calls.invoke(
      run.value.first.chat,
      [
        new SystemMessage(PROMPT),
        new HumanMessage(`The person:\n${material.said}\n\nThe answer:\n${material.answered}`),
      ],
      { signal: AbortSignal.any([closing.signal, AbortSignal.timeout(WITHIN)]), callbacks: [] },
      // Counted as a summary: it is not an answer in the conversation and does not fill its context.
      { onSpent: (spent: Spent) => onSpent(live, { ...spent, isSummary: true }) },
    );
    const title = cleanTitle(answer.text);
    const { thread: now } = live.state;
    if (title === '' || now.title !== titleOfText(material.said)) return;
    live.emit({ type: 'thread.changed', thread: { ...now, title } });
  };
  return () => {
    stop();
    closing.abort();
  };
}
