import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FilesystemBackend } from '../../src-main/harness/backends/filesystem';
import { setSearchEngine } from '../../src-main/harness/backends/search/search';
import { type Contest, type Part, type Side, sure } from '../contest';
import { COMMON, RARE } from '../data';
import { GREP, ripgrep } from './limits';
import { publishedFiles, withRipgrep } from './peer';

const HITS = 1_000;

const hits = (count: number) => ({ answer: `${count} hits` });

const ours =
  (pattern: string, most: number | null): Side =>
  ({ data }) => {
    const backend = new FilesystemBackend({ rootDir: data.tree });
    return {
      run: async () => hits(sure(await backend.grep(pattern, '/', null, most)).matches?.length ?? 0),
    };
  };

const limit =
  (args: string[], pattern: string, most?: number): Side =>
  ({ data }) => ({ run: async () => hits(await ripgrep([...args, pattern, '.'], data.tree, most)) });

const peer =
  (pattern: string, most: number | null, hasRipgrep = true): Side =>
  async ({ data }) => {
    withRipgrep(hasRipgrep);
    const backend = await publishedFiles(data.tree);
    return {
      run: async () => hits(sure(await backend.grep(pattern, '/', null, most)).matches?.length ?? 0),
    };
  };

/** Reads every file that is not hidden and searches for the bytes, one file after another. */
const scan: Side = ({ data }) => ({
  run: () => {
    let count = 0;
    const look = (folder: string) => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.name.startsWith('.')) continue;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) look(path);
        else {
          const bytes = readFileSync(path);
          for (let at = bytes.indexOf(RARE); at !== -1; at = bytes.indexOf(RARE, at + 1)) count += 1;
        }
      }
    };
    look(data.tree);
    return hits(count);
  },
});

const grep = (row: string, rest: Omit<Contest, 'row' | 'unit' | 'data'>): Contest => ({
  row,
  unit: 'ms',
  data: ['tree'],
  ...rest,
});

export const search: Part = [
  grep('grep a rare literal in 20,000 files', {
    runs: 7,
    target: { ratio: 1.15, stall: 16 },
    ours: ours(RARE, null),
    limits: { rg: limit(GREP, RARE) },
    peer: peer(RARE, null),
  }),
  grep('grep a common literal, first 1,000 hits', {
    runs: 7,
    target: { ratio: 3, stall: 16 },
    ours: ours(COMMON, HITS),
    limits: { rg: limit(GREP, COMMON, HITS) },
    peer: peer(COMMON, HITS),
  }),
  grep('grep a common literal, all 218,000 hits', {
    runs: 5,
    target: { ratio: 1.5, stall: 16 },
    ours: ours(COMMON, null),
    limits: {
      'rg --json': ({ data }) => ({
        run: async () => {
          await ripgrep(['--json', '--fixed-strings', COMMON, '.'], data.tree);
          return undefined;
        },
      }),
      rg: limit(GREP, COMMON),
    },
    peer: peer(COMMON, null),
  }),
  grep('grep without ripgrep, rare', {
    runs: 7,
    target: { ratio: 2, stall: 16 },
    ours: async (place) => {
      await setSearchEngine({ engine: 'worker' });
      return ours(RARE, null)(place);
    },
    limits: { 'buffer scan': scan },
    peer: peer(RARE, null, false),
  }),
  {
    row: 'glob **/*.ts',
    unit: 'ms',
    data: ['tree'],
    runs: 7,
    target: { ratio: 2, stall: 16 },
    ours: ({ data }) => {
      const backend = new FilesystemBackend({ rootDir: data.tree });
      return {
        run: async () => ({ answer: `${sure(await backend.glob('**/*.ts', '/')).files?.length} files` }),
      };
    },
    limits: {
      'rg --files': ({ data }) => ({
        run: async () => {
          await ripgrep(['--files', '.'], data.tree);
          return undefined;
        },
      }),
    },
    peer: async ({ data }) => {
      const backend = await publishedFiles(data.tree);
      return {
        run: async () => ({ answer: `${sure(await backend.glob('**/*.ts', '/')).files?.length} files` }),
      };
    },
  },
];
