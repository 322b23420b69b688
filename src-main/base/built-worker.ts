import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The file of a worker of the build: it lies beside the program, of which this may be a chunk in a folder of its own. Null
 * where nothing is built, as in tests.
 */
export function builtWorker(name: string): string | null {
  const candidates = [`./${name}.js`, `../${name}.js`].map((file) =>
    fileURLToPath(new URL(file, import.meta.url)),
  );
  return candidates.find((file) => existsSync(file)) ?? null;
}
