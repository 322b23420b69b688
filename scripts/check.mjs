// npm run check [-- step ...] [--changed=REVISION]: all checks that do not need a running app. With a revision, runs only the unit
// tests that the changes since then can affect.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments, refuse } from './arguments.mjs';
import { root, runBin } from './process.mjs';
import { endOnSignals } from './runtime/at-exit.mjs';
import { changedTests } from './testing/changed.mjs';
import { runUnitTests } from './testing/suites.mjs';

endOnSignals();

const started = Date.now();
const seconds = (/** @type {number} */ since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** What the compiler knows of the files since its last run. */
const TYPES = join(root, 'node_modules', '.cache', 'deepdesk', 'types');
/** Each further checker of a project reads the same libraries again; the projects already run in parallel. */
const CHECKER = ['--checkers', '1', '--incremental', '--tsBuildInfoFile'];

/** @type {Record<string, () => Promise<{ code: number, output: string }>>} */
const steps = {
  types: async () => {
    const projects = { root: '.', contract: 'src-main/contract', renderer: 'src-renderer', e2e: 'e2e' };
    const runs = await Promise.all(
      Object.entries(projects).map(([name, project]) =>
        runBin(['ts7', 'tsc'], ['-p', project, '--pretty', ...CHECKER, join(TYPES, `${name}.tsbuildinfo`)]),
      ),
    );
    return { code: Math.max(...runs.map((ran) => ran.code)), output: runs.map((ran) => ran.output).join('') };
  },
  lint: async () => {
    // Loads a compiler, which the other steps do not need.
    const { longSources } = await import('./lint/lengths.mjs');
    const [biome, long] = await Promise.all([
      runBin(['@biomejs/biome', 'biome'], ['check', '--error-on-warnings', '.']),
      longSources(),
    ]);
    const tooLong = long.map((one) => `${one}\n`).join('');
    return { code: long.length > 0 ? 1 : biome.code, output: biome.output + tooLong };
  },
  layers: async () => {
    const folders = ['src-main', 'src-renderer'].filter((folder) => existsSync(join(root, folder)));
    const ran = await runBin(['dependency-cruiser', 'depcruise'], ['--output-type', 'err-long', ...folders]);
    // Without a TypeScript compiler that it can use, dependency-cruiser cruises nothing and reports success.
    const cruised = Number(/(\d+) modules/.exec(ran.output)?.[1] ?? 0);
    if (cruised > 0) return ran;
    return {
      code: 1,
      output: `${ran.output}dependency-cruiser saw no module, so its rules proved nothing\n`,
    };
  },
  'dead code': () => runBin('knip', []),
  unit: () => runUnitTests(since ? changedTests(since) : [], { show: true }),
};

const words = Object.keys(steps).map((name) => (name.includes(' ') ? `"${name}"` : name));
const USAGE = `npm run check [-- ${words.join(' | ')} ...] [--changed=REVISION]`;
const {
  values: { changed: since },
  positionals: wanted,
} = readArguments({ allowPositionals: true, options: { changed: { type: 'string' } } }, USAGE);
if (since === '') refuse('--changed needs a revision', USAGE);
const unknown = wanted.filter((name) => !(name in steps));
if (unknown.length > 0) refuse(`there is no step ${unknown.join(', ')}`, USAGE);

/** @type {string[]} */
const failed = [];

/** @param {string} name */
async function runStep(name) {
  const since = Date.now();
  const { code, output } = await /** @type {() => Promise<{ code: number, output: string }>} */ (
    steps[name]
  )();
  if (code !== 0) failed.push(name);
  const shown = code === 0 ? '' : output.trimEnd();
  if (shown) console.log(shown);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds(since)})`);
}

const chosen = Object.keys(steps).filter((name) => wanted.length === 0 || wanted.includes(name));
// Unit tests wait more than they compute, so the other steps run in parallel, one after another.
const unit = chosen.includes('unit') ? runStep('unit') : undefined;
for (const name of chosen) if (name !== 'unit') await runStep(name);
await unit;
console.log(failed.length > 0 ? `check failed: ${failed.join(', ')}` : `check passed (${seconds(started)})`);
process.exitCode = failed.length > 0 ? 1 : 0;
