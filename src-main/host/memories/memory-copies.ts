import { createHash } from 'node:crypto';
import type { CopiedMemories, MemoryCopyPreview, MemoryEnd } from '../../contract/commands/memories';
import { type AppError, fail, ok, type Result } from '../../contract/result';
import type { Storage } from '../../storage';
import type { PlaceMemories } from '../places/place-kind';
import type { Places } from '../places/places';
import { SHARED_NAMESPACE } from '../project/mounts';
import type { Hub } from '../window/hub';
import { type MemoryPlace, namespaceOf, tellChanged } from './memory-scopes';

interface Ends {
  from: MemoryEnd;
  to: MemoryEnd;
}

/** Keys that are read at once. */
const PAGE = 500;
/** Memories that are copied at the same time; a team's database has as many connections. */
const CONCURRENCY = 4;
/** Milliseconds between two reports of progress. */
const REPORT_EVERY = 200;
/** Maximum number of names in an answer. */
const MAX_NAMES = 200;

/**
 * Copies and moves memories between a project, everywhere, and the databases of teams. Each memory separately: it is saved where
 * nothing has its name, read back, compared by hash, and only then deleted at its origin. So after a kill each memory is in one
 * of the two or in both, and the same call continues with the rest.
 */
export class MemoryCopies {
  constructor(
    private readonly storage: Storage,
    private readonly hub: Hub,
    private readonly places: Places,
  ) {}

  /** What a copy would do, without changes. Rejects with the signal's reason. */
  async preview({ from, to }: Ends, signal: AbortSignal): Promise<Result<MemoryCopyPreview>> {
    const ends = await this.open({ from, to }, signal);
    if (!ends.ok) return ends;
    const [source, target] = ends.value;
    try {
      const [wanted, present] = await Promise.all([keysOf(source, signal), keysOf(target, signal)]);
      const known = new Set(present);
      const different = await each(
        wanted.filter((key) => known.has(key)),
        signal,
        async (key) => {
          const values = await Promise.all([source, target].map((end) => valueAt(end, key)));
          return hashOf(values[0]) === hashOf(values[1]) ? [] : [key];
        },
      );
      const fresh = wanted.filter((key) => !known.has(key)).length;
      return ok({
        fresh,
        same: wanted.length - fresh - different.length,
        different: different.length,
        names: different.toSorted().slice(0, MAX_NAMES).map(nameOf),
      });
    } catch (error) {
      signal.throwIfAborted();
      return { ok: false, error: await whyLost(ends.value, error) };
    }
  }

  /**
   * Copies each memory whose name is free at the target. `removes`: deletes the original of each whose copy has the same hash.
   * What was done before an error counts, so an error in the middle is part of the answer.
   */
  async copy(
    { from, to, removes }: Ends & { removes: boolean },
    signal: AbortSignal,
  ): Promise<Result<CopiedMemories>> {
    const ends = await this.open({ from, to }, signal);
    if (!ends.ok) return ends;
    const [source, target] = ends.value;
    const done: CopiedMemories = { copied: 0, same: 0, left: [], error: null };
    const changed: MemoryPlace[] = [];
    let [reported, handled] = [0, 0];
    try {
      const keys = await keysOf(source, signal);
      await each(keys, signal, async (key) => {
        const outcome = await copyOne({ source, target, key, removes });
        if (outcome === 'copied' || outcome === 'same') done[outcome] += 1;
        else if (outcome !== 'gone') done.left.push({ name: nameOf(key), why: outcome });
        const isChanged = outcome === 'copied' || (outcome === 'same' && removes);
        for (const { isLocal, memories } of ends.value)
          if (isChanged && isLocal) changed.push({ namespace: memories.namespace, key });
        handled += 1;
        if (performance.now() - reported < REPORT_EVERY && handled < keys.length) return [];
        reported = performance.now();
        this.hub.app({ type: 'memories.copying', done: handled, total: keys.length });
        return [];
      });
    } catch (error) {
      if (!signal.aborted) done.error = await whyLost(ends.value, error);
    } finally {
      if (changed.length > 0) tellChanged(this.hub, changed);
    }
    if (signal.aborted) return fail('cancelled', 'cancelled');
    return ok({ ...done, left: done.left.slice(0, MAX_NAMES) });
  }

