import type { AIMessage } from '@langchain/core/messages';
import { ProviderId } from '../contract/app';
import { answeredBy } from './chat/answered-by';

/** The provider's stop reason; null if its stream ended without one. */
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

/** Why the Responses API ended an answer early, whose status only says that it did. */
function earlyEndOf({ response_metadata: metadata }: AIMessage): string | undefined {
  const { incomplete_details: details } = metadata as { incomplete_details?: { reason?: string } | null };
  return details?.reason;
}

/**
 * Whether the stream ended before the answer did without an error: the connection closed normally, but the provider's final
 * events never came. Calls of such an answer may have incomplete arguments. `asked` is the requested provider, if the
 * message does not name its own.
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

/** Whether the model declined to answer. Its text, if any, is in the message. */
export function isRefusal(message: AIMessage): boolean {
  // OpenAI puts the text of a refusal beside the answer, and ends it normally.
  const { refusal } = message.additional_kwargs;
  if (typeof refusal === 'string' && refusal !== '') return true;
  const reason = earlyEndOf(message) ?? stopReasonOf(message);
  return (
    reason !== null &&
    /^(?:refusal|content_filter|SAFETY|RECITATION|LANGUAGE|PROHIBITED_CONTENT|BLOCKLIST|SPII)$/u.test(reason)
  );
}

/** Whether the answer ended early because it reached the maximum length of an answer, or the context window. */
export function isCutAtLimit(message: AIMessage): boolean {
  const reason = earlyEndOf(message) ?? stopReasonOf(message);
  return (
    reason !== null &&
    /^(?:max_tokens|max_output_tokens|MAX_TOKENS|length|model_context_window_exceeded)$/u.test(reason)
  );
}
