import { ToolMessage } from '@langchain/core/messages';
import { isCommand } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';

interface Call {
  callId: string;
  tool: string;
  args: Record<string, unknown>;
  agent: string | null;
}

export interface CallHooks {
  /** Why the call must not run, for the model; null: nothing prevents it. */
  before(call: Call, signal: AbortSignal): Promise<string | null>;
  /** Text to add to the result; empty: none. */
  after(
    call: Call,
    result: { status: 'success' | 'error'; text: string },
    signal: AbortSignal,
  ): Promise<string>;
}

/**
 * Runs hooks around each tool call. Placed inside the approvals, so that hooks see the arguments that really run and cannot
 * allow anything that the approvals would ask about or deny.
 */
export function createHooksMiddleware({ agent, hooks }: { agent: string | null; hooks: CallHooks }) {
  return createMiddleware({
    name: 'hooks',
    wrapToolCall: async (request, handler) => {
      const { name: tool, id = '', args } = request.toolCall;
      const call: Call = { callId: id, tool, args, agent };
      const signal = request.runtime.signal ?? new AbortController().signal;
      const denied = await hooks.before(call, signal);
      if (denied !== null)
        return new ToolMessage({
          content: `Error: ${denied}`,
          status: 'error',
          name: tool,
          tool_call_id: id,
        });
      const result = await handler(request);
      const message = messageIn(result, id);
      if (message === undefined) return result;
      const status = message.status === 'error' ? 'error' : 'success';
      const added = await hooks.after(call, { status, text: message.text }, signal);
      if (added !== '') append(message, added);
      return result;
    },
  });
}

/** The message that answers the call, even inside a Command. */
function messageIn(result: unknown, callId: string): ToolMessage | undefined {
  if (ToolMessage.isInstance(result)) return result;
  const { messages } = (isCommand(result) ? (result.update ?? {}) : {}) as { messages?: unknown };
  return [messages]
    .flat()
    .find((one): one is ToolMessage => ToolMessage.isInstance(one) && one.tool_call_id === callId);
}

function append(message: ToolMessage, text: string): void {
  const { content } = message;
  message.content =
    typeof content === 'string' ? `${content}\n\n${text}` : [...content, { type: 'text', text }];
}
