import { setNewest } from '../../../../contract/shared/set-newest';
import { CHUNK } from './pieces';

/** Lists and records whose chunks are remembered: the channels of the few threads that somebody works in. */
const MAX_LISTS = 24;

/** A list, or the values of a record with their keys, as it was when it was taken. */
export interface StoredItems {
  channel: string;
  keys: readonly string[] | null;
  values: readonly unknown[];
}

/**
 * Remembers the chunks in which the items of long lists and records were stored, so that a step which only appends neither
 * looks up each earlier item nor joins and hashes them again.
 */
export class StoredLists {
  readonly #lists = new Map<string, StoredItems & { chunks: readonly string[] }>();

  /** Call this only once the chunks are committed. */
  remember(thread: number, items: StoredItems, chunks: readonly string[]): void {
    setNewest(this.#lists, `${thread} ${items.channel}`, { ...items, chunks }, MAX_LISTS);
  }

  clear(): void {
    this.#lists.clear();
  }

  /** The marks of the chunks that `items` begin with, without its last `uncounted` items. */
  beginningOf(thread: number, { channel, keys, values }: StoredItems, uncounted: number): readonly string[] {
    const known = this.#lists.get(`${thread} ${channel}`);
    if (known === undefined || (known.keys === null) !== (keys === null)) return [];
    const most = Math.min(known.chunks.length, Math.floor(Math.max(0, values.length - uncounted) / CHUNK));
    const isSame = (index: number) =>
      known.keys?.[index] === keys?.[index] && isSameOrCopy(known.values[index], values[index]);
    let same = 0;
    while (same < most * CHUNK && isSame(same)) same += 1;
    return known.chunks.slice(0, Math.floor(same / CHUNK));
  }
}

/** Whether both are the same, or plain objects with the same values in the same order: a Send copies the state's files. */
function isSameOrCopy(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Object.getPrototypeOf(one) !== Object.prototype || Object.getPrototypeOf(other) !== Object.prototype)
    return false;
  const [before, after] = [one as Record<string, unknown>, other as Record<string, unknown>];
  const keys = Object.keys(after);
  return (
    Object.keys(before).every((key, index) => keys[index] === key && Object.is(before[key], after[key])) &&
    Object.keys(before).length === keys.length
  );
}
