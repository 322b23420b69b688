import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';

type Fields = { content: string; tool_call_id: string };

interface Kind {
  make(fields: Fields): BaseMessage;
  /** Fields whose names LangChain's reader keeps. It converts other names to camel case. */
  fields: ReadonlySet<string>;
}

const COMMON = ['id', 'name', 'content', 'additional_kwargs', 'response_metadata'];
const ANSWER = [...COMMON, 'tool_calls', 'invalid_tool_calls', 'usage_metadata'];

const KINDS = new Map<string, Kind>([
  ['AIMessage', { make: (fields) => new AIMessage(fields), fields: new Set(ANSWER) }],
  [
    'AIMessageChunk',
    { make: (fields) => new AIMessageChunk(fields), fields: new Set([...ANSWER, 'tool_call_chunks']) },
  ],
  ['HumanMessage', { make: (fields) => new HumanMessage(fields), fields: new Set(COMMON) }],
  ['SystemMessage', { make: (fields) => new SystemMessage(fields), fields: new Set(COMMON) }],
  [
    'ToolMessage',
    {
      make: (fields) => new ToolMessage(fields),
      fields: new Set([...COMMON, 'tool_call_id', 'status', 'artifact', 'metadata']),
    },
  ],
]);

const BEGINNING = /^\{"lc":1,"type":"constructor","id":\["langchain_core","messages","(\w+)"\],"kwargs":\{/;

/**
 * Creates a message from the serializer's output if that contains no other LangChain objects. The result equals that of
 * LangChain's reader, which walks it several times and awaits each part. `parsed` is the parsed text. Undefined: only that
 * reader can read it.
 */
export function revive(text: string, parsed: () => unknown): BaseMessage | undefined {
  const kind = KINDS.get(BEGINNING.exec(text)?.[1] ?? '');
  if (kind === undefined || text.includes('"__lc_escaped__"')) return undefined;
  const { kwargs } = parsed() as { kwargs: Fields };
  return Object.keys(kwargs).every((name) => kind.fields.has(name)) ? kind.make(kwargs) : undefined;
}
