import type { RunnableConfig } from '@langchain/core/runnables';
import type { CheckpointMetadata } from '@langchain/langgraph-checkpoint';

/** The channel with a run's input. createAgent adds everything that the thread already holds. */
export const INPUT = '__start__';

/** A value of `config.configurable` that must be a text; null if it is none. */
export const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The thread and namespace of a config. */
export function place(config: RunnableConfig): { threadId: string | null; ns: string } {
  return {
    threadId: text(config.configurable?.thread_id),
    ns: text(config.configurable?.checkpoint_ns) ?? '',
  };
}

/** How many checkpoints back the writes of a delta channel are still needed. */
export function reachOf(metadata: CheckpointMetadata): number {
  const counters = Object.values(metadata.counters_since_delta_snapshot ?? {});
  return Math.max(0, ...counters.map(([, supersteps]) => supersteps + 1));
}
