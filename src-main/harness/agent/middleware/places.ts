import type { AgentMiddleware } from 'langchain';
import { createOffloadMiddleware } from './offload';
import { offloadingOf } from './offloading';

/**
 * The names of our middleware, the outermost first. What the model is told stands around what keeps it within the
 * model's window, and files stand around whatever decides about a call, so that this sees the arguments that the tool
 * will see, and large results are kept in files after it.
 */
const PLACES = [
  'subAgentMiddleware',
  'todoList',
  'SkillsMiddleware',
  'MemoryMiddleware',
  'offload',
  'SummarizationMiddleware',
  'FilesystemMiddleware',
  'patchToolCallsMiddleware',
  'humanInTheLoop',
] as const;

/** Middleware of one's own around and inside of ours. */
export interface MiddlewareSlots {
  /** Around all of ours. */
  outer?: readonly AgentMiddleware[];
  /** Inside of all of ours, next to tools and model; one with the name of ours takes its place, also where we have none. */
  inner?: readonly AgentMiddleware[];
}

/** Ours in their order, with middleware of one's own at its places. */
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
    // Around summaries, so that what is in files is not counted.
    return name === 'offload' && offloading !== undefined ? [createOffloadMiddleware(offloading)] : [];
  });
  const names: ReadonlySet<string> = new Set(PLACES);
  return [...outer, ...placed, ...inner.filter((one) => !names.has(one.name))];
}

/** Middleware of one's own stands at the end; one with the name of ours takes its place. */
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
