import type { TokenUsage } from '../../contract/usage';
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
    tokensOfThread: (threadId) =>
      entries
        .filter((entry) => entry.threadId === threadId)
        .reduce((total, { usage }) => total + (usage === null ? 0 : tokensIn(usage)), 0),
    add: (entry) => {
      entries.push(entry);
    },
  };
}

const tokensIn = ({ input, output, cacheRead, cacheWrite }: TokenUsage) =>
  input + output + cacheRead + cacheWrite;
