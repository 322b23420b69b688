import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxAccess } from '../backends/commands';
import { seccompFilter } from './seccomp';

/**
 * The system call filter as a file, which a shell opens for bubblewrap: a terminal passes no descriptors on. `folder` is
 * private and hidden from commands. Null if there is no filter for this processor.
 */
export async function filterFile(folder: string, access: SandboxAccess): Promise<string | null> {
  const filter = seccompFilter(access);
  if (filter === null) return null;
  const path = join(folder, `${access}-${process.arch}-${filter.length}.bpf`);
  if (written.has(path)) {
    const stats = await lstat(path).catch(() => null);
    if (stats?.size === filter.length) return path;
  }
  await mkdir(folder, { recursive: true });
  // Atomic: a command may be about to read it.
  const part = `${path}.${randomUUID()}`;
  await writeFile(part, filter);
  await rename(part, path);
  written.add(path);
  return path;
}

/** Files written by this process. Those of an earlier version are written again. */
const written = new Set<string>();
