import type { SpendEntry, SpendStore } from '../spend-guard';

/** Spending that is kept in memory, with all entries to look at. */
export function memorySpendStore(): SpendStore & { entries: readonly SpendEntry[] } {
  const entries: SpendEntry[] = [];
  const sum = (of: (entry: SpendEntry) => boolean) =>
    entries.filter(of).reduce((total, { cost }) => total + (cost ?? 0), 0);
  return {
    entries,
    ofThread: (threadId) => sum((entry) => entry.threadId === threadId),
    ofDay: (day) => sum((entry) => entry.day === day),
    add: (entry) => {
      entries.push(entry);
    },
  };
}
