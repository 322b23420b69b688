import { load } from '@langchain/core/load';
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
  /** What LangChain's reader leaves as they are called; of other names it makes camel case. */
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
 * A message from what the serializer wrote of one, with nothing else of LangChain's in it: as LangChain's reader makes
 * it, which goes through all of it several times and waits at each part. What is not known here is left to that.
 */
export function revive(text: string): BaseMessage | Promise<unknown> {
  const kind = KINDS.get(BEGINNING.exec(text)?.[1] ?? '');
  if (kind === undefined || text.includes('"__lc_escaped__"')) return load(text);
  const { kwargs }: { kwargs: Fields } = JSON.parse(text);
  return Object.keys(kwargs).every((name) => kind.fields.has(name)) ? kind.make(kwargs) : load(text);
}
