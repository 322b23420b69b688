/**
 * Returns the result of `read` for the same key from the last `ms` milliseconds, and reads again after that or after a
 * failure.
 */
export function recently<T, More extends unknown[] = []>(
  ms: number,
  read: (key: string, ...more: More) => Promise<T>,
): (key: string, ...more: More) => Promise<T> {
  const known = new Map<string, { until: number; found: Promise<T> }>();
  return (key, ...more) => {
    const before = known.get(key);
    if (before !== undefined && performance.now() < before.until) return before.found;
    const found = read(key, ...more);
    known.set(key, { until: performance.now() + ms, found });
    found.catch(() => known.delete(key));
    return found;
  };
}
