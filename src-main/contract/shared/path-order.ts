const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Above this many, paths are compared by code unit: natural order of 100,000 takes seconds. */
export const NATURAL_UP_TO = 10_000;

/** Compares two names as people count: `file2` before `file10`. Names that differ only in case have a fixed order, too. */
export const compareNames = (a: string, b: string): number =>
  natural.compare(a, b) || Number(a > b) - Number(a < b);

/** Compares two paths name by name, so that a folder's files stay together. */
export function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (const [at, name] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const order = compareNames(name, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** The rows in the order in which a person looks for a path. */
export function inPathOrder<Row extends { path: string }>(rows: readonly Row[]): Row[] {
  if (rows.length <= NATURAL_UP_TO) return rows.toSorted((a, b) => comparePaths(a.path, b.path));
  return rows.toSorted((a, b) => Number(a.path > b.path) - Number(a.path < b.path));
}
