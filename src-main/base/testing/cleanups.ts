/**
 * What the running test undoes when it ends. scripts/testing/each-file.ts does so after each test: a module that registers
 * the hook itself does so for the first file of a process alone.
 */
export const cleanups: (() => unknown)[] = [];

/** Undoes what was done last first. What fails keeps nothing else from being undone. */
export async function runCleanups(): Promise<void> {
  const failures: unknown[] = [];
  for (const cleanup of cleanups.splice(0).reverse()) {
    try {
      await cleanup();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw failures[0];
}
