const tails = new Map<string, Promise<void>>();

/**
 * Runs `work` after all earlier work under the same key, so that two edits of one file never overwrite each other. The whole
 * process shares the keys: two backends on one folder also take turns.
 */
export async function withLock<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve();
  let release = () => {};
  const mine = new Promise<void>((resolve) => {
    release = resolve;
  });
  tails.set(key, mine);
  await before;
  try {
    return await work();
  } finally {
    release();
    if (tails.get(key) === mine) tails.delete(key);
  }
}
