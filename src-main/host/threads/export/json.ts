import { z } from 'zod';
import { withoutHiddenText } from '../../../base/hidden-text';
import { parseJson } from '../../../base/limited-json';
import { Message, ThreadInfo, type ThreadState } from '../../../contract/conversation';
import { errorText } from '../../../contract/errors';
import { appError, fail, ok, type Result } from '../../../contract/result';
import { formProblem } from '../../../contract/shared/form-problem';
import { Todo } from '../../../contract/shared/todo';
import { closeOpenCalls } from '../../../contract/thread';

const FORMAT = 'deepdesk-thread';
/** Raised when an older Deepdesk cannot read the new format. */
const VERSION = 1;

/** Maximum bytes of an imported file, and of messages in it. */
export const MAX_IMPORT = 64 * 1024 * 1024;
const MAX_MESSAGES = 50_000;
/** Maximum nesting of objects and lists, including the arguments of calls. */
const MAX_DEPTH = 128;

const Exported = z.object({
  format: z.literal(FORMAT),
  version: z.number().int(),
  thread: ThreadInfo.pick({ title: true, model: true, createdAt: true, updatedAt: true }),
  messages: z.array(Message).max(MAX_MESSAGES),
  todos: z.array(Todo).max(1_000),
});

/** The conversation as JSON that `readJson` accepts. */
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
 * Parses a thread from such a file, idle: nothing in it runs, waits, or refers to this computer's terminals, memories and
 * images. Errors: `invalid` for any other file, `unsupported` for one from a newer version, `too_large`.
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
    return {
      ok: false,
      error: appError('invalid', errorText('import_damaged'), { cause: formProblem(parsed.error) }),
    };
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

/** Removes what is only meaningful on the machine that wrote it, and marks the rest. */
function foreign(message: Message): Message {
  if (message.role === 'notice') return { ...message, actions: [] };
  if (message.role === 'compaction') return { ...message, archive: null, undone: true };
  if (message.role === 'user') return { ...message, imported: true };
  const closed = closeOpenCalls(message);
  if (closed.role !== 'agent') return closed;
  const { graphId: _, ...rest } = closed;
  return {
    ...rest,
    // Requests contain the agent's own messages unchanged.
    text: withoutHiddenText(rest.text),
    imported: true,
    calls: closed.calls.map(({ terminalId, memory, media, savedAt, unasked, ...call }) => call),
  };
}
