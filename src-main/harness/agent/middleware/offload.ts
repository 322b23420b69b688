import type { BaseMessage } from '@langchain/core/messages';
import { Command } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { type AnyBackend, type BackendFactory, resolveBackend } from '../../backends/adapt';
import type { BackendProtocol } from '../../backends/protocol';
import { HUMAN_TOKEN_LIMIT } from '../limits';
import { offloadedView, offloadHuman } from '../offload';

/**
 * Shows the model what is kept in files by name instead of word for word. Around summarization, so that this does not
 * count what is not sent.
 */
export function createOffloadMiddleware(options: {
  backend: AnyBackend | BackendFactory;
  /** Tokens of a message of the person's; null: never. */
  humanLimit?: number | null;
}) {
  const backend = resolveBackend(options.backend);
  const { humanLimit = HUMAN_TOKEN_LIMIT } = options;
  return createMiddleware({
    name: 'offload',
    wrapModelCall: async (request, handler) => {
      const seen = await seenBy(request.messages, backend, humanLimit);
      const answer = await handler({ ...request, messages: seen.messages });
      return seen.evicted === null ? answer : new Command({ update: { messages: [seen.evicted] } });
    },
  });
}

/** The messages as they are sent, and the person's message that was noted to be in a file now, for the state. */
export async function seenBy(
  messages: BaseMessage[],
  backend: BackendProtocol,
  humanLimit: number | null,
): Promise<{ messages: BaseMessage[]; evicted: BaseMessage | null }> {
  const evicted = humanLimit === null ? null : await offloadHuman(messages, backend, humanLimit);
  const all =
    evicted === null ? messages : messages.map((message) => (message.id === evicted.id ? evicted : message));
  return { messages: offloadedView(all), evicted };
}
