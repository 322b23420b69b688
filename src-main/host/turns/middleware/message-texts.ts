import { type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { Command, isCommand } from '@langchain/langgraph';
import { optional } from '../../../contract/shared/optional';

/** Changes one text. Returns the same string if there is nothing to change. */
export type ChangeText = (text: string) => string;

/** A call's result with changed texts. */
export function changeResult(result: ToolMessage | Command, change: ChangeText): ToolMessage | Command {
  if (!isCommand(result)) return changeToolMessage(result, change);
  const { update, graph, goto, resume } = result;
  const entries: [string, unknown][] = Array.isArray(update)
    ? (update as [string, unknown][])
    : Object.entries(update ?? {});
  let changed = false;
  const next = entries.map(([key, value]): [string, unknown] => {
    if (key !== 'messages' || !Array.isArray(value)) return [key, value];
    const messages = value.map((message: unknown) =>
      ToolMessage.isInstance(message) ? changeToolMessage(message, change) : message,
    );
    changed ||= messages.some((message, index) => message !== value[index]);
    return [key, messages];
  });
  if (!changed) return result;
  return new Command({
    update: Array.isArray(update) ? next : Object.fromEntries(next),
    ...optional({ graph, goto, resume }),
  });
}

/** Creates a new message if anything changed: the old one holds its text in several places. */
function changeToolMessage(message: ToolMessage, change: ChangeText): ToolMessage {
  const content = changeContent(message.content, change);
  if (content === message.content) return message;
  const { tool_call_id, name, status, artifact, id, additional_kwargs } = message;
  return new ToolMessage({
    content,
    tool_call_id,
    additional_kwargs,
    ...optional({ name, status, artifact, id }),
  });
}

/** A message for the model with changed texts. The model's own stay unchanged: it knows them, and providers sign them. */
export function changeMessage(message: BaseMessage, change: ChangeText): BaseMessage {
  if (ToolMessage.isInstance(message)) return changeToolMessage(message, change);
  const isSystem = SystemMessage.isInstance(message);
  if (!isSystem && !HumanMessage.isInstance(message)) return message;
  const content = changeContent(message.content, change);
  if (content === message.content) return message;
  const { id, name, additional_kwargs, response_metadata } = message;
  const fields = {
    content,
    additional_kwargs,
    response_metadata,
    ...optional({ id, name }),
  };
  return isSystem ? new SystemMessage(fields) : new HumanMessage(fields);
}

type Content = BaseMessage['content'];

function changeContent(content: Content, change: ChangeText): Content {
  if (typeof content === 'string') return change(content);
  let changed = false;
  const blocks = content.map((block) => {
    if (block.type !== 'text' || typeof block.text !== 'string') return block;
    const text = change(block.text);
    if (text === block.text) return block;
    changed = true;
    return { ...block, text };
  });
  return changed ? blocks : content;
}
