const NOBODY = 65_534;

/**
 * Runs work without root's power to ignore permissions: as the user nobody if we are root, else as the current user. The
 * whole process switches, so nothing else may run at the same time. `alsoIn`: further groups of nobody.
 */
export async function withoutPower<T>(work: () => Promise<T>, alsoIn: readonly number[] = []): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  const groups = process.getgroups?.() ?? [];
  process.setgroups?.([NOBODY, ...alsoIn]);
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(groups);
  }
}
