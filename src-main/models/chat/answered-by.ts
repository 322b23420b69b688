import type { AIMessage } from '@langchain/core/messages';

/** Key in a message's metadata. */
export const ANSWERED_BY = 'deepdesk_model';

/** `provider:name` of the model that answered, possibly a fallback; null if it was not one of ours. */
export function answeredBy(message: Pick<AIMessage, 'response_metadata'>): string | null {
  const model: unknown = message.response_metadata[ANSWERED_BY];
  return typeof model === 'string' ? model : null;
}
