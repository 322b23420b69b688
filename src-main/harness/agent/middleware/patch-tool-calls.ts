import { AIMessage, type BaseMessage, RemoveMessage, ToolMessage } from '@langchain/core/messages';
import { REMOVE_ALL_MESSAGES } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';

/** What a call answered, where that is known from elsewhere. */
export interface CallResult {
  content: string;
  status: 'success' | 'error';
}

/** What stands in for the result of a call that has none. */
const cancelledText = (name: string, id: string) =>
  `Tool call ${name} with id ${id} was cancelled - another message came in before it could be completed.`;

/**
 * Repairs the history before a turn: every call gets a result, and results without a call go, since providers refuse
 * both. A call that did finish before the turn was stopped gets its real result from the journal, not a story.
 */
export function createPatchToolCallsMiddleware(
  options: { resultOf?: (callId: string) => CallResult | undefined } = {},
) {
  return createMiddleware({
    name: 'patchToolCallsMiddleware',
    beforeAgent: (state) => {
      const patched = patchToolCalls(state.messages, options.resultOf ?? (() => undefined));
      return patched === null
        ? undefined
        : { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...patched] };
    },
  });
}

/** The repaired list, or null where nothing is wrong. */
export function patchToolCalls(
  messages: BaseMessage[],
  resultOf: (callId: string) => CallResult | undefined,
): BaseMessage[] | null {
  const results = new Map<string, ToolMessage>();
  const called = new Set<string>();
  for (const message of messages) {
    if (ToolMessage.isInstance(message)) results.set(message.tool_call_id, message);
    if (AIMessage.isInstance(message)) for (const call of message.tool_calls ?? []) called.add(call.id ?? '');
  }

  let changed = false;
  const patched: BaseMessage[] = [];
  for (const message of messages) {
    if (ToolMessage.isInstance(message) && !called.has(message.tool_call_id)) {
      changed = true;
      continue;
    }
    if (isEmptyAnswer(message)) {
      changed = true;
      continue;
    }
    patched.push(message);
    if (!AIMessage.isInstance(message)) continue;
    for (const call of message.tool_calls ?? []) {
      const id = call.id ?? '';
      if (results.has(id)) continue;
      changed = true;
      const real = resultOf(id);
      patched.push(
        new ToolMessage({
          content: real?.content ?? cancelledText(call.name, id),
          status: real?.status ?? 'error',
          name: call.name,
          tool_call_id: id,
        }),
      );
    }
  }
  return changed ? patched : null;
}

/** An answer with nothing in it; providers refuse to be sent one. */
export const isEmptyAnswer = (message: BaseMessage) =>
  AIMessage.isInstance(message) && message.content.length === 0 && (message.tool_calls ?? []).length === 0;
