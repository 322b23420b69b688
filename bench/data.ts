// The data of the benchmarks: made by rule, so the same on every machine, and kept between runs in the temporary folder.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../scripts/process.mjs';
import { makeStore } from './backends/store-data';
import { textOf } from './text';

/** Raise it when what is made changes: older data is then left alone and recreated. */
const VERSION = 1;

const dataRoot = join(tmpdir(), `deepdesk-bench-data-v${VERSION}`);

/** What may be asked for, and what makes it at a path that is not there yet. */
const makers = {
  /** T1: a folder of 20,000 text files, 200 MB. */
  tree: makeTree,
  /** A folder of 100,000 empty files. */
  entries: makeEntries,
  /** A repository of 100,000 committed files of a kilobyte in 2,000 folders. */
  sources: makeSources,
  /** T2: logs, and one line of 100 MB. */
  log400: (path: string) => makeLog(path, 400),
  log1000: (path: string) => makeLog(path, 1_000),
  line100: makeLine,
  /** 30 MB of characters of three bytes each. */
  wide: makeWide,
  /** T3: stores of memories. */
  store10k: (path: string) => makeStore(path, 10_000),
  store100k: (path: string) => makeStore(path, 100_000),
};

export type DataName = keyof typeof makers;

/** The path of a piece of data, which is made first where it is missing. */
export async function dataPath(name: DataName): Promise<string> {
  const path = join(dataRoot, name);
  if (existsSync(path)) return path;
  console.error(`making ${name} in ${dataRoot}`);
  mkdirSync(dataRoot, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await makers[name](unfinished);
  // Another run may have been first.
  if (existsSync(path)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, path);
  return path;
}

export function deleteData(): void {
  rmSync(dataRoot, { recursive: true, force: true });
}

export const RARE = 'needle-in-the-hay';
export const COMMON = 'import';

/**
 * 20,000 files of 10 KB in 2,000 folders: every tenth below `.git`, every eighth of the others below a `node_modules`.
 * `RARE` stands in five files that are not hidden, `COMMON` 218,000 times in those.
 */
function makeTree(root: string): void {
  const filler = Array.from({ length: 16 }, (_, seed) => textOf(seed, 9_700));
  let visible = 0;
  for (let folder = 0; folder < 2_000; folder += 1) {
    const hidden = folder % 10 === 0;
    const parent = hidden ? 'app/.git/objects' : folder % 8 === 1 ? 'app/node_modules' : 'app/src';
    const path = join(root, parent, `part-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 10; file += 1) {
      const number = folder * 10 + file;
      const rare = !hidden && number % 4_000 === 17 ? `${RARE}\n` : '';
      // 12 or 13 hits, spread over the file as the imports and words of a source are.
      const hits = 12 + (!hidden && visible % 9 === 0 ? 1 : 0);
      const lines = (filler[number % 16] ?? '').split('\n');
      const every = Math.floor(lines.length / hits);
      for (let hit = 0; hit < hits; hit += 1)
        lines[hit * every] = `${COMMON} { part${hit} } from './${number}';`;
      writeFileSync(
        join(path, `file-${number}.${file % 2 === 0 ? 'ts' : 'md'}`),
        `${rare}${lines.join('\n')}\n`,
      );
      if (!hidden) visible += 1;
    }
  }
}

function makeEntries(root: string): void {
  mkdirSync(root, { recursive: true });
  for (let number = 0; number < 100_000; number += 1)
    closeSync(openSync(join(root, `entry-${String(number).padStart(6, '0')}.txt`), 'w'));
}

/** Of the repository: sub-folders, and files in each. */
export const SOURCE_FOLDERS = 2_000;
const SOURCE_FILES = 50;

/** Path of a file of the repository. */
export const sourceFile = (folder: number, file: number) =>
  join(`part-${folder % 50}`, `sub-${folder}`, `file-${file}.ts`);

export const sourceText = (file: number) => textOf(file, 1_000);

async function makeSources(root: string): Promise<void> {
  const texts = Array.from({ length: SOURCE_FILES }, (_, file) => sourceText(file));
  for (let folder = 0; folder < SOURCE_FOLDERS; folder += 1) {
    mkdirSync(join(root, sourceFile(folder, 0), '..'), { recursive: true });
    for (const [file, text] of texts.entries()) writeFileSync(join(root, sourceFile(folder, file)), text);
  }
  const git = async (...args: string[]) => {
    const { code, output } = await run('git', args, { cwd: root });
    if (code !== 0) throw new Error(`git ${args[0]}: ${output}`);
  };
  await git('init', '-q');
  // Nothing goes on by itself after a command has ended.
  await git('config', 'gc.auto', '0');
  await git('config', 'maintenance.auto', 'false');
  await git('add', '-A');
  await git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-qm', 'first');
}

/** Bytes of a line of a log, newline included. */
export const LOG_LINE = 64;
/** Bytes of a "MB" of a log: whole lines. */
export const LOG_MB = 1_000_000;

/** Lines of 64 bytes that each begin with their number, 0-based. */
function makeLog(file: string, megabytes: number): void {
  const lines = LOG_MB / LOG_LINE;
  const handle = openSync(file, 'w');
  for (let block = 0; block < megabytes; block += 1)
    writeSync(handle, Array.from({ length: lines }, (_, line) => logLine(block * lines + line)).join(''));
  closeSync(handle);
}

export const logLine = (number: number) =>
  `${String(number).padStart(10, '0')} ${'x'.repeat(LOG_LINE - 12)}\n`;

function makeLine(file: string): void {
  const handle = openSync(file, 'w');
  for (let block = 0; block < 100; block += 1)
    writeSync(handle, textOf(block, 1_000_000).replaceAll('\n', ' '));
  closeSync(handle);
}

function makeWide(file: string): void {
  writeFileSync(file, `${'日本語'.repeat(11)}\n`.repeat(300_000));
}
