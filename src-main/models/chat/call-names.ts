import { createHash } from 'node:crypto';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { optional } from '../../contract/shared/optional';
import type { Dialect } from './media';

/** The names and ids of calls that a wire format accepts. One outside of this makes a service refuse the whole request. */
const ACCEPTED: Readonly<Record<Dialect, { name: RegExp; id: RegExp }>> = {
  anthropic: { name: /^[\w-]{1,128}$/, id: /^[\w-]{1,64}$/ },
  'openai-chat': { name: /^[\w-]{1,64}$/, id: /^.{1,40}$/su },
  'openai-responses': { name: /^[\w-]{1,64}$/, id: /^.{1,64}$/su },
  google: { name: /^[a-zA-Z_][\w.:-]{0,127}$/, id: /^/ },
  ollama: { name: /^/, id: /^/ },
};

/** The longest name that every format accepts. */
const MAX_NAME = 64;

/**
 * Calls and their results with names and ids that the format accepts. A model may invent a name (`functions.ls`, `run it!`),
 * and other services give ids of other forms. The same name or id always becomes the same one.
 */
export function withAcceptedCalls<M extends BaseMessage>(
  dialect: Dialect,
  message: M,
): M | AIMessage | ToolMessage {
  const accepted = ACCEPTED[dialect];
  const nameOf = (name: string) => (accepted.name.test(name) ? name : plainName(name));
  const idOf = (id: string) => (accepted.id.test(id) ? id : `call_${digest(id)}`);
  if (ToolMessage.isInstance(message)) {
    const { name, tool_call_id: id } = message;
    const isKept = idOf(id) === id && (name === undefined || nameOf(name) === name);
    return isKept
      ? message
      : new ToolMessage({
          content: message.content,
          tool_call_id: idOf(id),
          additional_kwargs: message.additional_kwargs,
          ...optional({
            id: message.id,
            name: name === undefined ? name : nameOf(name),
            status: message.status,
          }),
        });
  }
  if (!AIMessage.isInstance(message)) return message;
  const calls = message.tool_calls ?? [];
  if (calls.every(({ name, id = '' }) => nameOf(name) === name && idOf(id) === id)) return message;
  return new AIMessage({
    content: message.content,
    tool_calls: calls.map((call) => ({ ...call, name: nameOf(call.name), id: idOf(call.id ?? '') })),
    additional_kwargs: message.additional_kwargs,
    response_metadata: message.response_metadata,
    ...optional({ id: message.id, name: message.name }),
  });
}

function plainName(name: string): string {
  const plain = name.replaceAll(/[^\w-]/g, '_').slice(0, MAX_NAME);
  return /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`.slice(0, MAX_NAME);
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);
