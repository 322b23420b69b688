import {
  anyText,
  type Checks,
  checkOptions,
  either,
  flag,
  func,
  listOf,
  mustBe,
  withMethod,
  withoutNulls,
} from '../../base/check-options';
import { ConfigurationError } from '../../base/configuration-error';
import { rulesCheck } from '../backends/policy/permissions';
import {
  backendCheck,
  formatCheck,
  interruptOnCheck,
  memoryCheck,
  middlewareCheck,
  modelCheck,
  pathsCheck,
  promptPartsCheck,
  schemaCheck,
  subAgentCheck,
  toolsCheck,
} from './option-checks';

/** A check of each option of `createDeepAgent`. */
export const AGENT_CHECKS = {
  model: modelCheck,
  tools: toolsCheck,
  systemPrompt: promptPartsCheck,
  stateSchema: schemaCheck,
  middleware: middlewareCheck,
  subagents: listOf(subAgentCheck, 'sub-agents'),
  responseFormat: formatCheck,
  contextSchema: schemaCheck,
  checkpointer: either(
    mustBe('a checkpointer, such as new MemorySaver(), or true', () => false),
    flag,
    withMethod('a checkpointer', 'getTuple'),
  ),
  store: withMethod('a store, such as new InMemoryStore()', 'get', 'batch'),
  backend: backendCheck,
  interruptOn: interruptOnCheck,
  name: anyText,
  memory: memoryCheck,
  skills: pathsCheck,
  permissions: rulesCheck,
  streamTransformers: listOf(func, 'functions'),
  middlewareFor: func,
  foldHooks: flag,
  promptCaching: flag,
  profileOf: func,
  stopOf: func,
  isStopped: func,
};

/**
 * The options that are set. Throws `ConfigurationError` for an option of `createDeepAgent` that is unknown or cannot work.
 * Null counts as not set: programs without types pass it.
 */
export function checkedOptions<T extends { model?: unknown }>(params: T, checks: Checks<T>): T {
  checkOptions('createDeepAgent', params, checks);
  // Null often comes from a variable that was not set. The default model would be a surprise.
  if (params.model === null)
    throw new ConfigurationError(
      'createDeepAgent: model is null. Pass a chat model or its name, or leave it out for the default.',
      'INVALID_OPTION',
    );
  return withoutNulls(params);
}
