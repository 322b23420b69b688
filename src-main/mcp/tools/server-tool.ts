import { ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool, type StructuredToolInterface, type ToolRuntime } from '@langchain/core/tools';
import type { CallEvents } from '../questions';
import type { Server } from '../server';
import type { ServerTool } from './offered-tool';

/** What a run does with the events of its calls. */
export type CallsOfRun = (tool: string, callId: string) => CallEvents;

/**
 * A server's tool in the form that the agent uses. Failures are messages with status `error`; only stopping the turn
 * rejects. The server process may have been replaced by the time of the call.
 */
export const serverTool = (
  name: string,
  tool: ServerTool,
  server: Server,
  calls?: CallsOfRun,
): StructuredToolInterface =>
  new DynamicStructuredTool({
    name,
    description:
      tool.description === ''
        ? `${tool.title}, of the MCP server "${server.config.name}".`
        : tool.description,
    schema: tool.schema,
    func: async (args, _manager, config) => {
      const { toolCallId, signal } = runtimeOf(config);
      const { ok, content, failure } = await server.call(
        tool.title,
        args as Record<string, unknown>,
        signal ?? new AbortController().signal,
        calls?.(name, toolCallId),
      );
      return new ToolMessage({
        content,
        name,
        tool_call_id: toolCallId,
        status: ok ? 'success' : 'error',
        ...(failure === undefined ? {} : { artifact: { failure } }),
      });
    },
  });

/** LangGraph passes tools their runtime instead of the bare configuration. */
function runtimeOf(config: unknown): { toolCallId: string; signal?: AbortSignal } {
  const { toolCallId, toolCall, signal } = (config ?? {}) as Partial<ToolRuntime> & {
    toolCall?: { id?: string };
  };
  const id = toolCallId ?? toolCall?.id ?? '';
  return signal === undefined ? { toolCallId: id } : { toolCallId: id, signal };
}
