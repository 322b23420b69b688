import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { AgentMiddleware } from 'langchain';

/** Between one agent and its models: counts usage, enforces ceilings, and falls back to other models. */
export interface ModelGate {
  /** Wraps each request of the agent, next to the model. */
  middleware: AgentMiddleware;
  /** A request outside the agent's loop, for a summary. Rejects as the model does. */
  invoke(
    model: BaseChatModel,
    messages: BaseMessage[],
    config: { signal?: AbortSignal; callbacks?: [] },
  ): Promise<AIMessage>;
}
