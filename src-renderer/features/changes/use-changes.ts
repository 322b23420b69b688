import type { ThreadState, ToolCall } from '@contract/conversation';
import type { MessageId, ThreadId } from '@contract/ids';
import { useLiveAnswer, useThreadPart } from '../../link';

/** What a thread changed since a message or since its start. Null: no thread. */
export const useChangeList = (threadId: ThreadId | null, since: MessageId | undefined) =>
  useLiveAnswer('changes.list', threadId === null ? null : { threadId, since });

/** The differences of one file. */
export const useFileChanges = (threadId: ThreadId, path: string, since: MessageId | undefined) =>
  useLiveAnswer('changes.file', { threadId, path, since });

/** Whether a command may have changed ignored files that the list does not name, because nothing looks at those. */
export const useUnlisted = (threadId: ThreadId | null, since: MessageId | undefined): boolean =>
  useThreadPart(threadId, (state) => callsSince(state, since).some(ranWithoutLayer)) ?? false;

function callsSince({ messages }: ThreadState, since: MessageId | undefined): ToolCall[] {
  const from = messages.findIndex(({ id }) => id === since) + 1;
  return messages.slice(from).flatMap((message) => (message.role === 'agent' ? message.calls : []));
}

/** A layer knows every file that its command changes, and a command that sees the folder read-only changes none. */
function ranWithoutLayer({ display, startedAt, rehearsal, sandbox }: ToolCall): boolean {
  if (display !== 'command' || startedAt === undefined || sandbox?.readOnly === true) return false;
  return rehearsal === undefined || rehearsal.state === 'ran';
}
