/** The React keys of the visible rows, by the keys of the rows. */
export interface RowSlots {
  readonly taken: ReadonlyMap<string, Slot>;
  /** The number of the next new slot. */
  readonly next: number;
}

interface Slot {
  /** The React key. */
  id: string;
  kind: string;
}

export const NO_SLOTS: RowSlots = { taken: new Map(), next: 0 };

/** A visible row. `kind`: rows of the same kind can take over each other's elements; null: the row keeps its own. */
export interface SlotRow {
  key: string;
  kind: string | null;
}

/**
 * Assigns each visible row the React key of its elements, so that React changes a few texts where it would create a row. If most
 * rows stay, as in a scroll, they keep their elements, and new rows take those of rows that are gone. If most are replaced, as by
 * a filter, all are assigned in order: nothing moves in the document. `held` is the slot that has the focus and stays with its row.
 */
export function assignSlots(before: RowSlots, rows: readonly SlotRow[], held: string | null): RowSlots {
  const visible = new Set(rows.map(({ key }) => key));
  const stay = [...before.taken.keys()].filter((key) => visible.has(key)).length;
  const areReplaced = 2 * stay < rows.length;
  const isKept = (key: string, { id }: Slot) => id === held || (!areReplaced && visible.has(key));
  const free: Slot[] = [];
  const kept = new Map<string, Slot>();
  for (const [key, slot] of before.taken) {
    if (isKept(key, slot)) kept.set(key, slot);
    else free.push(slot);
  }
  const takeFree = (kind: string) => {
    const at = free.findIndex((slot) => slot.kind === kind);
    return at === -1 ? undefined : free.splice(at, 1)[0];
  };
  let { next } = before;
  const taken = new Map<string, Slot>();
  for (const { key, kind } of rows)
    if (kind !== null) taken.set(key, kept.get(key) ?? takeFree(kind) ?? { id: `slot:${next++}`, kind });
  return { taken, next };
}
