// Quick open and the tree over a folder with a million files.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { locateRipgrep } from '../src-main/harness/backends/search/ripgrep';
import { listDirectory, MAX_PAGE } from '../src-main/workspace/listing';
import { openScout } from '../src-main/workspace/scout-client';
import { type GroupOptions, median, type Row } from './row';
import { withFolder } from './temporary';

/** Files in the folder, and in one of its directories. */
const FILES = 1_000_000;
const IN_ONE = 100_000;
const IN_EACH = 1_000;
const RUNS = 5;
const QUERIES = ['part-4711', 'mod12 thing-7', 'zeta99999', 'th7', 'index'];

function fill(folder: string, files: number): void {
  const one = join(folder, 'large');
  mkdirSync(one);
  for (let n = 0; n < files / 10; n += 1) writeFileSync(join(one, `zeta${n}.txt`), '');
  for (let dir = 0; dir < (files * 0.9) / IN_EACH; dir += 1) {
    const path = join(folder, `src/mod${dir % 30}/part-${dir}`);
    mkdirSync(path, { recursive: true });
    for (let n = 0; n < IN_EACH; n += 1) writeFileSync(join(path, `thing-${n}.ts`), '');
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The direct implementation: reads all output of the program. */
const plain = (program: string, folder: string) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn(program, ['--files', '--null', '--hidden', '--no-config'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.resume();
    child.on('error', reject);
    child.on('close', () => resolve());
  });

type Scout = ReturnType<typeof openScout>;

async function listed(scout: Scout, folder: string): Promise<void> {
  while ((await scout.find(folder, '', 1)).listing) await setTimeout(5);
}

export default async function measure({ quick }: GroupOptions): Promise<Row[]> {
  const files = quick ? FILES / 10 : FILES;
  const runs = quick ? 3 : RUNS;
  const program = await locateRipgrep();
  if (program === null) throw new Error('There is no ripgrep.');
  return await withFolder(async (folder) => {
    fill(folder, files);
    // The first scan brings the folder into the system's cache.
    await plain(program, folder);
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let run = 0; run < runs; run += 1) {
      theirs.push(await timed(() => plain(program, folder)));
      // Includes the worker's start.
      const fresh = openScout(program);
      ours.push(await timed(() => listed(fresh, folder)));
      await fresh.close();
    }
    const scout = openScout(program);
    await listed(scout, folder);
    const typed: number[] = [];
    for (let run = 0; run < runs; run += 1)
      for (const query of QUERIES) typed.push(await timed(() => scout.find(folder, query, 100)));
    const top: number[] = [];
    const large: number[] = [];
    const further: number[] = [];
    const one = join(folder, 'large');
    for (let run = 0; run < runs; run += 1) {
      top.push(await timed(() => listDirectory(folder, folder)));
      large.push(await timed(() => listDirectory(folder, one, {}, scout)));
      further.push(await timed(() => listDirectory(folder, one, { offset: MAX_PAGE }, scout)));
    }
    await scout.close();
    const count = files.toLocaleString('en');
    return [
      {
        row: `list ${count} files for quick open`,
        unit: 'ms',
        ours: median(ours),
        anchor: { name: 'rg --files', value: median(theirs) },
        target: { ratio: 2 },
      },
      {
        row: `first results in ${count} files, median`,
        unit: 'ms',
        ours: median(typed),
        target: { atMost: 100 },
      },
      { row: 'the same, the slowest', unit: 'ms', ours: Math.max(...typed), target: { atMost: 250 } },
      { row: 'the tree of that folder shown', unit: 'ms', ours: median(top), target: { atMost: 200 } },
      {
        row: `first page of a directory of ${(quick ? IN_ONE / 10 : IN_ONE).toLocaleString('en')}`,
        unit: 'ms',
        ours: median(large),
        target: { atMost: 200 },
      },
      { row: 'a further page of it', unit: 'ms', ours: median(further), target: { atMost: 100 } },
    ];
  });
}
