import type { AgentMiddleware } from 'langchain';
import { createOffloadMiddleware } from './offload';
import { offloadingOf } from './offloading';

/**
 * The names of our middleware, the outermost first. What reports the end of a run wraps whatever may ask the model again. What
 * adds to the prompt wraps what keeps the request within the model's window. Files wrap whatever judges a call, so that it sees
 * the arguments that the tool will see, and large results are saved to files after it.
 */
const PLACES = [
  'CompletionCallbackMiddleware',
  'subAgentMiddleware',
  'asyncSubAgentMiddleware',
  'todoList',
  'SkillsMiddleware',
  'MemoryMiddleware',
  'offload',
  'SummarizationMiddleware',
  'FilesystemMiddleware',
  'patchToolCallsMiddleware',
  'HumanInTheLoopMiddleware',
] as const;

/** Custom middleware around and inside ours. */
export interface MiddlewareSlots {
  /** Around all of ours. */
  outer?: readonly AgentMiddleware[];
  /** Inside all of ours, next to tools and model. One with the name of one of ours replaces it, even if ours is missing. */
  inner?: readonly AgentMiddleware[];
}

/** Sorts our middleware and puts custom middleware in its places. */
export function inOrder(
  ours: readonly AgentMiddleware[],
  { outer = [], inner = [] }: MiddlewareSlots,
): AgentMiddleware[] {
  const at = (name: string) =>
    inner.findLast((one) => one.name === name) ?? ours.find((one) => one.name === name);
  const offloading = offloadingOf(at('FilesystemMiddleware'));
  const placed = PLACES.flatMap((name): AgentMiddleware[] => {
    const found = at(name);
    if (found !== undefined) return [found];
    // Wraps summaries, so that content saved in files does not count.
    return name === 'offload' && offloading !== undefined ? [createOffloadMiddleware(offloading)] : [];
  });
  const names: ReadonlySet<string> = new Set(PLACES);
  return [...outer, ...placed, ...inner.filter((one) => !names.has(one.name))];
}

/** Custom middleware goes last. One with the name of one of ours replaces it. */
export function withOwn(
  ours: readonly AgentMiddleware[],
  own: readonly AgentMiddleware[],
): AgentMiddleware[] {
  const names = new Set(ours.map((one) => one.name));
  return [
    ...ours.map((one) => own.findLast((other) => other.name === one.name) ?? one),
    ...own.filter((one) => !names.has(one.name)),
  ];
}
