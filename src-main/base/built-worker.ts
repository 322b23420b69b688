import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The built file of a worker. It is next to the program, while this module may be a chunk in a subfolder. Null without a
 * build, as in tests.
 */
export function builtWorker(name: string): string | null {
  const candidates = [`./${name}.js`, `../${name}.js`].map((file) =>
    fileURLToPath(new URL(file, import.meta.url)),
  );
  return candidates.find((file) => existsSync(file)) ?? null;
}
