import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FilesystemBackend } from '../../src-main/harness/backends/filesystem';
import { type Part, type Side, sure } from '../contest';
import { textOf } from '../text';
import { publishedFiles } from './peer';

/** Few, so that the sides alternate often and a busy moment of the disk affects all of them. */
const FILES = 10;
const SMALL = textOf(1, 1_024);
const BIG = 10_000_000;

/** What the cases need from either backend. */
interface Editor {
  write(path: string, content: string): Promise<{ error?: string }> | { error?: string };
  edit(path: string, from: string, to: string): Promise<{ error?: string; occurrences?: number }>;
}

/** New names in each run: the published package overwrites nothing. */
function names(): string[] {
  const run = randomUUID();
  return Array.from({ length: FILES }, (_, number) => `${run}-${number}.txt`);
}

const write =
  (open: (root: string) => Promise<Editor> | Editor): Side =>
  async ({ own }) => {
    const backend = await open(own);
    return {
      run: async () => {
        for (const name of names()) sure(await backend.write(`/${name}`, SMALL));
        return undefined;
      },
    };
  };

const plainWrite =
  ({ durable }: { durable: boolean }): Side =>
  ({ own }) => ({
    run: async () => {
      for (const name of names()) {
        const temporary = join(own, `.${name}.tmp`);
        const file = await open(temporary, 'wx');
        await file.writeFile(SMALL);
        if (durable) await file.sync();
        await file.close();
        await rename(temporary, join(own, name));
      }
      return undefined;
    },
  });

const LINES = ['the one line that changes, before', 'the one line that changes, after'] as const;

/** 10 MB with one unique line in the middle. */
const bigText = () => {
  const half = textOf(2, BIG / 2);
  return `${half}\n${LINES[0]}\n${half}`;
};

const edit =
  (open: (root: string) => Promise<Editor> | Editor): Side =>
  async ({ own }) => {
    writeFileSync(join(own, 'big.txt'), bigText());
    const backend = await open(own);
    let [from, to]: readonly string[] = LINES;
    return {
      run: async () => {
        const { occurrences } = sure(await backend.edit('/big.txt', from ?? '', to ?? ''));
        [from, to] = [to, from];
        return { answer: `${occurrences} line` };
      },
      close: () => {
        if (!readFileSync(join(own, 'big.txt'), 'utf8').includes(`\n${from}\n`))
          throw new Error('not edited');
      },
    };
  };

const readAndWrite: Side = ({ own }) => {
  const path = join(own, 'big.txt');
  writeFileSync(path, bigText());
  return {
    run: async () => {
      const text = await readFile(path, 'utf8');
      await writeFile(path, text);
      return undefined;
    },
  };
};

const ours = (rootDir: string) => new FilesystemBackend({ rootDir });

export const writing: Part = [
  {
    row: 'write 1 KB files, atomically',
    unit: 'ms',
    runs: 45,
    warmUp: 10,
    per: FILES,
    target: { ratio: 1.3, stall: 16 },
    ours: write(ours),
    limits: {
      'temp + fsync + rename': plainWrite({ durable: true }),
      'temp + rename': plainWrite({ durable: false }),
    },
    peer: write(publishedFiles),
  },
  {
    row: 'edit one line in 10 MB',
    unit: 'ms',
    runs: 9,
    target: { ratio: 2, stall: 16 },
    // With and without three busy programs on four cores: 0.63 to 0.86.
    steady: 1.3,
    ours: edit(ours),
    limits: { 'read + write': readAndWrite },
    peer: edit(publishedFiles),
  },
];
