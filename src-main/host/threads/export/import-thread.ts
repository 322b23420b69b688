import { randomUUID } from 'node:crypto';
import type { BaseMessage } from '@langchain/core/messages';
import type { AgentMessage, Message, UserMessage } from '../../../contract/conversation';
import { type ProjectId, ThreadId } from '../../../contract/ids';
import { shownName } from '../../../contract/shared/shown-name';
import type { Storage } from '../../../storage';
import { missingNote, NO_TEXT } from '../attachments';
import { outsideMark } from '../outside-mark';
import type { ImportedThread } from './json';

/** Tells the model that the file has no result for a call. */
const NO_RESULT = 'The result of this call was not kept.';

/** The person's text with notes about the attachments, which are not in the file. */
function saidIn({ text, attachments = [] }: UserMessage): string {
  if (attachments.length === 0) return text;
  return [text.trim() === '' ? NO_TEXT : text, ...attachments.map(missingNote)].join('\n\n');
}

const isOwn = (message: Message): message is AgentMessage =>
  message.role === 'agent' && message.parentCallId === undefined;

/** The conversation in the form for the model, marked with its file, so that the thread can continue. */
async function historyOf(messages: readonly Message[], file: string): Promise<BaseMessage[]> {
  // This import brings the agent's packages, which are not needed at startup.
  const { AIMessage, HumanMessage, ToolMessage } = await import('@langchain/core/messages');
  const marked = { additional_kwargs: outsideMark([{ kind: 'import', name: shownName(file) }]) };
  return messages.flatMap((message): BaseMessage[] => {
    if (message.role === 'user')
      return [new HumanMessage({ id: message.id, content: saidIn(message), ...marked })];
    if (!isOwn(message)) return [];
    const { id, text, calls } = message;
    if (text === '' && calls.length === 0) return [];
    return [
      new AIMessage({
        id,
        content: text,
        tool_calls: calls.map(({ callId, name, args }) => ({ id: callId, name, args, type: 'tool_call' })),
        ...marked,
      }),
      ...calls.map(
        ({ callId, name, result }) =>
          new ToolMessage({ tool_call_id: callId, name, content: result || NO_RESULT, ...marked }),
      ),
    ];
  });
}

/**
 * Creates a new thread from a file of that name: first the agent's state, then, in one transaction, everything else of the thread. It
 * uses the default model of new threads, never the file's.
 */
export async function importThread(
  storage: Storage,
  projectId: ProjectId,
  { thread, messages, todos }: ImportedThread,
  file: string,
): Promise<ThreadId> {
  const id = ThreadId.parse(randomUUID());
  const kept = messages.map((message) => (isOwn(message) ? { ...message, graphId: message.id } : message));
  const history = await historyOf(kept, file);
  if (history.length > 0) await storage.checkpointer.begin(id, { messages: history, files: {}, todos });
  const at = storage.now();
  storage.transaction(() => {
    storage.threads.insert({
      id,
      projectId,
      title: thread.title.slice(0, 200),
      model: storage.settings.read().model,
      createdAt: at,
      updatedAt: at,
    });
    for (const message of kept) storage.messages.save(id, message);
    storage.threads.change(id, { todos });
  });
  return id;
}
