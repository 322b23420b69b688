/**
 * Sets an entry of a map that holds at most `most`, as its newest one, and drops the oldest beyond that. Set an entry again
 * when it is used to keep those that were used last.
 */
export function setNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  // A map lists its keys in the order in which they were set.
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
