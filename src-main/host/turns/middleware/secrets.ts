import { type BaseMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { createMiddleware } from 'langchain';
import { englishForModel } from '../../../../src-renderer/i18n/english';
import { optional } from '../../../contract/shared/optional';
import { leave, type Remains, withRemains } from '../../../harness/agent/stopped';
import type { SecretGuard } from '../../project/access/secret-guard';
import { changeMessage, changeResult } from './message-texts';

/**
 * Redacts secrets before anything stores or sends results, so it is placed inside whatever journals, offloads or reports
 * them; requests are checked again when they are sent.
 */
export function createSecretsMiddleware(guard: SecretGuard) {
  const seen = new WeakMap<BaseMessage, { version: number; message: BaseMessage }>();
  const asSent = (message: BaseMessage): BaseMessage => {
    const known = seen.get(message);
    if (known?.version === guard.version) return known.message;
    const clean = changeMessage(message, (text) => guard.redact(text, {}));
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
        return changeResult(result, (text) => guard.redact(text, source));
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
