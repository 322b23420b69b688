const NOBODY = 65_534;

/**
 * Runs something without root's power over permissions, which root cannot put to the test: as the user nobody where we
 * are root, else as we are. The whole process changes, so nothing else may run meanwhile.
 */
export async function withoutPower<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  const groups = process.getgroups?.() ?? [];
  process.setgroups?.([NOBODY]);
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
