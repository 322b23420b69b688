import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxAccess } from '../backends/protocol';
import { seccompFilter } from './seccomp';

/**
 * The filter of system calls as a file, which a shell opens for bubblewrap: a terminal hands no descriptor on. `folder` is one of
 * Deepdesk's own, which no command sees. Null where there is no filter for this processor.
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
  // Whole or not at all: a command may be about to read it.
  const part = `${path}.${randomUUID()}`;
  await writeFile(part, filter);
  await rename(part, path);
  written.add(path);
  return path;
}

/** By this process; what an earlier version wrote is written again. */
const written = new Set<string>();
