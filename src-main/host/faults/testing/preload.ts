import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compiles `NAME.c` of this folder to a library that a process loads first (LD_PRELOAD). A sentence instead if this machine
 * cannot.
 */
export function compilePreload(
  name: 'clock' | 'unsynced',
  to: string,
): { library: string } | { whyNot: string } {
  if (process.platform !== 'linux') return { whyNot: 'Only Linux can load a library before the others.' };
  const library = join(to, `${name}.so`);
  const source = join(import.meta.dirname, `${name}.c`);
  const args = [
    '-shared',
    '-fPIC',
    '-O1',
    '-D_LARGEFILE64_SOURCE',
    '-o',
    library,
    source,
    '-ldl',
    '-lpthread',
  ];
  try {
    mkdirSync(to, { recursive: true });
    execFileSync('cc', args, { stdio: 'pipe' });
  } catch {
    return { whyNot: 'There is no C compiler that makes a library for this system.' };
  }
  return { library };
}
