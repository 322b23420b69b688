import { BaseMessage, RemoveMessage } from '@langchain/core/messages';
import { MessagesValue, messagesStateReducer, ReducedValue } from '@langchain/langgraph';
import { optional } from '../../contract/shared/optional';

/** Messages in one write that are looked for in all of the list; more are left to LangGraph's own reducer. */
const FEW = 8;

/** Lists that came out of the reducer: all of their items are messages with ids. */
const clean = new WeakSet<readonly BaseMessage[]>();

type Messages = typeof messagesStateReducer;

/** As LangGraph's, which makes and checks all of the list again for each message that is added at its end. */
export const appendMessages: Messages = (left, right) => {
  const list = appended(left, right) ?? messagesStateReducer(left, right);
  clean.add(list);
  return list;
};

/** Null where it is not only new messages with ids after a list that is known to be clean. */
function appended(left: unknown, right: unknown): BaseMessage[] | null {
  if (!Array.isArray(left) || !clean.has(left)) return null;
  const list: BaseMessage[] = left;
  const more: unknown[] = Array.isArray(right) ? right : [right];
  if (more.length > FEW) return null;
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

/** The channel `messages` of an agent's state, in place of LangGraph's. */
export const messagesChannel = new ReducedValue(MessagesValue.valueSchema, {
  inputSchema: MessagesValue.inputSchema,
  reducer: appendMessages,
  ...optional({ jsonSchemaExtra: MessagesValue.jsonSchemaExtra }),
});
