import { AIMessage, type BaseMessage, RemoveMessage, ToolMessage } from '@langchain/core/messages';
import { REMOVE_ALL_MESSAGES } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { checkOptions, func } from '../../../base/check-options';
import { optional } from '../../../contract/shared/optional';
import { withOwnCallIds } from '../call-ids';
import { wholeMessage, wholeMessages } from '../whole-messages';

/** The result of a call, known from elsewhere. */
export interface CallResult {
  /** What the model reads. */
  content: string;
  /** Whether the call succeeded. */
  status: 'success' | 'error';
  /** The message's `additional_kwargs`. Default: none. */
  kwargs?: Record<string, unknown>;
}

/** Replaces the missing result of a call. */
const cancelledText = (name: string, id: string) =>
  `Tool call ${name} with id ${id} was cancelled - another message came in before it could be completed.`;

/**
 * Repairs the history before a turn: every call gets a result, and results without a call are removed, since providers
 * refuse both. A call that finished before the turn was stopped gets its real result from the journal. A call of an answer whose
 * id is missing, or that of an earlier call, gets another one. Requests have no halves of characters, which providers refuse, too.
 */
export function createPatchToolCallsMiddleware(
  options: {
    /** Finds the result of a call that has none in the thread. Undefined: it is unknown. Default: all are. */
    resultOf?: (callId: string) => CallResult | undefined;
  } = {},
) {
  checkOptions('createPatchToolCallsMiddleware', options, { resultOf: func });
  return createMiddleware({
    name: 'patchToolCallsMiddleware',
    beforeAgent: (state) => {
      const patched = patchToolCalls(state.messages, options.resultOf ?? (() => undefined));
      return patched === null
        ? undefined
        : { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...patched] };
    },
    // Other middleware may leave a call without a result within a turn.
    wrapModelCall: async (request, handler) => {
      const patched = patchToolCalls(request.messages, options.resultOf ?? (() => undefined));
      const messages = wholeMessages(patched ?? request.messages);
      const systemMessage = wholeMessage(request.systemMessage);
      const isSame = messages === request.messages && systemMessage === request.systemMessage;
      const answer = await handler(isSame ? request : { ...request, messages, systemMessage });
      return AIMessage.isInstance(answer) ? withOwnCallIds(answer, request.state.messages) : answer;
    },
  });
}

/**
 * Whether the results of all calls follow them, before the next answer. This is the usual history. It runs for each request,
 * and remembers only the calls that are still open.
 */
function isInOrder(messages: readonly BaseMessage[]): boolean {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.type === 'tool') {
      if (!open.delete((message as ToolMessage).tool_call_id)) return false;
    } else if (message.type === 'ai') {
      if (open.size > 0 || isEmptyAnswer(message)) return false;
      for (const { id } of (message as AIMessage).tool_calls ?? []) open.add(id ?? '');
    }
  }
  return open.size === 0;
}

/** The repaired list, or null if nothing is wrong. */
export function patchToolCalls(
  messages: BaseMessage[],
  resultOf: (callId: string) => CallResult | undefined,
): BaseMessage[] | null {
  if (isInOrder(messages)) return null;
  const results = new Set<string>();
  const called = new Set<string>();
  let changed = false;
  for (const message of messages) {
    if (message.type === 'tool' && ToolMessage.isInstance(message)) results.add(message.tool_call_id);
    if (message.type !== 'ai' || !AIMessage.isInstance(message)) continue;
    changed ||= isEmptyAnswer(message);
    for (const call of message.tool_calls ?? []) called.add(call.id ?? '');
  }
  // A whole history is not copied.
  if (!changed && results.size === called.size && [...called].every((id) => results.has(id))) return null;

  const patched: BaseMessage[] = [];
  for (const message of messages) {
    if (ToolMessage.isInstance(message) && !called.has(message.tool_call_id)) continue;
    if (isEmptyAnswer(message)) continue;
    patched.push(message);
    if (!AIMessage.isInstance(message)) continue;
    for (const call of message.tool_calls ?? []) {
      const id = call.id ?? '';
      if (results.has(id)) continue;
      const real = resultOf(id);
      patched.push(
        new ToolMessage({
          content: real?.content ?? cancelledText(call.name, id),
          status: real?.status ?? 'error',
          name: call.name,
          tool_call_id: id,
          ...optional({ additional_kwargs: real?.kwargs }),
        }),
      );
    }
  }
  return patched;
}

/** An answer without content. Providers refuse such a message. */
export const isEmptyAnswer = (message: BaseMessage) =>
  AIMessage.isInstance(message) && message.content.length === 0 && (message.tool_calls ?? []).length === 0;
