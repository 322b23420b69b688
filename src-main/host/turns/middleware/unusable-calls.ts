import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ClientTool, ServerTool } from '@langchain/core/tools';
import { Validator } from '@langchain/core/utils/json_schema';
import type { z } from 'zod';
import { isCheapToCheck } from '../../../base/schema-cost';
import { formProblems } from '../../../contract/shared/form-problem';
import { because, type Reason } from '../../../contract/shared/reasons';
import { schemaProblem } from './schema-problem';

/** Key in `additional_kwargs`: the result only says that the call cannot run. */
const UNUSABLE = 'deepdesk_unusable_call';

/** Rounds with only such calls before a turn fails. */
export const MAX_UNUSABLE_ROUNDS = 3;

/** The answer to a call that neither ran nor asked, because it can never run. */
export const unusableResult = (call: { callId: string; tool: string }, content: string): ToolMessage =>
  new ToolMessage({
    content,
    status: 'error',
    name: call.tool,
    tool_call_id: call.callId,
    additional_kwargs: { [UNUSABLE]: true },
  });

/** How many of the last answers had only calls that cannot run. */
export function unusableRounds(messages: readonly BaseMessage[]): number {
  let rounds = 0;
  let results = 0;
  for (const message of messages.toReversed()) {
    if (ToolMessage.isInstance(message)) {
      if (message.additional_kwargs[UNUSABLE] !== true) return rounds;
      results++;
    } else if (AIMessage.isInstance(message) && results > 0) {
      rounds++;
      results = 0;
    } else return rounds;
  }
  return rounds;
}

interface Checked {
  safeParse(value: unknown): { success: boolean; error?: z.ZodError };
}

const isChecked = (schema: unknown): schema is Checked =>
  typeof schema === 'object' && schema !== null && 'safeParse' in schema;

/** What is wrong with arguments. */
export interface Misfit {
  /** For the model, on one line, in the library's words. */
  detail: string;
  /** For the person. */
  why: Reason[];
}

/** Problems that the person is told. */
const MAX_TOLD = 3;

/** The error in the arguments by the tool's schema; null if they fit or there is no schema. */
export function misfit(tool: ClientTool | ServerTool, args: Record<string, unknown>): Misfit | null {
  const schema: unknown = 'schema' in tool ? tool.schema : undefined;
  if (!isChecked(schema)) return misfitOfJsonSchema(schema, args);
  const parsed = schema.safeParse(args);
  if (parsed.success || parsed.error === undefined) return null;
  const { error } = parsed;
  const detail = error.issues
    .map(({ path, message }) => `${path.map(String).join('.') || 'arguments'}: ${message}`)
    .join('; ');
  return { detail, why: formProblems(error, MAX_TOLD) };
}

/** The same for external tools with a JSON Schema. An invalid schema rejects nothing. */
function misfitOfJsonSchema(schema: unknown, args: Record<string, unknown>): Misfit | null {
  if (typeof schema !== 'object' || schema === null) return null;
  // Before the tool checks them too.
  if (!isCheapToCheck(schema, args))
    return {
      detail: 'they are too many for the alternatives that the schema allows; send fewer in one call',
      why: [because('arguments_too_many')],
    };
  try {
    const { valid, errors } = new Validator(schema, '7', false).validate(args);
    if (valid) return null;
    // The last errors are the innermost: the cause, after its location.
    const detail = errors
      .slice(-3)
      .map(
        ({ instanceLocation, error }) => `${instanceLocation.replace(/^#\/?/, '') || 'arguments'}: ${error}`,
      )
      .join(' ');
    return { detail, why: [schemaProblem(errors, schema, args)] };
  } catch {
    return null;
  }
}
