import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { AgentMiddleware } from 'langchain';

/** What stands between one agent and its models: it counts, stops before too much is spent, and asks others in need. */
export interface ModelGate {
  /** Around each request of the agent, next to the model. */
  middleware: AgentMiddleware;
  /** A request beside the agent's own loop, for a summary. Rejects as the model does. */
  invoke(
    model: BaseChatModel,
    messages: BaseMessage[],
    config: { signal?: AbortSignal; callbacks?: [] },
  ): Promise<AIMessage>;
}
