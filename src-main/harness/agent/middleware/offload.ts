import type { BaseMessage } from '@langchain/core/messages';
import { Command } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { amount, checkOptions } from '../../../base/check-options';
import { type BackendFactory, resolveBackend } from '../../backends/backend-factory';
import type { BackendProtocol } from '../../backends/protocol';
import type { AnyBackend } from '../../backends/published-protocol';
import { HUMAN_TOKEN_LIMIT } from '../limits';
import { offloadedView, offloadHuman } from '../offload';
import { backendCheck } from '../option-checks';

/**
 * Replaces content saved in files with a reference to the file. It wraps summarization, so that unsent content does not
 * count.
 */
export function createOffloadMiddleware(options: {
  /** Where the files are saved. */
  backend: AnyBackend | BackendFactory;
  /** Tokens of a person's message; null: never. */
  humanLimit?: number | null;
}) {
  checkOptions('createOffloadMiddleware', options, { backend: backendCheck, humanLimit: amount }, [
    'backend',
  ]);
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

/** The messages to send, and the person's message if it was just saved to a file, for the state. */
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
