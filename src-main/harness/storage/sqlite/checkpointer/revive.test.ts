import { load } from '@langchain/core/load';
import {
  AIMessage,
  AIMessageChunk,
  BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { expect, it } from 'vitest';
import { revive } from './revive';

const notes = {
  additional_kwargs: { own_note: { a_b: 1 } },
  response_metadata: { model_name: 'm', aB: [1] },
};
const call = { id: '1', name: 'look', args: { a_b: 1, cD: { e_f: null } }, type: 'tool_call' as const };
// These packages' types do not know usage here.
const counted: object = {
  usage_metadata: {
    input_tokens: 1,
    output_tokens: 2,
    total_tokens: 3,
    input_token_details: { cache_read: 1 },
  },
};

const known: BaseMessage[] = [
  new HumanMessage({ id: 'h', name: 'me', content: [{ type: 'text', text: '"lc": 1\n' }], ...notes }),
  new SystemMessage('Be.'),
  new AIMessage('Done.'),
  new AIMessage({
    id: 'a',
    content: [{ type: 'text', text: 'x' }],
    tool_calls: [call],
    invalid_tool_calls: [{ id: '2', name: 'x', args: '{', error: 'cut', type: 'invalid_tool_call' }],
    ...counted,
    ...notes,
  }),
  new AIMessageChunk({
    id: 'c',
    content: 'x',
    tool_call_chunks: [{ id: '1', name: 'look', args: '{"a":1}', index: 0, type: 'tool_call_chunk' }],
    ...counted,
    ...notes,
  }),
  new ToolMessage({ tool_call_id: '1', content: 'seen' }),
  new ToolMessage({
    id: 't',
    tool_call_id: '1',
    content: 'not seen',
    name: 'look',
    status: 'error',
    artifact: { exitCode: 1 },
    metadata: { k_v: 1 },
    ...notes,
  }),
];

it.each(known.map((message) => [message.getType(), message] as const))(
  'creates a %s message as LangChain does',
  async (_, message) => {
    const text = JSON.stringify(message);
    const made = revive(text, () => JSON.parse(text));
    expect(made).toBeInstanceOf(BaseMessage);
    const theirs = await load<BaseMessage>(text);
    expect(made).toStrictEqual(theirs);
    expect(JSON.stringify(made)).toBe(text);
  },
);

it('leaves fields and parts that LangChain encodes differently to LangChain', () => {
  const odd = [
    new HumanMessage({ content: 'x', ...{ someOther: 1 } }),
    new AIMessage({ content: 'x', additional_kwargs: { thing: { lc: 1, type: 'none' } } }),
  ];
  for (const message of odd) {
    const text = JSON.stringify(message);
    expect(revive(text, () => JSON.parse(text))).toBeUndefined();
  }
});
