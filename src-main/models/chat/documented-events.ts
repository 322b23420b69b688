import { randomUUID } from 'node:crypto';
import { type Loose, objectOf } from './loose';

/**
 * The events of a server that speaks Anthropic's Messages, in the shape that Anthropic documents. Other services and proxies
 * leave out the usage and the ids of calls, and send a call's input with its start, where the package does not read it.
 */
export async function* documentedEvents<E extends object>(events: AsyncIterable<E>): AsyncGenerator<E> {
  /** Inputs that came with the start of their block, by its index. */
  const early = new Map<unknown, string>();
  for await (const event of events) {
    const { type, index, delta } = event as Loose;
    if (type === 'content_block_delta' && objectOf(delta).type === 'input_json_delta') early.delete(index);
    if (type === 'content_block_stop' || type === 'message_delta') {
      for (const [block, json] of early) yield inputPart(block, json) as E;
      early.clear();
    }
    const block = type === 'content_block_start' ? objectOf((event as Loose).content_block) : {};
    if (block.type === 'tool_use') {
      const input = inputOf(block.input);
      if (input !== '') early.set(index, input);
    }
    yield documented(event);
  }
}

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
