import type { AIMessage } from '@langchain/core/messages';
import { ProviderId } from '../contract/app';
import { answeredBy } from './chat/answered-by';

/** Why the model stopped, in the provider's own word; null where its stream ended without saying. */
function stopReasonOf(message: AIMessage): string | null {
  const { additional_kwargs: extra, response_metadata: metadata } = message;
  const found: unknown[] = [
    extra.stop_reason,
    metadata.stop_reason,
    metadata.finish_reason,
    metadata.finishReason,
    metadata.done_reason,
    metadata.status,
  ];
  return found.find((reason): reason is string => typeof reason === 'string' && reason !== '') ?? null;
}

/**
 * True when the stream ended before the answer did and nothing else said so: the connection was closed in good order,
 * but the provider's closing events never came. Calls of such an answer may have half their arguments. `asked` is the
 * provider that was asked, where the message does not say who answered.
 */
export function isIncomplete(message: AIMessage, asked: ProviderId): boolean {
  const provider = ProviderId.safeParse(answeredBy(message)?.split(':')[0]).data ?? asked;
  switch (provider) {
    case 'offline':
      return false;
    case 'ollama':
      return message.response_metadata.done !== true;
    default:
      return stopReasonOf(message) === null;
  }
}

/** True when the model declined to answer; what it wrote, if anything, is in the message. */
export function isRefusal(message: AIMessage): boolean {
  // OpenAI puts the words of a refusal beside the answer, and ends it as usual.
  const { refusal } = message.additional_kwargs;
  if (typeof refusal === 'string' && refusal !== '') return true;
  const reason = stopReasonOf(message);
  return (
    reason !== null && /^(?:refusal|content_filter|SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII)$/u.test(reason)
  );
}
