import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What `npm run test:growth` asks for; null in the short part that `npm run test:slow` runs. */
const asked = JSON.parse(process.env.DEEPDESK_GROWTH ?? 'null') as { results: string } | null;

/** The sizes that a test measures at, and how often it repeats. */
export const GROWTH =
  asked === null
    ? { sizes: [10, 100, 1_000], steps: [10, 100], threads: 150, terminals: 150, hours: 8 }
    : {
        sizes: [10, 100, 1_000, 10_000],
        steps: [10, 100, 1_000, 10_000],
        threads: 500,
        terminals: 1_000,
        hours: 8,
      };

/** Keeps a result as JSON for the documents. */
export function keepResult(name: string, result: unknown): void {
  if (asked === null) return;
  mkdirSync(asked.results, { recursive: true });
  writeFileSync(join(asked.results, `${name}.json`), `${JSON.stringify(result)}\n`);
}
