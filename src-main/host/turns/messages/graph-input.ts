import {
  AIMessage,
  type BaseMessage,
  type HumanMessage,
  type MessageContent,
} from '@langchain/core/messages';
import { Command, END } from '@langchain/langgraph';
import type { UserMessage } from '../../../contract/conversation';
import { CallId } from '../../../contract/ids';
import { optional } from '../../../contract/shared/optional';
import { isEmptyAnswer } from '../../../harness/agent/middleware/patch-tool-calls';
import type { Storage } from '../../../storage';
import type { LiveThread } from '../../threads/live-thread';
import type { ApprovalInterrupt, ApprovalResume } from '../middleware/ask-person';
import type { ThreadAgent } from '../run/thread-agent';
import { personMessage } from './outside-context';

interface Messages {
  messages: (AIMessage | HumanMessage)[];
}

/** The content of a person's message for the model. */
export type ContentOf = (
  live: LiveThread,
  said: Pick<UserMessage, 'text' | 'attachments'>,
) => Promise<MessageContent>;

/** Follows an interrupted answer, so that the model knows why it stops there. */
const CUT_OFF = '[Cut off here: the answer was stopped before it was complete.]';

/**
 * The person's messages since the agent last spoke: usually one, more if a turn failed before its first step. The part of an
 * interrupted answer comes first, because the person has read it. The ids are those of the window, so a message already in
 * the graph is not duplicated.
 */
export async function messageInput(live: LiveThread, contentOf: ContentOf): Promise<Messages> {
  const { messages } = live.state;
  const spoken = messages.findLastIndex((message) => message.role === 'agent');
  const said: HumanMessage[] = [];
  for (const message of messages.slice(spoken + 1)) {
    if (message.role !== 'user') continue;
    said.push(personMessage(message, await contentOf(live, message)));
  }
  const last = messages[spoken];
  const isCut =
    last?.role === 'agent' &&
    last.phase === 'cut' &&
    last.parentCallId === undefined &&
    last.text.trim() !== '';
  // Without a later message it is requested again, and does not need a partial answer.
  if (!isCut || said.length === 0) return { messages: said };
  return { messages: [new AIMessage({ id: last.id, content: `${last.text}\n\n${CUT_OFF}` }), ...said] };
}

/**
 * If a turn or Deepdesk stops during a step, the graph would forget the results of its finished calls with the next message.
 * Saves them (results, files) to the thread's state.
 */
export async function keepFinished(live: LiveThread, agent: ThreadAgent, storage: Storage): Promise<void> {
  if (!storage.checkpointer.hasPendingWrites(live.id)) return;
  await agent.graph.updateState({ configurable: { thread_id: live.id } }, null, END);
}

/** The same, if the graph does not have all of it yet; null if the turn only needs to continue. */
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
  // The turn ended with an empty answer: restart without that answer, or the model would not be called.
  const last = messages.at(-1);
  return state.next.length === 0 && last !== undefined && isEmptyAnswer(last) ? { messages: [] } : null;
}

export interface Answers {
  /** Approvals at which the graph still waits. */
  open: number;
  /** Their decisions; null if there are none yet. */
  input: Command | null;
  /** All were settled in another way, for example by stopping a sub-agent: the graph must continue. */
  isStuck: boolean;
}

export const NOTHING_OPEN: Answers = { open: 0, input: null, isStuck: false };

/** The approvals at which the graph stopped, and their decisions. */
export async function answersTo(live: LiveThread, agent: ThreadAgent, storage: Storage): Promise<Answers> {
  const state = await agent.graph.getState({ configurable: { thread_id: live.id } });
  const taken = new Map(storage.approvals.taken(live.id).map((t) => [t.approval.digest, t]));
  const resume: Record<string, ApprovalResume> = {};
  let open = 0;
  const listed = state.tasks.flatMap((task) => task.interrupts);
  for (const { id, value } of listed) {
    const { callId, question } = value as ApprovalInterrupt;
    // The graph lists an approval until its whole step is done; a settled one already has a result.
    if (storage.journal.lookup(live.id, CallId.parse(callId))?.state === 'finished') continue;
    open++;
    const decided = taken.get(question.digest);
    if (!decided || decided.approval.callId !== callId || id === undefined) continue;
    const { decision } = decided;
    const { digest, fileVersion, outcomeDigest } = question;
    resume[id] = { decision, digest, ...optional({ fileVersion, outcomeDigest }) };
  }
  return {
    open,
    input: Object.keys(resume).length === 0 ? null : new Command({ resume }),
    isStuck: open === 0 && listed.length > 0,
  };
}
