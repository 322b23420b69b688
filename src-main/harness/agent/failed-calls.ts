import { types } from 'node:util';
import { ToolMessage } from '@langchain/core/messages';
import { ToolInvocationError } from 'langchain';

type Call = { id?: string | undefined; name: string };

/**
 * The result of a call that failed in a way that the model can deal with: its arguments do not match the tool's schema, or the
 * tool threw something that is no `Error`. Any other error is thrown again and fails the run, as in the published package.
 * LangGraph itself fails on thrown texts and `undefined`, without saying what was thrown.
 */
export function answerToFailure(error: unknown, call: Call, signal: AbortSignal | undefined): ToolMessage {
  if (ToolInvocationError.isInstance(error)) return answerToWrongArguments(error);
  if (error instanceof Error || types.isNativeError(error)) throw error;
  // The reason of an abort may be any value.
  if (signal?.aborted === true) throw new Error(`The run was aborted: ${textOf(error)}`, { cause: error });
  return answer(call, `Error: ${call.name} failed: ${textOf(error)}`);
}

/** LangChain's answer has the stack of the program: tokens that do not help the model, with paths of the host. */
function answerToWrongArguments({ toolCall, toolError }: ToolInvocationError): ToolMessage {
  const why = toolError.message.replace(/^Received tool input did not match expected schema\s*/, '').trim();
  return answer(
    toolCall,
    `Error: ${toolCall.name} was not run: its arguments do not match the schema. Correct them and try again.\n${why}`,
  );
}

const answer = ({ id, name }: Call, content: string) =>
  new ToolMessage({ content, status: 'error', name, tool_call_id: id ?? '' });

/** A thrown value in words. */
function textOf(thrown: unknown): string {
  if (thrown === undefined || thrown === null || thrown === '') return 'it gave no reason.';
  if (typeof thrown !== 'object') return String(thrown);
  const { message } = thrown as { message?: unknown };
  if (typeof message === 'string') return message;
  try {
    return JSON.stringify(thrown);
  } catch {
    return String(thrown);
  }
}
