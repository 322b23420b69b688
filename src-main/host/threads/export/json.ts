import { z } from 'zod';
import { parseJson } from '../../../base/limited-json';
import { Message, ThreadInfo, type ThreadState } from '../../../contract/conversation';
import { fail, ok, type Result } from '../../../contract/result';
import { Todo } from '../../../contract/shared/todo';
import { closeOpenCalls } from '../../../contract/thread';

const FORMAT = 'deepdesk-thread';
/** Raised when a file of today could not be read by an older Deepdesk. */
const VERSION = 1;

/** Bytes of a file that is read in, and messages in it. */
export const MAX_IMPORT = 64 * 1024 * 1024;
const MAX_MESSAGES = 50_000;
/** Objects and lists in one another, those in the arguments of calls included. */
const MAX_DEPTH = 128;

const Exported = z.object({
  format: z.literal(FORMAT),
  version: z.number().int(),
  thread: ThreadInfo.pick({ title: true, model: true, createdAt: true, updatedAt: true }),
  messages: z.array(Message).max(MAX_MESSAGES),
  todos: z.array(Todo).max(1_000),
});

/** The conversation as JSON that `readJson` takes back. */
export function jsonOf({ thread, messages, todos }: ThreadState): string {
  const { title, model, createdAt, updatedAt } = thread;
  const exported: z.infer<typeof Exported> = {
    format: FORMAT,
    version: VERSION,
    thread: { title, model, createdAt, updatedAt },
    messages,
    todos,
  };
  return `${JSON.stringify(exported, null, 1)}\n`;
}

export type ImportedThread = Pick<z.infer<typeof Exported>, 'thread' | 'messages' | 'todos'>;

/**
 * A thread from such a file, at rest: nothing in it is under way, waits, or points at this computer's terminals, memories
 * and pictures. Errors: `invalid` for any other file, `unsupported` for one of a newer version, `too_large`.
 */
export function readJson(text: string): Result<ImportedThread> {
  const read = parseJson(text, { maxBytes: MAX_IMPORT, maxDepth: MAX_DEPTH });
  if ('problem' in read)
    return read.problem === 'too_large'
      ? fail('too_large', 'import_too_large', { megabytes: MAX_IMPORT / 1024 ** 2 })
      : fail('invalid', 'import_not_json');
  const json = read.value;
  const head = z.object({ format: z.literal(FORMAT), version: z.number() }).safeParse(json);
  if (!head.success) return fail('invalid', 'import_not_thread');
  if (head.data.version > VERSION) return fail('unsupported', 'import_newer');
  const parsed = Exported.safeParse(json);
  if (!parsed.success)
    return fail('invalid', 'import_damaged', {}, z.prettifyError(parsed.error).slice(0, 2_000));
  const { thread, messages, todos } = parsed.data;
  const ids = new Set<string>();
  const calls = new Set<string>();
  for (const message of messages) {
    if (ids.has(message.id)) return fail('invalid', 'import_message_twice');
    ids.add(message.id);
    if (message.role !== 'agent') continue;
    for (const { callId } of message.calls) {
      if (calls.has(callId)) return fail('invalid', 'import_call_twice');
      calls.add(callId);
    }
  }
  return ok({ thread, todos, messages: messages.map(foreign) });
}

/** Without what only means something where it was written. */
function foreign(message: Message): Message {
  if (message.role === 'notice') return { ...message, actions: [] };
  if (message.role === 'compaction') return { ...message, archive: null, undone: true };
  const closed = closeOpenCalls(message);
  if (closed.role !== 'agent') return closed;
  const { graphId: _, ...rest } = closed;
  return {
    ...rest,
    calls: closed.calls.map(({ terminalId, memory, media, savedAt, unasked, ...call }) => call),
  };
}
