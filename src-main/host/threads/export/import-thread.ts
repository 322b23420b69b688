import { randomUUID } from 'node:crypto';
import type { BaseMessage } from '@langchain/core/messages';
import type { AgentMessage, Message } from '../../../contract/conversation';
import { type ProjectId, ThreadId } from '../../../contract/ids';
import type { Storage } from '../../../storage';
import type { ImportedThread } from './json';

/** Said to the model of a call whose result the file does not have. */
const NO_RESULT = 'The result of this call was not kept.';

const isOwn = (message: Message): message is AgentMessage =>
  message.role === 'agent' && message.parentCallId === undefined;

/** The conversation as the model is to see it, so that it can be gone on with. */
async function historyOf(messages: readonly Message[]): Promise<BaseMessage[]> {
  // With the agent's packages, which a start does without.
  const { AIMessage, HumanMessage, ToolMessage } = await import('@langchain/core/messages');
  return messages.flatMap((message): BaseMessage[] => {
    if (message.role === 'user') return [new HumanMessage({ id: message.id, content: message.text })];
    if (!isOwn(message)) return [];
    const { id, text, calls } = message;
    if (text === '' && calls.length === 0) return [];
    return [
      new AIMessage({
        id,
        content: text,
        tool_calls: calls.map(({ callId, name, args }) => ({ id: callId, name, args, type: 'tool_call' })),
      }),
      ...calls.map(
        ({ callId, name, result }) =>
          new ToolMessage({ tool_call_id: callId, name, content: result || NO_RESULT }),
      ),
    ];
  });
}

/**
 * Makes a new thread of a file's: first what the agent knows, then, in one transaction, all that makes it a thread. Its
 * model is the one that new threads get, never the file's.
 */
export async function importThread(
  storage: Storage,
  projectId: ProjectId,
  { thread, messages, todos }: ImportedThread,
): Promise<ThreadId> {
  const id = ThreadId.parse(randomUUID());
  const kept = messages.map((message) => (isOwn(message) ? { ...message, graphId: message.id } : message));
  const history = await historyOf(kept);
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
