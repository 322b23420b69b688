import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ClientTool, ServerTool } from '@langchain/core/tools';
import { Validator } from '@langchain/core/utils/json_schema';

/** Under this key of `additional_kwargs`: the result says only that the call could not be run at all. */
const UNUSABLE = 'deepdesk_unusable_call';

/** Rounds of nothing but such calls before a turn fails. */
export const MAX_UNUSABLE_ROUNDS = 3;

/** The answer to a call that was neither run nor asked about, because nobody could run it. */
export const unusableResult = (call: { callId: string; tool: string }, content: string): ToolMessage =>
  new ToolMessage({
    content,
    status: 'error',
    name: call.tool,
    tool_call_id: call.callId,
    additional_kwargs: { [UNUSABLE]: true },
  });

/** How many of the last answers had calls of which not one could be run. */
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
  safeParse(value: unknown): {
    success: boolean;
    error?: { issues: { path: PropertyKey[]; message: string }[] };
  };
}

const isChecked = (schema: unknown): schema is Checked =>
  typeof schema === 'object' && schema !== null && 'safeParse' in schema;

/** What is wrong with the arguments by the tool's own schema, in one line; null where they fit or it has none. */
export function misfit(tool: ClientTool | ServerTool, args: Record<string, unknown>): string | null {
  const schema: unknown = 'schema' in tool ? tool.schema : undefined;
  if (!isChecked(schema)) return misfitOfJsonSchema(schema, args);
  const parsed = schema.safeParse(args);
  if (parsed.success) return null;
  const issues = parsed.error?.issues ?? [];
  return issues
    .map(({ path, message }) => `${path.map(String).join('.') || 'arguments'}: ${message}`)
    .join('; ');
}

/** The same for tools from elsewhere, which bring a JSON Schema. One that cannot be understood is no judge. */
function misfitOfJsonSchema(schema: unknown, args: Record<string, unknown>): string | null {
  if (typeof schema !== 'object' || schema === null) return null;
  try {
    const { valid, errors } = new Validator(schema, '7', false).validate(args);
    if (valid) return null;
    // The last ones are the innermost: what is wrong, after where.
    return errors
      .slice(-3)
      .map(
        ({ instanceLocation, error }) => `${instanceLocation.replace(/^#\/?/, '') || 'arguments'}: ${error}`,
      )
      .join(' ');
  } catch {
    return null;
  }
}
