import type { BaseMessage } from '@langchain/core/messages';
import type { AgentMiddleware } from 'langchain';
import { KEEP_UNKNOWN, keptTokens } from './budget';
import { compactionOf, newestOf, type SummarizationEvent } from './compaction';
import type { ContextKeeper, ContextState } from './keeper';
import { cutBefore, DEFAULT_CUT, viewOf } from './view';

const keepers = new WeakMap<object, ContextKeeper>();

export function noteKeeper<M extends object>(middleware: M, keeper: ContextKeeper): M {
  keepers.set(middleware, keeper);
  return middleware;
}

/** The one that shows an agent with this middleware its messages; undefined if others do. */
export const keeperAmong = (middleware: readonly AgentMiddleware[]): ContextKeeper | undefined =>
  middleware.map((one) => keepers.get(one)).findLast((keeper) => keeper !== undefined);

/** What a model sees of a thread: the last summary and the messages after it. Without a keeper, by our defaults. */
export function effectiveMessages(
  held: ContextState & { _summarizationEvent?: SummarizationEvent },
  keeper?: ContextKeeper,
): BaseMessage[] {
  if (keeper !== undefined) return keeper.effective(held);
  const { messages, _compactions, _argumentsCut, _summarizationEvent: event } = held;
  const ours = newestOf(_compactions, messages);
  return viewOf(messages, {
    compaction: compactionOf(event, messages, ours) ?? ours,
    argumentsCutBefore: cutBefore(messages, _argumentsCut),
    argumentCut: DEFAULT_CUT,
    pinned: new Set(),
    keepTokens: keptTokens(KEEP_UNKNOWN, undefined),
  });
}
