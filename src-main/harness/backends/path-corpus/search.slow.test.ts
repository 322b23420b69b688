import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { processorTime, threadTime } from '../../../base/testing/processor-time';
import { CompositeBackend } from '../composite';
import { FilesystemBackend } from '../filesystem';
import { builtSearchWorker, searchingWith } from '../search/testing/search-worker';
import { StateBackend } from '../state';
import { type Arena, type Case, inArena } from './testing/arena';

/** Runs the same case with and without ripgrep. */
async function withBoth(of: Case): Promise<void> {
  for (const engine of ['ripgrep', 'worker'] as const)
    await searchingWith(engine, async () => {
      // Keeps one-time costs out of the case: finding a program, starting a worker.
      await new FilesystemBackend({ rootDir: import.meta.dirname }).grep('P0');
      await inArena(of);
    });
}

const put = ({ root }: Arena, files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
};

/**
 * The longest time in milliseconds that `work` blocked the event loop. This thread's processor time caps it, so that a pause
 * does not count while other programs, or the search in its own thread, use the processor.
 */
async function longestHold(work: () => unknown): Promise<number> {
  let last = { time: performance.now(), worked: threadTime() };
  let longest = 0;
  const look = () => {
    const now = { time: performance.now(), worked: threadTime() };
    longest = Math.max(longest, Math.min(now.time - last.time, now.worked - last.worked));
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest;
}

const PATTERN_ALLOWANCE = 1_000;
/** Milliseconds that the event loop may block while the window still feels responsive, on a machine with other work. */
const ALIVE = 200;

beforeAll(async () => {
  await builtSearchWorker();
}, 60_000);

describe('searching', () => {
  it('finds names that end with a dot', async () => {
    await withBoth({
      given: (arena) => put(arena, { 'Mr.': 'one', 'notes/etc.': 'one', 'a.txt': 'one' }),
      run: async ({ fs }) => {
        for (const pattern of ['**/*', '**/*.', '**/[Me]*'])
          expect((await fs.glob(pattern)).files?.map(({ path }) => path)).toEqual(
            expect.arrayContaining(['/Mr.', '/notes/etc.']),
          );
        const found = await fs.grep('one', '/', '*');
        expect(found.matches?.map(({ path }) => path)).toEqual(
          expect.arrayContaining(['/Mr.', '/notes/etc.', '/a.txt']),
        );
      },
    });
  });

  it('stops a search in folders nested too deep for the system, and says so [P36]', async () => {
    const shown = { files: ['/top.txt'], truncated: true };
    await withBoth({
      given: ({ root }) => {
        const half = `${'deep'.repeat(2)}/`.repeat(400);
        const down = `mkdir -p ${half} && cd ${half}`;
        execFileSync('/bin/bash', ['--norc', '-c', Array(5).fill(down).join(' && ')], { cwd: root });
        writeFileSync(join(root, 'top.txt'), 'bottom');
      },
      run: async ({ fs, root }) => {
        const globbed = await fs.glob('**/*.txt');
        const grepped = await fs.grep('bottom');
        await promisify(execFile)('rm', ['-rf', join(root, 'deepdeep')]);
        expect({ ...globbed, files: globbed.files?.map((file) => file.path) }).toEqual(shown);
        expect(grepped).toEqual({
          matches: [{ path: '/top.txt', line: 1, text: 'bottom' }],
          truncated: true,
        });
      },
      within: 20_000,
    });
  }, 90_000);

  it('terminates when a folder links to its own parent, with and without ripgrep [P59]', async () => {
    await withBoth({
      given: (arena) => {
        put(arena, { 'sub/a.txt': 'word' });
        symlinkSync('.', join(arena.root, 'sub', 'sub'));
      },
      run: async ({ fs }) => {
        expect(await fs.glob('**/*.txt')).toEqual({
          files: [{ path: '/sub/a.txt', is_dir: false }],
          truncated: false,
        });
        expect(await fs.grep('word')).toEqual({
          matches: [{ path: '/sub/a.txt', line: 1, text: 'word' }],
          truncated: false,
        });
      },
    });
  });

  for (const [id, pattern] of [
    ['P110', '../*'],
    ['P111', '../outside/*'],
  ] as const)
    it(`rejects the glob ${pattern} [${id}]`, async () => {
      await withBoth({
        run: async ({ fs }) => {
          expect((await fs.glob(pattern)).kind).toBe('denied');
          expect((await fs.grep('canary', '/', pattern)).kind).toBe('denied');
        },
      });
    });

  it("anchors a glob with a leading slash at the root, never at the host's root [P112]", async () => {
    await withBoth({
      given: (arena) => put(arena, { 'etc/mine': 'root:' }),
      run: async ({ fs }) => {
        expect((await fs.glob('/etc/*')).files?.map((file) => file.path)).toEqual(['/etc/mine']);
        expect((await fs.grep('root:', '/', '/etc/*')).matches?.map((match) => match.path)).toEqual([
          '/etc/mine',
        ]);
      },
    });
  });

  for (const [id, pattern] of [
    ['P114', '{a,b}'.repeat(20)],
    ['P116', '{1..999999999}'],
  ] as const)
    it(`is not slowed down by ${pattern.slice(0, 20)}, and the window stays responsive [${id}]`, async () => {
      await withBoth({
        given: (arena) => put(arena, { ['ab'.repeat(10)]: 'x', '1': 'x', '5': 'x' }),
        run: async ({ fs }) => {
          const started = processorTime();
          const held = await longestHold(async () => {
            const files = (await fs.glob(pattern)).files?.map((file) => file.path);
            expect(files).toEqual(id === 'P114' ? [`/${'ab'.repeat(10)}`] : []);
            expect((await fs.grep('x', '/', pattern)).matches?.length).toBe(files?.length);
          });
          expect({ quick: processorTime() - started < PATTERN_ALLOWANCE, alive: held < ALIVE }).toEqual({
            quick: true,
            alive: true,
          });
        },
      });
    });

  for (const [pattern, outcome] of [
    ['[', 'invalid'],
    ['!(', 'ok'],
  ] as const)
    it(`answers the glob ${pattern} without breaking [P118]`, async () => {
      await withBoth({
        given: (arena) => put(arena, { '!(': 'x' }),
        run: async ({ fs }) => {
          const globbed = await fs.glob(pattern);
          expect(globbed.kind ?? 'ok').toBe(outcome);
          expect((await fs.grep('x', '/', pattern)).kind ?? 'ok').toBe(outcome);
          if (outcome === 'ok') expect(globbed.files).toEqual([{ path: '/!(', is_dir: false }]);
        },
      });
    });

  for (const literal of ['.*', '(', '[', '\\', '$^'])
    it(`finds ${literal} as literal text [P119]`, async () => {
      await withBoth({
        given: (arena) => put(arena, { 'a.txt': `nothing\nhere ${literal} is\n` }),
        run: async ({ fs }) => {
          expect(await fs.grep(literal)).toEqual({
            matches: [{ path: '/a.txt', line: 2, text: `here ${literal} is` }],
            truncated: false,
          });
        },
      });
    });

  for (const [id, pattern] of [
    ['P120', '-f/etc/passwd'],
    ['P121', '--pre=./x'],
  ] as const)
    it(`treats the pattern ${pattern} as literal [${id}]`, async () => {
      await withBoth({
        given: (arena) => put(arena, { 'a.txt': `root:x:0:0\n${pattern}\n`, x: '#!/bin/sh\ntouch made\n' }),
        run: async ({ fs }) => {
          for (const regex of [false, true])
            expect(await fs.grep(pattern, '/', null, null, { regex })).toEqual({
              matches: [{ path: '/a.txt', line: 2, text: pattern }],
              truncated: false,
            });
        },
      });
    });

  it('rejects an empty pattern [P123]', async () => {
    await withBoth({
      run: async ({ fs }) => {
        expect((await fs.grep('')).kind).toBe('invalid');
        expect((await fs.grep('', '/', null, null, { regex: true })).kind).toBe('invalid');
        expect((await fs.glob('')).kind).toBe('invalid');
      },
    });
  });

  it('stops at the limit of 100,000 matches, and reports that there are more [P124]', async () => {
    const cut = { found: 1_000, truncated: true };
    await withBoth({
      given: (arena) =>
        put(arena, { 'a.txt': 'needle\n'.repeat(60_000), 'b.txt': 'needle\n'.repeat(40_000) }),
      run: async ({ fs }) => {
        const some = await fs.grep('needle', '/', null, 1_000);
        expect({ found: some.matches?.length, truncated: some.truncated }).toEqual(cut);
        const all = await fs.grep('needle', '/', null, 100_000);
        expect({ found: all.matches?.length, truncated: all.truncated }).toEqual({
          found: 100_000,
          truncated: false,
        });
      },
    });
  });

  it('refuses a path that leaves a route, in every kind of search [P126]', async () => {
    await withBoth({
      given: (arena) => put(arena, { x: 'needle' }),
      run: async ({ fs }) => {
        const composite = new CompositeBackend(new StateBackend(), { '/memories/': fs });
        for (const path of ['/memories/../x', '/memories/a/../../x'])
          for (const answer of [
            await composite.grep('needle', path),
            await composite.glob('*', path),
            await composite.read(path),
            await composite.ls(path),
            await composite.write(path, 'y'),
            await composite.edit(path, 'needle', 'y'),
          ])
            expect([path, answer.kind]).toEqual([path, 'denied']);
        expect((await composite.glob('../x', '/memories')).kind).toBe('denied');
      },
    });
  });

  it('stays responsive and in time with a regular expression that never ends', async () => {
    await withBoth({
      given: (arena) => put(arena, { 'a.txt': `${'a'.repeat(4_000)}\nb\n` }),
      run: async ({ fs }) => {
        let found: unknown[] = [];
        const held = await longestHold(async () => {
          const pattern = '^(a*)*(a*)*(a*)*b';
          const answer = await fs.grep(pattern, '/', null, null, { regex: true, timeoutMs: 500 });
          // Without ripgrep, time runs out in the first line, which has no match.
          found = [answer.matches?.map(({ line }) => line), answer.truncated];
        });
        expect([
          [[2], false],
          [[], true],
        ]).toContainEqual(found);
        expect(held).toBeLessThan(ALIVE);
        expect((await fs.grep('aaa')).matches?.length).toBe(1);
      },
    });
  });
});
