import { type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { Command, isCommand } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { englishForModel } from '../../../../src-renderer/i18n/english';
import { optional } from '../../../contract/shared/optional';
import { leave, type Remains, withRemains } from '../../../harness/agent/stopped';
import type { SecretGuard, SecretSource } from '../../project/secret-guard';

/**
 * Redacts secrets before anything stores or sends results, so it is placed inside whatever journals, offloads or reports
 * them; requests are checked again when they are sent. The model's own text stays unchanged: the model knows it, and
 * providers sign it.
 */
export function createSecretsMiddleware(guard: SecretGuard) {
  const seen = new WeakMap<BaseMessage, { version: number; message: BaseMessage }>();
  const asSent = (message: BaseMessage): BaseMessage => {
    const known = seen.get(message);
    if (known?.version === guard.version) return known.message;
    const clean = redactMessage(message, guard);
    // Set afterwards, so that secrets found now count as checked.
    seen.set(message, { version: guard.version, message: clean });
    return clean;
  };
  return createMiddleware({
    name: 'secrets',
    wrapToolCall: async (request, handler) => {
      const { name: tool, id = '', args } = request.toolCall;
      const restored = await guard.restore({ tool, args }, request.runtime.signal);
      if ('refusal' in restored)
        return new ToolMessage({
          content: `Error: ${englishForModel.sentences([restored.refusal])}`,
          status: 'error',
          name: tool,
          tool_call_id: id,
        });
      const path = typeof args.file_path === 'string' ? args.file_path : undefined;
      const source = { tool, callId: id, ...optional({ path }) };
      const remains: Remains = {};
      try {
        const result = await withRemains(remains, async () =>
          handler({ ...request, toolCall: { ...request.toolCall, args: restored.args } }),
        );
        return redactResult(result, guard, source);
      } catch (error) {
        // The output of a stopped call bypasses its result.
        const left = remains.text?.then((text) => (text === null ? null : guard.redact(text, source)));
        if (left !== undefined) leave(left);
        // An error message may quote what was read.
        if (error instanceof Error) error.message = guard.redact(error.message, source);
        throw error;
      }
    },
    wrapModelCall: (request, handler) => {
      const systemMessage = asSent(request.systemMessage);
      return handler({
        ...request,
        messages: request.messages.map(asSent),
        ...(SystemMessage.isInstance(systemMessage) ? { systemMessage } : {}),
      });
    },
  });
}

function redactResult(
  result: ToolMessage | Command,
  guard: SecretGuard,
  source: SecretSource,
): ToolMessage | Command {
  if (!isCommand(result)) return redactTool(result, guard, source);
  const { update, graph, goto, resume } = result;
  const entries: [string, unknown][] = Array.isArray(update)
    ? (update as [string, unknown][])
    : Object.entries(update ?? {});
  let changed = false;
  const next = entries.map(([key, value]): [string, unknown] => {
    if (key !== 'messages' || !Array.isArray(value)) return [key, value];
    const messages = value.map((message: unknown) =>
      ToolMessage.isInstance(message) ? redactTool(message, guard, source) : message,
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
function redactTool(message: ToolMessage, guard: SecretGuard, source: SecretSource): ToolMessage {
  const content = redactContent(message.content, guard, source);
  if (content === message.content) return message;
  const { tool_call_id, name, status, artifact, id, additional_kwargs } = message;
  return new ToolMessage({
    content,
    tool_call_id,
    additional_kwargs,
    ...optional({ name, status, artifact, id }),
  });
}

function redactMessage(message: BaseMessage, guard: SecretGuard): BaseMessage {
  if (ToolMessage.isInstance(message)) return redactTool(message, guard, {});
  const isSystem = SystemMessage.isInstance(message);
  if (!isSystem && !HumanMessage.isInstance(message)) return message;
  const content = redactContent(message.content, guard, {});
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

function redactContent(content: Content, guard: SecretGuard, source: SecretSource): Content {
  if (typeof content === 'string') return guard.redact(content, source);
  let changed = false;
  const blocks = content.map((block) => {
    if (block.type !== 'text' || typeof block.text !== 'string') return block;
    const text = guard.redact(block.text, source);
    if (text === block.text) return block;
    changed = true;
    return { ...block, text };
  });
  return changed ? blocks : content;
}
