import { AIMessage } from '@langchain/core/messages';
import { isRecord } from '../../base/is-record';
import { parseJson } from '../../base/limited-json';
import { optional } from '../../contract/shared/optional';

/** Bytes of one call's arguments. */
const MAX_ARGUMENTS = 64 * 1024 * 1024;

type Arguments = Record<string, unknown>;

interface Call {
  id?: string | undefined;
  name?: string | undefined;
  args: Arguments;
}

type Change = (call: Call) => { id?: string | undefined; name?: string | undefined; args: Arguments };

/** Copies a message with other arguments for its calls, wherever it repeats them. */
export const withArguments = (
  message: AIMessage,
  change: (args: Arguments, call: Omit<Call, 'args'>) => Arguments,
): AIMessage => withCalls(message, (call) => ({ name: call.name, args: change(call.args, call) }));

/** Copies a message with other calls, even in its content and in what the provider's integration keeps for itself. */
export const withCalls = (message: AIMessage, change: Change): AIMessage => rewritten(message, () => change);

/** Copies a message with other ids for its calls, in their order, wherever it repeats them. */
export const withCallIds = (message: AIMessage, ids: readonly string[]): AIMessage =>
  rewritten(message, () => {
    const left = [...ids];
    return (call) => ({ ...call, id: left.shift() });
  });

/** `changeIn` is called for each place that has all the calls. */
function rewritten(message: AIMessage, changeIn: () => Change): AIMessage {
  const [inContent, inCalls, inKwargs, inOutput] = [changeIn(), changeIn(), changeIn(), changeIn()];
  const { content, additional_kwargs: kwargs, response_metadata: metadata } = message;
  return new AIMessage({
    content: (typeof content === 'string'
      ? content
      : content.map((block) => inBlock(block, inContent))) as AIMessage['content'],
    tool_calls: (message.tool_calls ?? []).map((call) => ({ ...call, ...named(inCalls(call)) })),
    additional_kwargs: Array.isArray(kwargs.tool_calls)
      ? { ...kwargs, tool_calls: kwargs.tool_calls.map((call) => inRawCall(call, inKwargs)) }
      : kwargs,
    response_metadata: Array.isArray(metadata.output)
      ? { ...metadata, output: metadata.output.map((item: unknown) => inOutputItem(item, inOutput)) }
      : metadata,
    ...optional({
      id: message.id,
      name: message.name,
      usage_metadata: message.usage_metadata,
      invalid_tool_calls: message.invalid_tool_calls,
    }),
  });
}

const named = ({ id, name, args }: ReturnType<Change>) => ({ args, ...optional({ id, name }) });

/** Anthropic's block, and LangChain's standard one. */
function inBlock(block: unknown, change: Change): unknown {
  if (!isRecord(block)) return block;
  const { type, id, name, input, args } = block as Record<'type' | 'id' | 'name', string | undefined> &
    Arguments;
  if (type === 'tool_use' && isRecord(input)) {
    const { args: changed, ...other } = named(change({ id, name, args: input }));
    return { ...block, ...other, input: changed };
  }
  return type === 'tool_call' && isRecord(args) ? { ...block, ...named(change({ id, name, args })) } : block;
}

/** OpenAI's call in `additional_kwargs`. */
function inRawCall<T extends { id?: string; function: { name: string; arguments: string } }>(
  call: T,
  change: Change,
): T {
  const { name, arguments: json } = call.function;
  const changed = inJson(json, { id: call.id, name }, change);
  return changed === null
    ? call
    : {
        ...call,
        ...optional({ id: changed.id }),
        function: { name: changed.name ?? name, arguments: changed.json },
      };
}

/** A call in the output of OpenAI's Responses API, which is sent again as it is. */
function inOutputItem(item: unknown, change: Change): unknown {
  if (!isRecord(item) || item.type !== 'function_call' || typeof item.arguments !== 'string') return item;
  const { call_id: id, name } = item as Record<'call_id' | 'name', string | undefined>;
  const changed = inJson(item.arguments, { id, name }, change);
  return changed === null
    ? item
    : {
        ...item,
        arguments: changed.json,
        ...optional({ call_id: changed.id, name: changed.name ?? name }),
      };
}

function inJson(
  json: string,
  call: Omit<Call, 'args'>,
  change: Change,
): { id: string | undefined; name: string | undefined; json: string } | null {
  const parsed = parseJson(json, { maxBytes: MAX_ARGUMENTS });
  if (!('value' in parsed) || !isRecord(parsed.value)) return null;
  const { id, name, args } = change({ ...call, args: parsed.value });
  return { id, name, json: args === parsed.value ? json : JSON.stringify(args) };
}
