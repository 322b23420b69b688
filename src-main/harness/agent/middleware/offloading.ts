import type { AgentMiddleware } from 'langchain';
import type { AnyBackend, BackendFactory } from '../../backends/adapt';

/** Where file middleware keeps long messages of the person's, and from how many tokens on; null: never. */
export interface Offloading {
  backend: AnyBackend | BackendFactory;
  humanLimit: number | null;
}

const known = new WeakMap<object, Offloading>();

export function noteOffloading<M extends object>(middleware: M, offloading: Offloading): M {
  known.set(middleware, offloading);
  return middleware;
}

/** Undefined for middleware of one's own. */
export const offloadingOf = (middleware: AgentMiddleware | undefined): Offloading | undefined =>
  middleware && known.get(middleware);
