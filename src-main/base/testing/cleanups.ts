/**
 * Undo steps of the running test. scripts/testing/each-file.ts runs them after each test, because a module that registers
 * the hook itself does so only for the first file of a process.
 */
export const cleanups: (() => unknown)[] = [];

/** Runs the steps in reverse order. A failing step does not stop the others. */
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
