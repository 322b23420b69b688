import type { RunnableConfig } from '@langchain/core/runnables';
import { createAgent } from 'langchain';

export type AgentOptions = Parameters<typeof createAgent>[0];

const made = (options: AgentOptions) => createAgent(options);
type Agent = ReturnType<typeof made>;

let ReactAgent: (new (options: AgentOptions, config: RunnableConfig) => Agent) | undefined;

/**
 * Creates an agent with a configuration for all of its runs. LangChain exports the class only as a type, and its
 * `withConfig` builds the whole graph a second time.
 */
export function createAgentWith(options: AgentOptions, config: RunnableConfig): Agent {
  ReactAgent ??= createAgent({ model: options.model }).constructor as typeof ReactAgent & {};
  return new ReactAgent(options, config);
}
