import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseMessage } from '@langchain/core/messages';
import type { FileData, FilesUpdate } from '../../backends/protocol';
import { keptTokens } from './budget';
import type { Compaction } from './compaction';
import { ContextKeeper, type ContextState, type SummarizationOptions } from './keeper';
import { tokensOfMessages } from './tokens';

/** Share of the view to keep when the person asks for a compaction, if it is less than the usual amount. */
const KEPT = 0.25;
/** Tokens below which a summary would be as long as the original. */
const LEAST = 400;

/** The thread's files outside a run. */
export interface Files {
  /** All files, by path. */
  read(): Record<string, FileData>;
  /** Saves changes. Null deletes a file. */
  send(update: FilesUpdate): void;
}

/** The methods of a compiled LangGraph graph that reading and changing a thread needs. */
export interface Graph {
  /** The thread's state. */
  getState(config: { configurable: { thread_id: string } }): Promise<{ values: unknown }>;
  /** Saves a new checkpoint with these values. */
  updateState(
    config: { configurable: { thread_id: string } },
    values: Record<string, unknown>,
  ): Promise<unknown>;
}

/**
 * Compacts an idle thread on the person's request: everything but the end of the conversation, however much space is left.
 * Returns null if nothing is worth compacting. Rejects with the model's error or the signal's reason, and then changes
 * nothing.
 */
export async function compactThread(options: {
  /** The agent's graph, such as `agent.graph`, with its checkpointer. */
  graph: Graph;
  threadId: string;
  /** Creates a backend for the archive over the thread's own files. */
  backendOver: (files: Files) => SummarizationOptions['backend'];
  /** The options of the thread's summarization, with the model that writes the summary. */
  context: Omit<SummarizationOptions, 'backend' | 'model'> & { model: BaseChatModel };
  /** Tokens of the whole last request; 0 if unknown. */
  lastRequest: number;
  /** Aborting it cancels until the summary is saved. */
  signal: AbortSignal;
}): Promise<Compaction | null> {
  const { graph, threadId, context, signal } = options;
  const config = { configurable: { thread_id: threadId } };
  const { values } = await graph.getState(config);
  const state = values as Partial<ContextState> & { files?: Record<string, FileData> };
  const files: Record<string, FileData> = state.files ?? {};
  const written: FilesUpdate = {};
  const backend = options.backendOver({
    read: () => files,
    send: (update) => void Object.assign(written, update),
  });
  const messages: BaseMessage[] = state.messages ?? [];
  const keeper = new ContextKeeper({ ...context, backend });
  const recovered = await keeper.recover({ ...state, messages });
  const held: ContextState = {
    ...state,
    messages,
    _compactions: [...(state._compactions ?? []), ...recovered],
  };
  const budget = keeper.budgetOf(context.model);
  const shown = tokensOfMessages(keeper.shown(held, budget));
  if (shown < LEAST) return null;
  const made = await keeper.compact(
    held,
    { model: context.model, fixed: Math.max(0, options.lastRequest - shown), signal },
    {
      budget: {
        ...budget,
        keep: { type: 'tokens', value: Math.min(keptTokens(budget.keep, budget.window), shown * KEPT) },
      },
      compaction: keeper.current(held),
      cause: 'person',
      cut: held._argumentsCut,
    },
  );
  if (made === null && recovered.length === 0) return null;
  signal.throwIfAborted();
  await graph.updateState(config, {
    _compactions: made === null ? recovered : [...recovered, made],
    files: written,
  });
  return made;
}
