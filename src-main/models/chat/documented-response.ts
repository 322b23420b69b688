import type { OpenAIClient } from '@langchain/openai';
import { ArgumentText, jsonText } from './argument-text';
import { type Loose, listOf, objectOf } from './loose';
import { reportedError } from './reported-error';

type Event = OpenAIClient.Responses.ResponseStreamEvent;

/** An item of the answer, as far as its events came. */
interface Item {
  type: 'message' | 'reasoning' | 'function_call' | 'other';
  /** Its index among the items. Not every server gives one. */
  place: number;
  /** The event with which it starts came. */
  isAdded: boolean;
  /** Some of its text came. */
  hasText: boolean;
  args: ArgumentText;
}

/**
 * The events of a server with OpenAI's Responses API, each part of the answer exactly once. The package reads only the events
 * with which the parts grow. Servers leave these out and send parts only when they are done, or the whole answer at the end.
 * Throws what a server reports in place of an answer.
 */
export async function* documentedResponse(events: AsyncIterable<object>): AsyncGenerator<Event> {
  const items = new Map<unknown, Item>();
  for await (const given of events as AsyncIterable<Loose>) {
    throwReported(given);
    for (const event of documented(given, items)) yield event as object as Event;
  }
}

function throwReported({ type, response, ...event }: Loose): void {
  if (type !== 'error' && type !== 'response.failed' && type !== 'response.cancelled') return;
  const error = objectOf(type === 'error' ? (event.error ?? event) : objectOf(response).error);
  throw reportedError(error.message ?? 'The service ended the answer.', error.code ?? 'server_error');
}

function documented(event: Loose, items: Map<unknown, Item>): Loose[] {
  const { type } = event;
  const itemAt = (kind: Item['type']): Item => {
    const key = event.output_index ?? event.item_id ?? objectOf(event.item).id;
    const item = items.get(key) ?? newItem(kind, items.size);
    items.set(key, item);
    return item;
  };
  switch (type) {
    case 'response.output_item.added': {
      const given = objectOf(event.item);
      const item = itemAt(typeOf(given));
      item.isAdded = true;
      // The arguments follow, or come again when the item is done.
      if (item.type !== 'function_call') return [event];
      return [{ ...event, output_index: item.place, item: { ...given, arguments: '' } }];
    }
    case 'response.function_call_arguments.delta': {
      const item = itemAt('function_call');
      item.hasText ||= event.delta !== '';
      return [{ ...event, output_index: item.place, delta: item.args.take(jsonText(event.delta)) }];
    }
    case 'response.output_text.delta':
    case 'response.refusal.done':
      itemAt('message').hasText ||= event.delta !== '';
      return [event];
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_summary_part.added':
      itemAt('reasoning').hasText = true;
      return [event];
    case 'response.output_item.done': {
      const given = objectOf(event.item);
      return [...missing(itemAt(typeOf(given)), given), event];
    }
    case 'response.completed':
    case 'response.incomplete': {
      const response = objectOf(event.response);
      const output = listOf(response.output).map(objectOf);
      const whole = { ...response, output: output.map(withLists) };
      return [...missingAtEnd(output, items), { ...event, response: whole }];
    }
    default:
      return [event];
  }
}

/** A server may count the items of the whole answer in another way, but their order is the same. */
function missingAtEnd(output: readonly Loose[], items: Map<unknown, Item>): Loose[] {
  const left = [...items.values()];
  return output.flatMap((given, index) => {
    const type = typeOf(given);
    const at = left.findIndex((item) => item.type === type);
    const [item = newItem(type, items.size + index)] = at === -1 ? [] : left.splice(at, 1);
    return missing(item, given);
  });
}

/** Events for what did not come of an item that is done. */
function missing(item: Item, given: Loose): Loose[] {
  const { place: output_index } = item;
  const { id: item_id } = given;
  const events: Loose[] = [];
  const add = (type: string, more: Loose) =>
    events.push({ type: `response.${type}`, item_id, output_index, ...more });
  if (item.type === 'function_call') {
    if (!item.isAdded) add('output_item.added', { item: { ...given, arguments: '' } });
    const delta = (item.hasText ? '' : item.args.take(jsonText(given.arguments))) + item.args.end();
    if (delta !== '') add('function_call_arguments.delta', { delta });
  }
  if (item.type === 'reasoning' && !item.isAdded && !item.hasText) {
    add('output_item.added', { item: given });
  }
  if (item.type === 'message' && !item.hasText) {
    for (const [content_index, part] of listOf(given.content).map(objectOf).entries()) {
      const { type, text, refusal } = part;
      if (type === 'output_text') add('output_text.delta', { content_index, delta: text });
      if (type === 'refusal') add('refusal.done', { content_index, refusal });
    }
  }
  item.isAdded = true;
  item.hasText = true;
  return events;
}

/** The package reads these lists even if a server leaves them out. */
function withLists(item: Loose): Loose {
  if (item.type === 'reasoning') return { ...item, summary: listOf(item.summary) };
  if (item.type !== 'message') return item;
  const content = listOf(item.content).map(objectOf);
  return { ...item, content: content.map((part) => ({ ...part, annotations: listOf(part.annotations) })) };
}

const typeOf = ({ type }: Loose): Item['type'] =>
  type === 'message' || type === 'reasoning' || type === 'function_call' ? type : 'other';

const newItem = (type: Item['type'], place: number): Item => ({
  type,
  place,
  isAdded: false,
  hasText: false,
  args: new ArgumentText(),
});
