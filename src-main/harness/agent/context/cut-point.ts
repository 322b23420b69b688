import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ConfigurationError } from '../../../base/configuration-error';
import { tokensOfMessage } from './tokens';

/** An amount: a fraction of the model's window, tokens, or messages. */
export type ContextSize = {
  /** The unit of `value`. */
  type: 'fraction' | 'tokens' | 'messages';
  /** From 0 to 1 for a fraction, else a whole number. As a trigger, 0 means: whenever a summary is shorter. */
  value: number;
};

/** Refuses a size that would never be reached, or always: `{ tokens: 4_000 }` is how LangChain's own middleware says it. */
export function checkSize(option: string, size: ContextSize): void {
  const { type, value } = size;
  const most = type === 'fraction' ? 1 : Number.MAX_VALUE;
  if (['fraction', 'tokens', 'messages'].includes(type) && value >= 0 && value <= most) return;
  throw new ConfigurationError(
    `${option} is ${JSON.stringify(size)}. Give it as { type: 'tokens', value: 4000 }, { type: 'messages', value: 50 }, or { type: 'fraction', value: 0.8 } of the model's window.`,
    'INVALID_CONTEXT_SIZE',
  );
}

/**
 * Index of the first message to keep so that the end of the list stays within `keep`; `from` if nothing can be removed.
 * Never separates a call from its results: a cut between them moves to before the call.
 */
export function cutPoint(
  messages: readonly BaseMessage[],
  from: number,
  keep: { tokens: number } | { messages: number },
): number {
  let cut = messages.length;
  if ('messages' in keep) cut = Math.max(from, messages.length - keep.messages);
  else {
    let used = 0;
    while (cut > from) {
      const message = messages[cut - 1];
      if (message === undefined) break;
      used += tokensOfMessage(message);
      // Always keep the last message, however large. Without it there is nothing to answer.
      if (used > keep.tokens && cut < messages.length) break;
      cut--;
    }
  }
  return beforeCall(messages, from, cut);
}

/** The nearest index at or before `cut` that does not separate results from their call. */
function beforeCall(messages: readonly BaseMessage[], from: number, cut: number): number {
  let at = cut;
  while (at > from && ToolMessage.isInstance(messages[at])) at--;
  if (at === cut) return at;
  // Results without a call stay where they are.
  return AIMessage.isInstance(messages[at]) ? at : cut;
}

/** Index of the person's last message, or -1. */
export function lastHuman(messages: readonly BaseMessage[]): number {
  return messages.findLastIndex(
    (message) => HumanMessage.isInstance(message) && message.additional_kwargs.lc_source === undefined,
  );
}
