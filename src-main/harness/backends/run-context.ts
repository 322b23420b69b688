import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import type { BaseStore } from '@langchain/langgraph-checkpoint';

/** What a call can know of the LangGraph run in which it happens. */
export interface RunContext {
  configurable: Readonly<Record<string, unknown>>;
  metadata: Readonly<Record<string, unknown>>;
  /** The assistant the run belongs to, where it is served as one. */
  assistantId: string | undefined;
}

const runConfig = () => AsyncLocalStorageProviderSingleton.getRunnableConfig();

export function runContext(): RunContext {
  const config = runConfig();
  const metadata = config?.metadata ?? {};
  const { assistant_id: assistantId } = metadata;
  return {
    configurable: config?.configurable ?? {},
    metadata,
    assistantId: typeof assistantId === 'string' ? assistantId : undefined,
  };
}

/** A function LangGraph puts into a run's configuration, or null outside a run. */
export function runFunction(name: string): ((...args: unknown[]) => unknown) | null {
  const found: unknown = runConfig()?.configurable?.[name];
  return typeof found === 'function' ? (...args) => found(...args) as unknown : null;
}

/** The store that the graph was compiled with. */
export function runStore(): BaseStore | null {
  const config: unknown = runConfig();
  if (typeof config !== 'object' || config === null || !('store' in config)) return null;
  const { store } = config;
  // LangGraph hands runs a wrapper that joins single calls, but has no batch of its own and hides indexes.
  if (isStore(store) && 'store' in store && isStore(store.store)) return store.store;
  return isStore(store) ? store : null;
}

const isStore = (value: unknown): value is BaseStore =>
  typeof value === 'object' && value !== null && 'batch' in value && typeof value.batch === 'function';
