// npm run check [-- step ...]: everything that can be known without starting the app.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, runBin } from './process.mjs';

const started = Date.now();
const seconds = (/** @type {number} */ since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** @type {Record<string, () => Promise<{ code: number, output: string }>>} */
const steps = {
  types: async () => {
    const projects = ['.', 'src-main/contract', 'src-renderer', 'e2e'];
    const runs = await Promise.all(
      projects.map((project) => runBin(['ts7', 'tsc'], ['-p', project, '--pretty'])),
    );
    return { code: Math.max(...runs.map((ran) => ran.code)), output: runs.map((ran) => ran.output).join('') };
  },
  lint: () => runBin(['@biomejs/biome', 'biome'], ['check', '--error-on-warnings', '.']),
  layers: async () => {
    const folders = ['src-main', 'src-renderer'].filter((folder) => existsSync(join(root, folder)));
    const ran = await runBin(['dependency-cruiser', 'depcruise'], ['--output-type', 'err-long', ...folders]);
    // With no TypeScript compiler that it can use, dependency-cruiser cruises nothing and is content.
    const cruised = Number(/(\d+) modules/.exec(ran.output)?.[1] ?? 0);
    if (cruised > 0) return ran;
    return {
      code: 1,
      output: `${ran.output}dependency-cruiser saw no module, so its rules proved nothing\n`,
    };
  },
  'dead code': () => runBin('knip', []),
  unit: () => runBin('vitest', ['run', ...(process.env.DEEPDESK_UNIT_REPORT ? unitReport() : [])]),
};

/** Lets `npm test` add the unit tests to its sum without running them again. */
function unitReport() {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${process.env.DEEPDESK_UNIT_REPORT}`];
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`check: no step named ${unknown.join(', ')}; there are ${Object.keys(steps).join(', ')}`);
  process.exit(2);
}

const failed = [];
for (const [name, step] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const since = Date.now();
  const { code, output } = await step();
  if (code !== 0) failed.push(name);
  const shown = code === 0 && name !== 'unit' ? '' : output.trimEnd();
  if (shown) console.log(shown);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds(since)})`);
}
console.log(failed.length > 0 ? `check failed: ${failed.join(', ')}` : `check passed (${seconds(started)})`);
process.exitCode = failed.length > 0 ? 1 : 0;
