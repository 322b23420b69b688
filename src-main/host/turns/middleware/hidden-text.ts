import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import { createMiddleware } from 'langchain';
import { withoutHiddenText } from '../../../base/hidden-text';
import { changeMessage, changeResult } from './message-texts';

/**
 * Shows the model no text that the person cannot see, whoever brings it: files, commands, MCP servers, instructions, skills,
 * attachments, pasted text. Results are changed before anything stores them, so that the person sees the same note.
 */
export function createHiddenTextMiddleware() {
  const seen = new WeakMap<BaseMessage, BaseMessage>();
  const asSent = (message: BaseMessage): BaseMessage => {
    const known = seen.get(message);
    if (known !== undefined) return known;
    const clean = changeMessage(message, withoutHiddenText);
    seen.set(message, clean);
    return clean;
  };
  return createMiddleware({
    name: 'hiddenText',
    wrapToolCall: async (request, handler) => changeResult(await handler(request), withoutHiddenText),
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
