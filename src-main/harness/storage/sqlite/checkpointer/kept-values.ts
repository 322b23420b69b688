import { setNewest } from '../../../../contract/shared/set-newest';

/** Threads whose values stay in memory, because someone is working in them. */
const THREADS_KEPT = 4;

type Values = Record<string, unknown>;

/** Caches the values of the latest checkpoint of a few threads, so that the next turn need not read the thread again. */
export class KeptValues {
  readonly #kept = new Map<number, { id: string; values: Values }>();

  /** `values`: what `copyOf` returned at the time of the checkpoint. */
  keep(thread: number, id: string, values: Values): void {
    setNewest(this.#kept, thread, { id, values }, THREADS_KEPT);
  }

  of(thread: number, id: string): Values | undefined {
    const kept = this.#kept.get(thread);
    return kept?.id === id ? kept.values : undefined;
  }

  clear(): void {
    this.#kept.clear();
  }
}

/** Copies lists and records in their current state, with the same items. */
export function copyOf(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shallow(value)]));
}

function shallow(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value) && prototype === Array.prototype) return [...value];
  return prototype === Object.prototype || prototype === null ? { ...value } : value;
}
