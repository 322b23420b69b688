import { type Loose, listOf, objectOf } from './loose';

/** The events of a message that a server with Anthropic's interface sent whole. */
export function messageEvents(value: Loose): readonly object[] {
  const { type, content, stop_reason, stop_sequence, usage, error } = value;
  if (error !== undefined && type !== 'error') return [{ type: 'error', error: errorOf(error) }];
  if (type !== 'message') return [value];
  const blocks = listOf(content).map(objectOf);
  return [
    { type: 'message_start', message: { ...value, content: [], stop_reason: null } },
    ...blocks.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ];
}

/** The events of a response that a server with OpenAI's Responses API sent whole. */
export function responseEvents(value: Loose): readonly object[] {
  if (value.object !== 'response') return [value];
  return [
    { type: 'response.created', response: value },
    { type: `response.${String(value.status ?? 'completed')}`, response: value },
  ];
}

export const geminiEvents = ({ error, ...value }: Loose): readonly object[] => [
  error === undefined ? value : { ...value, error: errorOf(error) },
];

/** Ollama's package reads every line's message, and an error only as text. */
export function ollamaEvents({ message, error, ...value }: Loose): readonly object[] {
  if (error !== undefined) return [{ ...value, error: String(errorOf(error).message) }];
  const { tool_calls: calls, ...rest } = objectOf(message);
  const named = listOf(calls).map(objectOf);
  return [
    { ...value, message: { content: '', ...rest, ...(named.length === 0 ? {} : { tool_calls: named }) } },
  ];
}

function errorOf(error: unknown): Loose {
  if (typeof error === 'string') return { message: error };
  const known = objectOf(error);
  return typeof known.message === 'string' ? known : { ...known, message: JSON.stringify(error) };
}
