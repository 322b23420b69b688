import { AIMessage, type BaseMessage, HumanMessage, type MessageContent } from '@langchain/core/messages';
import { Command, END } from '@langchain/langgraph';
import type { UserMessage } from '../../contract/conversation';
import { CallId } from '../../contract/ids';
import { optional } from '../../contract/shared/optional';
import { isEmptyAnswer } from '../../harness/agent/middleware/patch-tool-calls';
import type { Storage } from '../../storage';
import type { LiveThread } from '../threads/live-thread';
import type { ApprovalInterrupt, ApprovalResume } from './middleware/ask-person';
import type { ThreadAgent } from './thread-agent';

interface Messages {
  messages: (AIMessage | HumanMessage)[];
}

/** What the model is given of a message of the person's. */
export type ContentOf = (
  live: LiveThread,
  said: Pick<UserMessage, 'text' | 'attachments'>,
) => Promise<MessageContent>;

/** Follows an answer that was cut off, so that the model knows why it ends there. */
const CUT_OFF = '[Cut off here: the answer was stopped before it was complete.]';

/**
 * What the person said since the agent last spoke, as a turn begins with it: usually one message, more where a turn
 * failed before its first step. An answer that was cut off goes before it, as far as it came: the person has read it.
 * The ids are those of the window, so a message that the graph has already stays one.
 */
export async function messageInput(live: LiveThread, contentOf: ContentOf): Promise<Messages> {
  const { messages } = live.state;
  const spoken = messages.findLastIndex((message) => message.role === 'agent');
  const said: HumanMessage[] = [];
  for (const message of messages.slice(spoken + 1)) {
    if (message.role !== 'user') continue;
    said.push(new HumanMessage({ id: message.id, content: await contentOf(live, message) }));
  }
  const last = messages[spoken];
  const isCut =
    last?.role === 'agent' &&
    last.phase === 'cut' &&
    last.parentCallId === undefined &&
    last.text.trim() !== '';
  // With nothing said after it, it is asked for again, and needs no half of an answer to go on from.
  if (!isCut || said.length === 0) return { messages: said };
  return { messages: [new AIMessage({ id: last.id, content: `${last.text}\n\n${CUT_OFF}` }), ...said] };
}

/**
 * Calls of a step that others of the same step never ended have results that the graph would forget with the next
 * message: a turn was stopped, or Deepdesk was. Puts what they did (results, files) into the thread's state.
 */
export async function keepFinished(live: LiveThread, agent: ThreadAgent, storage: Storage): Promise<void> {
  if (!storage.checkpointer.hasPendingWrites(live.id)) return;
  await agent.graph.updateState({ configurable: { thread_id: live.id } }, null, END);
}

/** The same, where the graph has not got all of it yet; null where the turn only has to go on. */
export async function unsentMessage(
  live: LiveThread,
  agent: ThreadAgent,
  contentOf: ContentOf,
): Promise<Messages | null> {
  const input = await messageInput(live, contentOf);
  const state = await agent.graph.getState({ configurable: { thread_id: live.id } });
  const { messages = [] } = state.values as { messages?: BaseMessage[] };
  const known = new Set(messages.map((message) => message.id));
  if (!input.messages.every((message) => known.has(message.id))) return input;
  // A turn that came to its end with nothing: started over, which leaves that answer out, else nobody would be asked.
  const last = messages.at(-1);
  return state.next.length === 0 && last !== undefined && isEmptyAnswer(last) ? { messages: [] } : null;
}

export interface Answers {
  /** Questions that the graph still stands at. */
  open: number;
  /** The decisions taken on them; null where there is none yet. */
  input: Command | null;
  /** All of them were settled in another way, as those of a sub-agent that was stopped: the graph has to go on. */
  isStuck: boolean;
}

export const NOTHING_OPEN: Answers = { open: 0, input: null, isStuck: false };

/** The questions that the graph stopped at, and the decisions that were taken on them. */
export async function answersTo(live: LiveThread, agent: ThreadAgent, storage: Storage): Promise<Answers> {
  const state = await agent.graph.getState({ configurable: { thread_id: live.id } });
  const taken = new Map(storage.approvals.taken(live.id).map((t) => [t.approval.digest, t]));
  const resume: Record<string, ApprovalResume> = {};
  let open = 0;
  const listed = state.tasks.flatMap((task) => task.interrupts);
  for (const { id, value } of listed) {
    const { callId, question } = value as ApprovalInterrupt;
    // The graph lists a question until its whole step is done; what was answered has a result already.
    if (storage.journal.lookup(live.id, CallId.parse(callId))?.state === 'finished') continue;
    open++;
    const decided = taken.get(question.digest);
    if (!decided || decided.approval.callId !== callId || id === undefined) continue;
    const { decision } = decided;
    const { digest, fileVersion } = question;
    resume[id] = { decision, digest, ...optional({ fileVersion }) };
  }
  return {
    open,
    input: Object.keys(resume).length === 0 ? null : new Command({ resume }),
    isStuck: open === 0 && listed.length > 0,
  };
}
