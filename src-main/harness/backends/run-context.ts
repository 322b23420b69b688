import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import type { BaseStore } from '@langchain/langgraph-checkpoint';

/** The parts of a LangGraph run that a call in it can read. */
export interface RunContext {
  /** `configurable` of the run's configuration, such as `thread_id`. */
  configurable: Readonly<Record<string, unknown>>;
  /** `metadata` of the run's configuration. */
  metadata: Readonly<Record<string, unknown>>;
  /** The run's assistant, if it is served as one. */
  assistantId: string | undefined;
}

/** Also has what LangGraph passes to a node. Names with an underscore come from LangGraph for Python. */
export interface NodeContext extends RunContext {
  /** The state that the step received. */
  state: unknown;
  /** The same two, as LangGraph nests them. */
  config: { configurable: Readonly<Record<string, unknown>>; metadata: Readonly<Record<string, unknown>> };
  /** The `context` that the run started with. */
  context: unknown;
  /** LangGraph's, such as the attempt. Undefined outside a node. */
  executionInfo: unknown;
  /** The same as `executionInfo`. */
  execution_info: unknown;
  /** LangGraph's, if a server runs the graph. */
  serverInfo: unknown;
  /** The same as `serverInfo`. */
  server_info: unknown;
}

const runConfig = () => AsyncLocalStorageProviderSingleton.getRunnableConfig();

export function runContext(): RunContext {
  return contextIn(runConfig());
}

/** `config`: the configuration of a run, or what a program received of it. */
function contextIn(config: { configurable?: unknown; metadata?: unknown } | undefined): RunContext {
  const [configurable, metadata] = [fieldsOf(config?.configurable), fieldsOf(config?.metadata)];
  const assistantId = [metadata.assistant_id, configurable.assistant_id].find(
    (id): id is string => typeof id === 'string' && id !== '',
  );
  return { configurable, metadata, assistantId };
}

/** `given`: state and configuration that replace the run's. */
export function nodeContext(given?: {
  state?: unknown;
  config?: unknown;
  assistantId?: unknown;
}): NodeContext {
  const config = fieldsOf(given?.config ?? runConfig());
  const run = contextIn(config);
  const pad = fieldsOf(run.configurable.__pregel_scratchpad);
  const told =
    typeof given?.assistantId === 'string' && given.assistantId !== '' ? given.assistantId : undefined;
  return {
    ...run,
    assistantId: run.assistantId ?? told,
    state: given?.state ?? pad.currentTaskInput,
    config: { configurable: run.configurable, metadata: run.metadata },
    context: config.context,
    executionInfo: config.executionInfo,
    execution_info: config.executionInfo,
    serverInfo: config.serverInfo,
    server_info: config.serverInfo,
  };
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** A function that LangGraph puts into a run's configuration, or null outside a run. */
export function runFunction(name: string): ((...args: unknown[]) => unknown) | null {
  const found: unknown = runConfig()?.configurable?.[name];
  return typeof found === 'function' ? (...args) => found(...args) as unknown : null;
}

/** The store that the graph was compiled with. */
export function runStore(): BaseStore | null {
  const config: unknown = runConfig();
  if (typeof config !== 'object' || config === null || !('store' in config)) return null;
  const { store } = config;
  // LangGraph passes runs a wrapper that batches single calls, but lacks its own batch and hides indexes.
  if (isStore(store) && 'store' in store && isStore(store.store)) return store.store;
  return isStore(store) ? store : null;
}

const isStore = (value: unknown): value is BaseStore =>
  typeof value === 'object' && value !== null && 'batch' in value && typeof value.batch === 'function';
