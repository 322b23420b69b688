// Determines what `npm test -- --changed` skips: tests that passed before and cannot have been affected since.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fingerprint } from '../build/app.mjs';
import { root } from '../process.mjs';

/** Which journeys passed on this checkout, with a hash of their inputs by spec file. */
const PASSED = join(root, 'node_modules', '.cache', 'deepdesk', 'journeys-passed.json');

/** The inputs of the journeys besides the build. */
const BESIDE = ['resources', 'scripts/package', 'scripts/runtime', 'playwright.config.ts'];

/** The arguments that make Vitest run only tests that import changes since a revision. @param {string} since */
export const changedTests = (since) => [`--changed=${since}`, '--passWithNoTests'];

/**
 * A hash for each spec file of all inputs of its journeys: the app, the package, the shared test code, and the file itself.
 * @returns {Record<string, string>}
 */
export function specHashes() {
  const e2e = join(root, 'e2e');
  const files = readdirSync(e2e, { recursive: true }).map(String).sort();
  const shared = createHash('sha256').update(fingerprint(BESIDE));
  for (const file of files) {
    if (!/\.spec\.ts$/.test(file) && /\.\w+$/.test(file)) shared.update(readFileSync(join(e2e, file)));
  }
  const base = shared.digest('hex');
  const specs = files.filter((file) => /\.spec\.ts$/.test(file));
  return Object.fromEntries(
    specs.map((file) => [
      `e2e/${file}`,
      createHash('sha256')
        .update(base)
        .update(readFileSync(join(e2e, file)))
        .digest('hex'),
    ]),
  );
}

/** @returns {Record<string, string>} */
function passedBefore() {
  return existsSync(PASSED) ? JSON.parse(readFileSync(PASSED, 'utf8')) : {};
}

/** The spec files whose journeys have not passed yet on the current state. */
export function affectedSpecs() {
  const passed = passedBefore();
  return Object.entries(specHashes())
    .filter(([spec, hash]) => passed[spec] !== hash)
    .map(([spec]) => spec);
}

/**
 * Records which specs passed. Pass the hashes from before the run, because a file may change during it.
 * @param {Record<string, string>} hashes of the specs that ran
 * @param {readonly import('./results.mjs').Failure[]} failures
 */
export function rememberPassed(hashes, failures) {
  const failed = (/** @type {string} */ spec) =>
    failures.some(({ test }) => !test.startsWith('e2e/') || test.startsWith(`${spec} `));
  const passed = Object.fromEntries(Object.entries(hashes).filter(([spec]) => !failed(spec)));
  mkdirSync(dirname(PASSED), { recursive: true });
  writeFileSync(PASSED, JSON.stringify({ ...passedBefore(), ...passed }, null, 2));
}
