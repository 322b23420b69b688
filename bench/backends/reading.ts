import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FilesystemBackend } from '../../src-main/harness/backends/filesystem';
import { type Contest, type Part, type Runner, type Side, sure } from '../contest';
import { type DataName, LOG_LINE, logLine } from '../data';
import { publishedFiles } from './peer';

const PAGE = 100;
const BLOCK = 64 * 1024;
const STREAM_BLOCK = 256 * 1024;
const DEEP = 5_000_000;
/** The line at the same depth in the 400 MB log. */
const DEEP_400 = 2_000_000;

interface Reader {
  read(
    path: string,
    offset: number,
    limit: number,
  ): Promise<{ error?: string; content?: string | Uint8Array }>;
}

type Open = (root: string) => Promise<Reader> | Reader;

const ours: Open = (rootDir) => new FilesystemBackend({ rootDir });

/** The page must start with the requested line. */
async function page(reader: Reader, name: string, line: number): Promise<undefined> {
  const { content } = sure(await reader.read(`/${name}`, line, PAGE));
  if (typeof content !== 'string' || !content.startsWith(logLine(line).trimEnd()))
    throw new Error(`page ${line} of ${name} begins with ${String(content).slice(0, 40)}`);
}

/** Each run uses a backend that does not know the file yet. */
const first =
  (name: DataName, line: number, opened: Open): Side =>
  ({ data }) => ({ run: async () => page(await opened(join(data[name], '..')), name, line) });

const again =
  (name: DataName, line: number, opened: Open): Side =>
  async ({ data }): Promise<Runner> => {
    const reader = await opened(join(data[name], '..'));
    return { run: () => page(reader, name, line) };
  };

/** Reads the lines of a page at their known offset. */
const seek =
  (name: DataName, line: number): Side =>
  ({ data }) => ({
    run: async () => {
      const file = await open(data[name]);
      const { buffer } = await file.read(Buffer.alloc(BLOCK), 0, BLOCK, line * LOG_LINE);
      await file.close();
      buffer.toString('utf8', 0, PAGE * LOG_LINE);
      return undefined;
    },
  });

/** Streams up to the page and counts lines on the way. */
const stream =
  (name: DataName, line: number): Side =>
  ({ data }) => ({
    run: async () => {
      let lines = 0;
      const end = line * LOG_LINE - 1;
      for await (const chunk of createReadStream(data[name], { end, highWaterMark: STREAM_BLOCK })) {
        const block: Buffer = chunk;
        for (let at = block.indexOf(10); at !== -1; at = block.indexOf(10, at + 1)) lines += 1;
      }
      if (lines !== line) throw new Error(`${lines} lines before ${line}`);
      return undefined;
    },
  });

const log = (row: string, rest: Omit<Contest, 'row' | 'unit'>): Contest => ({ row, unit: 'ms', ...rest });

const SMALL_FILES = 200;

/** Paths of small files in the tree, each in a different folder. */
const small = Array.from({ length: SMALL_FILES }, (_, number) => {
  const folder = number * 10 + 2;
  const parent = folder % 8 === 1 ? 'app/node_modules' : 'app/src';
  return `${parent}/part-${folder}/file-${folder * 10}.ts`;
});

const readSmall =
  (opened: Open): Side =>
  async ({ data }) => {
    const reader = await opened(data.tree);
    return {
      run: async () => {
        for (const path of small) sure(await reader.read(`/${path}`, 0, 500));
        return undefined;
      },
    };
  };

export const reading: Part = [
  log('read 100 lines at the start of 1 GB', {
    data: ['log1000'],
    runs: 15,
    warmUp: 3,
    target: { atMost: 2, stall: 16, memory: 5 },
    ours: first('log1000', 0, ours),
    limits: { 'first 64 KB': seek('log1000', 0) },
    peer: first('log1000', 0, publishedFiles),
  }),
  log('read 100 lines at the start of 400 MB', {
    data: ['log400'],
    runs: 15,
    warmUp: 3,
    target: { atMost: 2, stall: 16, memory: 5 },
    ours: first('log400', 0, ours),
    limits: { 'first 64 KB': seek('log400', 0) },
    peer: first('log400', 0, publishedFiles),
  }),
  log('read 100 lines at line 5,000,000 of 1 GB, first time', {
    data: ['log1000'],
    runs: 7,
    target: { ratio: 1.2, stall: 16 },
    ours: first('log1000', DEEP, ours),
    limits: { stream: stream('log1000', DEEP) },
    peer: first('log1000', DEEP, publishedFiles),
  }),
  log('read 100 lines at line 2,000,000 of 400 MB, first time', {
    data: ['log400'],
    runs: 7,
    target: { ratio: 1.2, stall: 16 },
    ours: first('log400', DEEP_400, ours),
    limits: { stream: stream('log400', DEEP_400) },
    peer: first('log400', DEEP_400, publishedFiles),
  }),
  log('read 100 lines at line 5,000,000 of 1 GB, again', {
    data: ['log1000'],
    runs: 15,
    target: { atMost: 5, stall: 16 },
    ours: again('log1000', DEEP, ours),
    limits: { seek: seek('log1000', DEEP) },
    peer: again('log1000', DEEP, publishedFiles),
  }),
  log('read of a single line of 100 MB', {
    data: ['line100'],
    runs: 15,
    warmUp: 3,
    target: { atMost: 3, stall: 16 },
    ours: ({ data }) => ({
      run: async () => {
        const backend = new FilesystemBackend({ rootDir: join(data.line100, '..') });
        const { content, nextColumn } = sure(await backend.read('/line100', 0, 500));
        if (typeof content !== 'string' || nextColumn === undefined) throw new Error('the line was not cut');
        return undefined;
      },
    }),
    limits: { 'first 64 KB': seek('line100', 0) },
    peer: async ({ data }) => {
      const backend = await publishedFiles(join(data.line100, '..'));
      return {
        run: async () => {
          sure(await backend.read('/line100', 0, 500));
          return undefined;
        },
      };
    },
  }),
  log('read small files, each', {
    data: ['tree'],
    runs: 9,
    warmUp: 2,
    per: SMALL_FILES,
    target: { atMost: 0.3, stall: 16 },
    ours: readSmall(ours),
    limits: {
      readFile: ({ data }) => ({
        run: async () => {
          for (const path of small) await readFile(join(data.tree, path), 'utf8');
          return undefined;
        },
      }),
    },
    peer: readSmall(publishedFiles),
  }),
];
