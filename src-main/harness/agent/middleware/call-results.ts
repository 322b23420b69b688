import { ToolMessage } from '@langchain/core/messages';
import { type Command, isCommand } from '@langchain/langgraph';
import type { Verdict } from '../../../approvals/gate';
import type { Attempt } from '../../../contract/conversation';
import { type Media, mediaOf } from '../../../contract/media';
import type { ToolArtifact } from '../../tools/define-tool';
import type { StoredResult } from '../journal';

/** UTF-16 units of what an attempt printed that a card shows. */
const ATTEMPT_SHOWN = 4_000;

const text = (message: ToolMessage) => (typeof message.content === 'string' ? message.content : message.text);

/** What the person is told of a command that could not do all that it wanted; null where what came of it is a result. */
export function attemptIn(message: ToolMessage | undefined, judged: Verdict): Attempt | null {
  const { exitCode = null, refused = [] } = (message?.artifact ?? {}) as ToolArtifact;
  const saysNo = exitCode === 1 && judged.verdict === 'allow' && judged.exitOneAnswers === true;
  // Without an exit code it was stopped.
  const isAnswer = exitCode === null || exitCode === 0 || saysNo;
  if (message === undefined || (refused.length === 0 && isAnswer)) return null;
  return { refused, exitCode, output: text(message).slice(-ATTEMPT_SHOWN) };
}

export const replay = (stored: StoredResult, callId: string, tool: string) =>
  new ToolMessage({
    content: stored.content,
    status: stored.status,
    name: tool,
    tool_call_id: callId,
    ...(stored.exitCode === undefined ? {} : { artifact: { exitCode: stored.exitCode } }),
  });

export const mediaIn = (message: ToolMessage | undefined): Media[] =>
  typeof message?.content === 'object' ? message.content.flatMap((block) => mediaOf(block) ?? []) : [];

/** Before the words of a result; what it holds beside them stays. */
export function addNote(message: ToolMessage, note: string): void {
  const { content } = message;
  message.content =
    typeof content === 'string' ? `${note}\n${content}` : [{ type: 'text', text: note }, ...content];
}

/** The message that answers this call, also inside a Command. */
export function toolMessageOf(result: ToolMessage | Command, callId: string): ToolMessage | undefined {
  if (!isCommand(result)) return result;
  const update = result.update;
  if (update === undefined || Array.isArray(update)) return undefined;
  const { messages } = update as { messages?: unknown };
  if (!Array.isArray(messages)) return undefined;
  return messages.find((m): m is ToolMessage => ToolMessage.isInstance(m) && m.tool_call_id === callId);
}

export function storedResult(message: ToolMessage | undefined): StoredResult {
  if (message === undefined) return { content: '', status: 'success' };
  const artifact = message.artifact as { exitCode?: number | null } | undefined;
  return {
    content: text(message),
    status: message.status === 'error' ? 'error' : 'success',
    ...(artifact?.exitCode === undefined ? {} : { exitCode: artifact.exitCode }),
  };
}
