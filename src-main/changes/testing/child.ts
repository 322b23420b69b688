// The crash tests run this in a separate process. In an endless loop it changes files, keeps and undoes them, and reports
// each step before or after it is done. The test kills it at some point.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Engine } from '../engine';
import type { PathChange } from '../protocol';

const [, , store = '', root = ''] = process.argv;
const engine = new Engine({ store, budget: 1e9, persist: true });

/** Writes synchronously to the pipe, so that the line arrives even if the process is killed right afterwards. */
const say = (what: 'kept' | 'reverting' | 'reverted', changes: PathChange[]) =>
  process.stdout.write(`${JSON.stringify({ what, changes })}\n`);

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

for (let file = 0; file < 12; file += 1) put(`d${file % 3}/f${file}`, `first ${file} ${'x'.repeat(2_000)}`);
await engine.scan(root, { waitMs: 60_000 });

for (let round = 1; ; round += 1) {
  rmSync(join(root, `d${round % 3}`), { recursive: true, force: true });
  for (let file = 0; file < 6; file += 1)
    put(`d${(round + 1) % 3}/f${file}`, `${round} ${file} ${'y'.repeat(round % 4_000)}`);
  put(`new${round % 5}/f`, `${round}`);
  const { changes } = await engine.scan(root, {});
  say('kept', changes);
  const steps = changes.map(({ path, before, after }) => ({ path, before: after, after: before }));
  say('reverting', steps);
  await engine.apply(root, `r${round}`, steps);
  say('reverted', steps);
  await engine.scan(root, {});
}
