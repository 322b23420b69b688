import type { SpendEntry, SpendStore } from '../spend-guard';

/** A spending store in memory that exposes all entries. */
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
