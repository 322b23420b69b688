import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { AgentMessage, Message, ThreadState, ToolCall } from '../../contract/conversation';
import type { ThreadEvent } from '../../contract/events';
import type { CallId } from '../../contract/ids';
import type { Todo } from '../../contract/shared/todo';
import { acpToolCall } from './tool-calls';

/** Updates for an editor that opens a thread: the whole conversation, then the current plan. */
export function historyOf(state: ThreadState): SessionUpdate[] {
  const said = state.messages.flatMap((message) => (isOwn(message) ? messageUpdates(message) : []));
  return state.todos.length === 0 ? said : [...said, planOf(state.todos)];
}

/** Updates for an editor about the events of one thread while a prompt runs. */
export class ThreadUpdates {
  /** UTF-16 units already sent of each message's text. The end of a message can bring text that no delta brought. */
  private readonly sent = new Map<string, number>();

  /** `terminals`: those of the editor, by the call that runs there. */
  constructor(private readonly terminals: ReadonlyMap<string, string>) {}

  /** `state` is the thread with the event applied. */
  of(event: ThreadEvent, state: ThreadState): SessionUpdate[] {
    switch (event.type) {
      case 'message.added': {
        const { message } = event;
        if (!isOwn(message) || message.role !== 'agent') return [];
        if (message.phase === 'streaming') this.sent.set(message.id, message.text.length);
        return messageUpdates(message);
      }
      case 'message.delta': {
        const { messageId } = event;
        const message = state.messages.findLast(({ id }) => id === messageId);
        if (message === undefined || !isOwn(message)) return [];
        this.sent.set(messageId, (this.sent.get(messageId) ?? 0) + event.text.length);
        return words(event, messageId);
      }
      case 'message.ended': {
        const { message } = event;
        if (!isOwn(message)) return [];
        const rest = message.text.slice(this.sent.get(message.id) ?? 0);
        this.sent.delete(message.id);
        return [...words({ text: rest, reasoning: '' }, message.id), ...message.calls.map(callAdded)];
      }
      case 'tool.started':
      case 'tool.ended':
        return ownCalls(state, event.callId).map((call) => ({
          sessionUpdate: 'tool_call_update',
          ...acpToolCall(call, this.terminals.get(call.callId)),
        }));
      case 'todos.changed':
        return [planOf(event.todos)];
      default:
        return [];
    }
  }
}

/** A sub-agent's text is for the agent that called it. */
const isOwn = (message: Message) => message.role !== 'agent' || message.parentCallId === undefined;

function messageUpdates(message: Message): SessionUpdate[] {
  switch (message.role) {
    case 'user':
      return [message.text, ...(message.attachments ?? []).map(({ name }) => `\n[attached: ${name}]`)]
        .filter((words) => words !== '')
        .map((words) => ({
          sessionUpdate: 'user_message_chunk',
          messageId: message.id,
          content: text(words),
        }));
    case 'agent':
      return [...words(message, message.id), ...message.calls.map(callAdded)];
    // Deepdesk's own notices; failures are returned as the answer to the prompt.
    case 'notice':
    case 'compaction':
      return [];
    default:
      return message satisfies never;
  }
}

const text = (words: string) => ({ type: 'text' as const, text: words });

function words(
  { text: said, reasoning }: Pick<AgentMessage, 'text' | 'reasoning'>,
  messageId: string,
): SessionUpdate[] {
  return [
    ...(reasoning === ''
      ? []
      : [{ sessionUpdate: 'agent_thought_chunk' as const, messageId, content: text(reasoning) }]),
    ...(said === ''
      ? []
      : [{ sessionUpdate: 'agent_message_chunk' as const, messageId, content: text(said) }]),
  ];
}

const callAdded = (call: ToolCall): SessionUpdate => ({ sessionUpdate: 'tool_call', ...acpToolCall(call) });

const ownCalls = (state: ThreadState, callId: CallId): ToolCall[] =>
  state.messages.flatMap((message) =>
    message.role === 'agent' && isOwn(message) ? message.calls.filter((call) => call.callId === callId) : [],
  );

const planOf = (todos: readonly Todo[]): SessionUpdate => ({
  sessionUpdate: 'plan',
  entries: todos.map(({ content, status }) => ({ content, status, priority: 'medium' })),
});
