import type { AIMessage } from '@langchain/core/messages';
import type { ProviderId } from '../contract/app';

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
 * but the provider's closing events never came. Calls of such an answer may have half their arguments.
 */
export function isIncomplete(message: AIMessage, provider: ProviderId): boolean {
  switch (provider) {
    case 'offline':
      return false;
    case 'ollama':
      return message.response_metadata.done !== true;
    case 'google-genai':
      // The package drops a last chunk that holds nothing but the reason. Calls come whole, so an answer is lost only
      // where there is none.
      return stopReasonOf(message) === null && message.text === '' && (message.tool_calls ?? []).length === 0;
    case 'anthropic':
    case 'openai':
    case 'openai-compatible':
      return stopReasonOf(message) === null;
    default:
      return provider satisfies never;
  }
}

/** True when the model declined to answer; what it wrote, if anything, is in the message. */
export function isRefusal(message: AIMessage): boolean {
  const reason = stopReasonOf(message);
  return (
    reason !== null && /^(?:refusal|content_filter|SAFETY|PROHIBITED_CONTENT|BLOCKLIST|SPII)$/u.test(reason)
  );
}
