import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FilesystemBackend } from '../../src-main/harness/backends/filesystem';
import type { LsOptions } from '../../src-main/harness/backends/protocol';
import { type Part, type Side, sure } from '../contest';
import { publishedFiles } from './peer';

const ALL = 100_000;
/** Entries per page, the backend's default. */
const PAGE = 10_000;

const entries = (count: number | undefined) => ({ answer: `${count} entries` });

const ours =
  (options: LsOptions): Side =>
  ({ data }) => {
    const backend = new FilesystemBackend({ rootDir: data.entries });
    return { run: async () => entries(sure(await backend.ls('/', options)).files?.length) };
  };

const lstat =
  (most: number): Side =>
  ({ data }) => ({
    run: () => {
      const names = readdirSync(data.entries).sort().slice(0, most);
      const sizes = names.map((name) => lstatSync(join(data.entries, name)).size);
      return entries(sizes.length);
    },
  });

const peer: Side = async ({ data }) => {
  const backend = await publishedFiles(data.entries);
  return { run: async () => entries(sure(await backend.ls('/')).files?.length) };
};

export const listing: Part = [
  {
    row: 'ls of 100,000 entries, first page',
    unit: 'ms',
    data: ['entries'],
    runs: 5,
    target: { atMost: 100, stall: 16 },
    ours: ours({}),
    limits: { lstat: lstat(PAGE) },
    peer,
  },
  {
    row: 'ls of 100,000 entries, all',
    unit: 'ms',
    data: ['entries'],
    runs: 5,
    target: { ratio: 2, stall: 16 },
    ours: ours({ limit: ALL }),
    limits: { lstat: lstat(ALL) },
    peer,
  },
];
