import type { AgentMiddleware } from 'langchain';
import type { BackendFactory } from '../../backends/backend-factory';
import type { AnyBackend } from '../../backends/published-protocol';

/** Where file middleware saves a person's long messages, and from how many tokens; null: never. */
export interface Offloading {
  backend: AnyBackend | BackendFactory;
  humanLimit: number | null;
}

const known = new WeakMap<object, Offloading>();

export function noteOffloading<M extends object>(middleware: M, offloading: Offloading): M {
  known.set(middleware, offloading);
  return middleware;
}

/** Undefined for custom middleware. */
export const offloadingOf = (middleware: AgentMiddleware | undefined): Offloading | undefined =>
  middleware && known.get(middleware);
