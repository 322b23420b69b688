import type { BaseMessage } from '@langchain/core/messages';
import { wholeCharacters } from '../../base/whole-characters';

const known = new WeakMap<BaseMessage, BaseMessage>();

/**
 * The message without halves of characters. Services refuse a request whose JSON has one, and each later request of the thread,
 * too. Texts get them when they are cut between two UTF-16 units, and servers and models send some. Cached, since messages do
 * not change.
 */
export function wholeMessage<M extends BaseMessage>(message: M): M {
  const made = known.get(message) ?? copyOf(message);
  known.set(message, made);
  return made as M;
}

/** The same list if all of its messages are the same. */
export function wholeMessages(messages: BaseMessage[]): BaseMessage[] {
  return whole(messages, wholeMessage);
}

function copyOf(message: BaseMessage): BaseMessage {
  const { content, additional_kwargs, response_metadata } = message;
  const parts = {
    content,
    additional_kwargs,
    response_metadata,
    ...('tool_calls' in message && { tool_calls: message.tool_calls }),
  };
  const made = wholeValue(parts);
  return made === parts
    ? message
    : Object.assign(Object.create(Object.getPrototypeOf(message) as object), message, made);
}

function wholeValue<T>(value: T): T;
function wholeValue(value: unknown): unknown {
  if (typeof value === 'string') return wholeCharacters(value);
  if (Array.isArray(value)) return whole(value, wholeValue);
  if (value === null || typeof value !== 'object' || !isPlain(value)) return value;
  const entries = Object.entries(value);
  const made = whole(entries, (entry) => whole(entry, wholeValue) as [string, unknown]);
  return made === entries ? value : Object.fromEntries(made);
}

function whole<T>(list: T[], wholeOf: (one: T) => T): T[] {
  const made = list.map((one) => wholeOf(one));
  return made.some((one, at) => one !== list[at]) ? made : list;
}

const isPlain = (value: object): boolean => {
  const kind: unknown = Object.getPrototypeOf(value);
  return kind === Object.prototype || kind === null;
};
