import type { AIMessage } from '@langchain/core/messages';

/** Key in a message's metadata. */
export const ANSWERED_BY = 'deepdesk_model';

/** `provider:name` of the model that gave an answer, which may be a fall-back; null where no model of ours did. */
export function answeredBy(message: Pick<AIMessage, 'response_metadata'>): string | null {
  const model: unknown = message.response_metadata[ANSWERED_BY];
  return typeof model === 'string' ? model : null;
}
