import { ToolMessage } from '@langchain/core/messages';
import type { Command } from '@langchain/langgraph';
import { englishForModel } from '../../../../src-renderer/i18n/english';
import type { Verdict } from '../../../approvals/gate';
import { whyNotRehearsed } from '../../../approvals/rehearsal';
import { type Media, mediaOf } from '../../../contract/shared/media';
import { optional } from '../../../contract/shared/optional';
import { because, Reasons } from '../../../contract/shared/reasons';
import type { StoredResult } from '../../threads/journal';
import { markOf } from '../../threads/outside-mark';

const text = (message: ToolMessage) => (typeof message.content === 'string' ? message.content : message.text);

export const replay = (stored: StoredResult, callId: string, tool: string) =>
  new ToolMessage({
    content: stored.content,
    status: stored.status,
    name: tool,
    tool_call_id: callId,
    ...optional({ additional_kwargs: stored.kwargs }),
    ...(stored.exitCode === undefined ? {} : { artifact: { exitCode: stored.exitCode } }),
  });

export const mediaIn = (message: ToolMessage | undefined): Media[] =>
  typeof message?.content === 'object' ? message.content.flatMap((block) => mediaOf(block) ?? []) : [];

/** Why a failed call of a server failed, if Deepdesk knows. */
export const failureIn = (message: ToolMessage | undefined): Reasons | undefined => {
  const failure = (message?.artifact as { failure?: unknown } | undefined)?.failure;
  const read = Reasons.safeParse(failure);
  return message?.status === 'error' && read.success ? read.data : undefined;
};

/** Prepends a note to a result's text; its other content stays. */
export function addNote(message: ToolMessage, note: string): void {
  const { content } = message;
  message.content =
    typeof content === 'string' ? `${note}\n${content}` : [{ type: 'text', text: note }, ...content];
}

/** Tells the model why a command could not run in a layer; empty for all others. */
export function noteOnLayer(judged: Verdict): string {
  const why = whyNotRehearsed(judged.verdict === 'ask' ? judged.question.reason : judged.reason);
  return why === undefined ? '' : `[${englishForModel.sentences([because('not_rehearsed', { why })])}]`;
}

/** The message that answers this call, even inside a Command. */
export function toolMessageOf(result: ToolMessage | Command, callId: string): ToolMessage | undefined {
  if (ToolMessage.isInstance(result)) return result;
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
    ...optional({ exitCode: artifact?.exitCode, kwargs: markOf(message) }),
  };
}
