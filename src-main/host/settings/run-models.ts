import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage } from '@langchain/core/messages';
import type { AppError, Result } from '../../contract/result';
import type { ModelCalls, PricedModel } from '../../models/model-call';

export interface ReadyModel extends PricedModel {
  chat: BaseChatModel;
  isIncomplete: (message: AIMessage) => boolean;
  explain: (error: unknown) => AppError;
}

/** Events of the models of one run. */
export interface ModelEvents {
  /** Called before each wait; `attempt` is the one that failed, from 1. */
  onRetry(attempt: number, waitMs: number, reason: AppError): void;
  onFallback(change: { from: string; to: string; reason: AppError }): void;
}

/** The models of one run of a thread. */
export interface RunModels {
  first: ReadyModel;
  /** Wraps every request of the run, by any agent. */
  calls: ModelCalls;
  /** Opens another model for a sub-agent. Errors: as `create`. */
  open(text: string): Promise<Result<ReadyModel>>;
  /** `provider:name` of a model opened here. */
  nameOf(chat: object): string;
}
