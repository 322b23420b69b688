/** Answers with what `read` found for the same key at most `ms` ago, and reads again after that or where it failed. */
export function recently<T>(ms: number, read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, { until: number; found: Promise<T> }>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined && performance.now() < before.until) return before.found;
    const found = read(key);
    known.set(key, { until: performance.now() + ms, found });
    found.catch(() => known.delete(key));
    return found;
  };
}
