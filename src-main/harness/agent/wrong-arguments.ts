import { ToolMessage } from '@langchain/core/messages';
import { ToolInvocationError } from 'langchain';

/**
 * The answer to a call whose arguments do not match the tool's schema. LangChain's answer has the stack of the program: tokens
 * that do not help the model, with paths of the host. Any other error is thrown again.
 */
export function answerToWrongArguments(error: unknown): ToolMessage {
  if (!ToolInvocationError.isInstance(error)) throw error;
  const { toolCall, toolError } = error;
  const why = toolError.message.replace(/^Received tool input did not match expected schema\s*/, '').trim();
  return new ToolMessage({
    content: `Error: ${toolCall.name} was not run: its arguments do not match the schema. Correct them and try again.\n${why}`,
    status: 'error',
    name: toolCall.name,
    tool_call_id: toolCall.id ?? '',
  });
}
