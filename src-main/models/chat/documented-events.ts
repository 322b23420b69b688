import { randomUUID } from 'node:crypto';
import { ArgumentText, argumentsOf, jsonText } from './argument-text';
import { type Loose, objectOf } from './loose';

/**
 * The events of a server that speaks Anthropic's Messages, in the shape that Anthropic documents. Other services and proxies
 * leave out the usage and the ids of calls, count the input only at the end, and send a call's input with its start or as text.
 */
export async function* documentedEvents<E extends object>(events: AsyncIterable<E>): AsyncGenerator<E> {
  /** Inputs that came with the start of their block, by its index. */
  const early = new Map<unknown, string>();
  const texts = new Map<unknown, ArgumentText>();
  let input = 0;
  for await (const event of events) {
    const { type, index, delta, message, usage } = event as Loose;
    if (type === 'message_start') input = inputTokensOf(objectOf(message).usage);
    if (type === 'message_delta' && input === 0 && inputTokensOf(usage) > 0) {
      // The package reads them only at the start.
      yield {
        type: 'message_start',
        message: { content: [], usage: { ...objectOf(usage), output_tokens: 0 } },
      } as E;
    }
    if (type === 'content_block_delta' && objectOf(delta).type === 'input_json_delta') {
      early.delete(index);
      const text = texts.get(index) ?? new ArgumentText();
      texts.set(index, text);
      yield inputPart(index, text.take(jsonText(objectOf(delta).partial_json))) as E;
      continue;
    }
    if (type === 'content_block_stop' || type === 'message_delta') {
      for (const [block, json] of early) yield inputPart(block, argumentsOf(json)) as E;
      for (const [block, text] of texts) {
        const rest = text.end();
        if (rest !== '') yield inputPart(block, rest) as E;
      }
      early.clear();
      texts.clear();
    }
    const block = type === 'content_block_start' ? objectOf((event as Loose).content_block) : {};
    if (block.type === 'tool_use') {
      const input = inputOf(block.input);
      if (input !== '') early.set(index, input);
    }
    yield documented(event);
  }
}

const inputTokensOf = (usage: unknown): number => Number(objectOf(usage).input_tokens ?? 0);

const inputPart = (index: unknown, json: string): Loose => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json: json },
});

function documented<E extends object>(event: E): E {
  const { type, message, usage, content_block: block } = event as Loose;
  switch (type) {
    case 'message_start': {
      const { usage: given, ...rest } = objectOf(message);
      return {
        ...event,
        message: { ...rest, usage: { input_tokens: 0, output_tokens: 0, ...objectOf(given) } },
      };
    }
    case 'message_delta':
      return { ...event, usage: { output_tokens: 0, ...objectOf(usage) } };
    case 'content_block_start': {
      const { id, ...rest } = objectOf(block);
      if (rest.type !== 'tool_use' || (typeof id === 'string' && id !== '')) return event;
      return { ...event, content_block: { ...rest, id: `toolu_${randomUUID().replaceAll('-', '')}` } };
    }
    default:
      return event;
  }
}

/** JSON; empty if nothing was sent. */
function inputOf(input: unknown): string {
  if (typeof input === 'string') return input;
  return Object.keys(objectOf(input)).length === 0 ? '' : JSON.stringify(input);
}
