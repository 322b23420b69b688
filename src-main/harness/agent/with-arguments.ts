import { AIMessage } from '@langchain/core/messages';
import { optional } from '../../contract/shared/optional';

type Arguments = Record<string, unknown>;

/** Copies a message with other arguments for its calls, including where its content repeats them. */
export function withArguments(
  message: AIMessage,
  change: (args: Arguments, call: { id?: string | undefined; name?: string | undefined }) => Arguments,
): AIMessage {
  const content =
    typeof message.content === 'string'
      ? message.content
      : message.content.map((block) => {
          const { type, id, name, input } = block as Record<'type' | 'id' | 'name', string | undefined> & {
            input?: unknown;
          };
          return type === 'tool_use' && isArguments(input)
            ? { ...block, input: change(input, { id, name }) }
            : block;
        });
  return new AIMessage({
    content: content as AIMessage['content'],
    tool_calls: (message.tool_calls ?? []).map((call) => ({ ...call, args: change(call.args, call) })),
    additional_kwargs: message.additional_kwargs,
    response_metadata: message.response_metadata,
    ...optional({
      id: message.id,
      name: message.name,
      usage_metadata: message.usage_metadata,
      invalid_tool_calls: message.invalid_tool_calls,
    }),
  });
}

const isArguments = (value: unknown): value is Arguments =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