  private async open({ from, to }: Ends, signal: AbortSignal): Promise<Result<[End, End]>> {
    if ((from.kind === 'team') === (to.kind === 'team')) return fail('invalid', 'memories_need_a_team');
    const [source, target] = await Promise.all([this.endAt(from, signal), this.endAt(to, signal)]);
    if (!source.ok) return source;
    return target.ok ? ok([source.value, target.value]) : target;
  }

  private async endAt(end: MemoryEnd, signal: AbortSignal): Promise<Result<End>> {
    if (end.kind === 'team') {
      const memories = await this.places.memoriesAt(end.placeId, signal);
      return memories.ok ? ok({ memories: memories.value, isLocal: false }) : memories;
    }
    const namespace = end.kind === 'everywhere' ? SHARED_NAMESPACE : namespaceOf(this.storage, end.projectId);
    if (namespace === null) return fail('not_found', 'project_gone');
    const { store } = this.storage;
    return ok({ memories: { store, namespace, whyLost: async () => null }, isLocal: true });
  }
}

interface End {
  memories: PlaceMemories;
  isLocal: boolean;
}

/** `different`: another text has the name there. `changed`: it changed at its origin while it was moved. */
type Outcome = CopiedMemories['left'][number]['why'] | 'copied' | 'same' | 'gone';

async function copyOne({
  source,
  target,
  key,
  removes,
}: {
  source: End;
  target: End;
  key: string;
  removes: boolean;
}): Promise<Outcome> {
  const value = await valueAt(source, key);
  if (value === null) return 'gone';
  const { store, namespace } = target.memories;
  const isNew =
    (await valueAt(target, key)) === null && (await store.compareAndPut(namespace, key, null, value));
  if (hashOf(await valueAt(target, key)) !== hashOf(value)) return 'different';
  const { memories } = source;
  if (removes && !(await memories.store.compareAndPut(memories.namespace, key, value, null)))
    return 'changed';
  return isNew ? 'copied' : 'same';
}

/** Keys begin with a slash. */
const nameOf = (key: string): string => key.slice(1);

async function keysOf({ memories: { store, namespace } }: End, signal: AbortSignal): Promise<string[]> {
  const keys: string[] = [];
  for (let after = ''; ; after = keys.at(-1) ?? '') {
    signal.throwIfAborted();
    const page = await store.listKeys(namespace, '/', { after, limit: PAGE });
    keys.push(...page.map(({ key }) => key));
    if (page.length < PAGE) return keys;
  }
}

async function valueAt({ memories }: End, key: string): Promise<Record<string, unknown> | null> {
  const item = await memories.store.get(memories.namespace, key);
  return item?.value ?? null;
}

/** Of the content: databases order the fields of a value differently. Null: there is no memory. */
function hashOf(value: Record<string, unknown> | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  const { content, encoding = 'utf-8' } = value;
  const whole = Array.isArray(content) ? content.join('\n') : content;
  return createHash('sha256')
    .update(JSON.stringify([encoding, whole]))
    .digest('hex');
}

/** The results for all items, a few at a time. Rejects with the signal's reason between two items. */
async function each<T, R>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<R[]>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      signal.throwIfAborted();
      results.push(...(await work(items[next++] as T)));
    }
  };
  const workers = Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker);
  // None continues after the answer.
  const settled = await Promise.allSettled(workers);
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  return results;
}

/** Throws an error that is not one of a place. */
async function whyLost(ends: readonly End[], thrown: unknown): Promise<AppError> {
  for (const { memories } of ends) {
    const error = await memories.whyLost();
    if (error !== null) return error;
  }
  if (ends.every(({ isLocal }) => isLocal)) throw thrown;
  return fail('network', 'place_failed', {}, String(thrown)).error;
}
