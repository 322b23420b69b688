import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isFailure } from '../../harness/backends/failure';
import { locateRipgrep } from '../../harness/backends/search/ripgrep';
import { compileGlob } from './glob';

/** Minutes from `npm run fuzz`. Without it, about two hundred patterns. */
const minutes = Number(process.env.DEEPDESK_FUZZ_MINUTES ?? 0);
const seed = Number(process.env.DEEPDESK_SEED ?? 20_261_122);
const SHORT = 200;

// Known differences: ripgrep treats each byte of a character as one in sets and for ?, and a negated set matches a slash.
const NAMES = ['a', 'b', 'ab', 'a.ts', 'b.md', '.env', '.a', 'a-b', '[x]', '{y}', 'a b', 'src', 'A', 'aab'];

const piece = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b', '.ts', '.', 'src', '-', 'A', ' ') },
  { weight: 5, arbitrary: fc.constantFrom('*', '*', '?', '**', '/', '/', '**/', '/**') },
  { weight: 2, arbitrary: fc.constantFrom('[ab]', '[a-c]', '[.]', '[]]', '[a-]', '[[]') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('{a,b}', '{a,}', '{.ts,.md}', '{a,{b,.}}', '{*,b}', '{a/b,b}', '{a}'),
  },
  { weight: 1, arbitrary: fc.constantFrom('\\*', '\\[', '\\{', '\\a', '}', ']', ',', '!') },
);
const pattern = fc
  .array(piece, { minLength: 1, maxLength: 7 })
  .map((pieces) => pieces.join(''))
  // ripgrep trims trailing spaces. A leading `!` inverts a pattern, and a trailing slash matches folders. Ours select files.
  .filter((text) => !/^\/*!/.test(text) && !/[/ ]$/.test(text) && !text.includes('//'));

function makeTree(): { folder: string; paths: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-glob-fuzz-'));
  const paths: string[] = [];
  for (const top of ['', 'src/', '.a/', 'a-b/c/', 'b/src/'])
    for (const name of NAMES) {
      // Some names are folders.
      if (['src', 'b', '.a', 'a-b'].includes(name)) continue;
      mkdirSync(dirname(join(folder, top + name)), { recursive: true });
      writeFileSync(join(folder, top + name), '');
      paths.push(top + name);
    }
  return { folder, paths };
}

const listed = (program: string, folder: string, glob: string): Promise<string[] | null> =>
  new Promise((resolve, reject) => {
    const args = ['--no-config', '--files', '--hidden', '--no-ignore', '--null', `--glob=${glob}`];
    execFile(program, args, { cwd: folder, encoding: 'utf8' }, (error, stdout) => {
      if (error === null) resolve(stdout.split('\0').slice(0, -1).sort());
      // 1: nothing found. 2: an invalid pattern.
      else if (error.code === 1) resolve([]);
      else if (error.code === 2) resolve(null);
      else reject(error);
    });
  });

it(
  'finds the same files as ripgrep with every glob [safety 23]',
  async () => {
    const program = await locateRipgrep();
    if (program === null) throw new Error('There is no ripgrep to compare with.');
    const { folder, paths } = makeTree();
    const until = performance.now() + minutes * 60_000;
    try {
      const compare = async (text: string) => {
        const ours = compileGlob(text, { dot: true });
        // Models write `./src/**` and `/./src/**` for `src/**`. In ripgrep no path has a folder named `.`.
        const theirs = await listed(program, folder, text.replace(/^(\.\/|\/)+/, '/'));
        // Each rejects some that the other accepts: `..` and unclosed brackets, a `}` that closes nothing.
        if (isFailure(ours) || theirs === null) return;
        expect([text, paths.filter((path) => ours.matches(path)).sort()]).toEqual([text, theirs]);
      };
      for (let round = 0; round === 0 || performance.now() < until; round += 1)
        await fc.assert(fc.asyncProperty(pattern, compare), { numRuns: SHORT, seed: seed + round });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  minutes * 60_000 + 120_000,
);
