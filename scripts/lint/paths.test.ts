import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, run } from '../process.mjs';

/** Folders with committed files only. */
const COMMITTED = /^(src-main|src-renderer|scripts|bench|e2e|resources|docs)\//;
const JOINED = /\bjoin\(root((?:,\s*'[^'\n]+')+)\)/g;
const NAMED = /'([\w./-]+\.(?:ts|tsx|mjs|cjs))'/g;

/** Paths relative to the root that a script names, in the parts of a `join` or as one text. */
function pathsIn(source: string): string[] {
  const joined = [...source.matchAll(JOINED)].map(([, parts = '']) =>
    [...parts.matchAll(/'([^'\n]+)'/g)].map(([, part]) => part).join('/'),
  );
  const named = [...source.matchAll(NAMED)].map(([, path = '']) => path);
  return [...joined, ...named].filter((path) => COMMITTED.test(path));
}

it('finds the paths that a script names', () => {
  const source =
    "[join(root, 'src-main', 'a.ts'), 'bench/b.mjs', join(root, 'out'), './c.ts', join(here, 'docs')]";
  expect(pathsIn(source)).toEqual(['src-main/a.ts', 'bench/b.mjs']);
});

// Nothing else notices a moved file before the script runs.
it('every source file and folder that a script names exists', async () => {
  const { stdout } = await run('git', ['ls-files', 'scripts', '*.config.ts'], { cwd: root });
  const scripts = stdout.split('\n').filter((file) => /\.(mjs|ts)$/.test(file) && !/\.test\.ts$/.test(file));
  const missing = scripts.flatMap((file) =>
    pathsIn(readFileSync(join(root, file), 'utf8'))
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${file}: ${path}`),
  );
  expect(scripts.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});
