import type { Message } from '../../../contract/conversation';
import type { CallId, MessageId } from '../../../contract/ids';
import { fail, ok, type Result } from '../../../contract/result';
import { turnMessages } from '../../../contract/turn-messages';
import type { FileChangeRow } from '../../../storage/file-changes';

export const callOf = ({ author }: FileChangeRow): CallId | null =>
  author.by === 'agent' || author.by === 'unclear' ? author.callId : null;

/** Tests whether a change belongs to a call after a message; without one, every change does. Errors: `not_found`. */
export function cameAfter(
  messages: readonly Message[],
  id: MessageId | undefined,
): Result<(row: FileChangeRow) => boolean> {
  if (id === undefined) return ok(() => true);
  const at = messages.findIndex((message) => message.id === id);
  return at < 0 ? fail('not_found', 'message_gone') : ok(madeIn(messages.slice(at + 1)));
}

/** Tests whether a change belongs to a call of the turn that a message started. Errors: `not_found`. */
export function madeInTurn(
  messages: readonly Message[],
  id: MessageId,
): Result<(row: FileChangeRow) => boolean> {
  const own = turnMessages(messages, id);
  return own === null ? fail('not_found', 'message_gone') : ok(madeIn(own));
}

/** Tests whether a change belongs to a call in these messages. */
function madeIn(messages: readonly Message[]): (row: FileChangeRow) => boolean {
  const calls = new Set<string>(
    messages.flatMap((message) =>
      message.role === 'agent' ? message.calls.map(({ callId }) => callId) : [],
    ),
  );
  return (row) => calls.has(callOf(row) ?? '');
}
