// Folders and files to search and read, the same in every run.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from './steps';

export const RARE = 'needle-in-the-hay';
export const COMMON = 'import';

/** 20,000 text files of 10 KB in 2,000 folders, every eighth of them below a node_modules; `RARE` stands in five files. */
export function makeTree(root: string): void {
  const filler = Array.from({ length: 16 }, (_, seed) => textOf(seed, 10_000));
  for (let folder = 0; folder < 2_000; folder += 1) {
    const parent = folder % 8 === 0 ? 'app/node_modules' : 'app/src';
    const path = join(root, parent, `part-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 10; file += 1) {
      const number = folder * 10 + file;
      const rare = number % 4_000 === 17 ? `${RARE}\n` : '';
      const lines = `${COMMON} one\n`.repeat(10);
      writeFileSync(join(path, `file-${number}.ts`), `${rare}${lines}${filler[number % 16] ?? ''}\n`);
    }
  }
}

/** Bytes of a line of the big log, newline included. */
export const LOG_LINE = 64;

/** A log of 1 GB in lines of 64 bytes. */
export function makeLog(file: string): void {
  const line = (number: number) => `${String(number).padStart(10, '0')} ${'x'.repeat(LOG_LINE - 12)}\n`;
  const block = Array.from({ length: 16_384 }, (_, number) => line(number)).join('');
  const handle = openSync(file, 'w');
  for (let written = 0; written < 1024; written += 1) writeSync(handle, block);
  closeSync(handle);
}
