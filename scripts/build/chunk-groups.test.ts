import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chunkGroups } from './chunk-groups.mjs';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-chunks-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SOURCES = {
  start: `import { shared } from './shared.js';
    export const host = async () => [shared(), await import('./host.js')];`,
  host: `import { a } from './a.js'; import { b } from './b.js'; import { shared } from './shared.js';
    export const all = [a(), b(), shared()]; export const rare = () => import('./rare.js');`,
  rare: `import { a } from './a.js'; import { alone } from './alone.js'; export const all = [a(), alone()];`,
  worker: `import { b } from './b.js'; export const all = [b()];`,
  ...Object.fromEntries(
    ['a', 'b', 'shared', 'alone'].map((name) => [name, `export function ${name}() { return '${name}'; }`]),
  ),
};
const at = (name: string) => join(folder, 'src', `${name}.js`);

beforeAll(() => {
  mkdirSync(join(folder, 'src'));
  for (const [name, text] of Object.entries(SOURCES)) writeFileSync(at(name), text);
});

/** Builds the program into a folder, and returns the modules of each of its files. */
async function filesOf(outDir: string, codeSplitting: Rolldown.CodeSplittingOptions) {
  const rolldownOptions = {
    input: { start: at('start'), worker: at('worker') },
    output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', codeSplitting },
  };
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: { ssr: true, outDir, minify: false, rolldownOptions },
  });
  if (!('output' in built)) throw new Error('one output was expected');
  const own = (ids: readonly string[]) => ids.filter((id) => id.startsWith(folder));
  const ofFile = built.output.map((file) => [
    file.fileName,
    own(file.type === 'chunk' ? file.moduleIds : []).map((id) => basename(id, '.js')),
  ]);
  return Object.fromEntries(ofFile);
}

it('makes one file of what the same groups import, and leaves the rest and the entries alone', async () => {
  const groups = { start: [at('start')], host: [at('host')], worker: [at('worker')] };
  const out = join(folder, 'out');
  expect(await filesOf(out, chunkGroups(groups))).toMatchObject({
    'start.js': ['start'],
    'worker.js': ['worker'],
    'start-host.js': ['shared'],
    'host.js': ['a', 'host'],
    'host-worker.js': ['b'],
    'rare.js': ['alone', 'rare'],
  });
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }');
  const start = await import(pathToFileURL(join(out, 'start.js')).href);
  const [shared, host] = await start.host();
  expect([shared, host.all, (await host.rare()).all]).toEqual([
    'shared',
    ['a', 'b', 'shared'],
    ['a', 'alone'],
  ]);
});

it('refuses a group whose first module has moved', () => {
  expect(() => chunkGroups({ host: [at('start'), at('moved')] })).toThrow(/moved\.js, which does not exist/);
});
