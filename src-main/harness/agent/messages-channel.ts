import { BaseMessage, RemoveMessage } from '@langchain/core/messages';
import { MessagesValue, messagesStateReducer, ReducedValue } from '@langchain/langgraph';
import { optional } from '../../contract/shared/optional';

/** Up to this many messages per write are searched for in the whole list. Larger writes go to LangGraph's own reducer. */
const MAX_SEARCHED = 8;

/** Lists that the reducer returned. All of their items are messages with ids. */
const clean = new WeakSet<readonly BaseMessage[]>();

type Messages = typeof messagesStateReducer;

/** Works like LangGraph's reducer, which rebuilds and checks the whole list for each message added at its end. */
export const appendMessages: Messages = (left, right) => {
  const list = appended(left, right) ?? messagesStateReducer(left, right);
  clean.add(list);
  return list;
};

/** A list that was read from a checkpoint is not known, but clean as well. */
const isClean = (list: unknown[]): list is BaseMessage[] =>
  clean.has(list as BaseMessage[]) ||
  list.every((one) => BaseMessage.isInstance(one) && typeof one.id === 'string');

/** Null unless the write only appends new messages with ids to a clean list. */
function appended(left: unknown, right: unknown): BaseMessage[] | null {
  if (!Array.isArray(left) || !isClean(left)) return null;
  const list = left;
  const more: unknown[] = Array.isArray(right) ? right : [right];
  if (more.length > MAX_SEARCHED) return null;
  const ids = new Set<string>();
  const added: BaseMessage[] = [];
  for (const message of more) {
    if (!BaseMessage.isInstance(message) || RemoveMessage.isInstance(message)) return null;
    const { id } = message;
    if (typeof id !== 'string' || ids.has(id)) return null;
    ids.add(id);
    added.push(message);
  }
  return list.some(({ id }) => id === undefined || ids.has(id)) ? null : [...list, ...added];
}

/** The `messages` channel of an agent's state, replacing LangGraph's. */
export const messagesChannel = new ReducedValue(MessagesValue.valueSchema, {
  inputSchema: MessagesValue.inputSchema,
  reducer: appendMessages,
  ...optional({ jsonSchemaExtra: MessagesValue.jsonSchemaExtra }),
});
