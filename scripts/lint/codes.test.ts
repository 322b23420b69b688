import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../process.mjs';

/** The tables of codes. Their keys are the codes. */
const TABLES = [
  'errors.ts',
  'shared/reasons.ts',
  'shared/mcp-reasons.ts',
  'shared/update-reasons.ts',
  'shared/warning-reasons.ts',
].map((file) => join(root, 'src-main/contract', file));

/** A row of a table, with the mark of codes that only stored data of earlier versions has. */
const ROW = /(\/\*\* From an older version\. \*\/\n)?^ {2}(\w+): /gm;

const isSource = (path: string) =>
  /\.tsx?$/.test(path) && !/\.test\.|[\\/]testing[\\/]|[\\/]i18n[\\/](?:en|zh)[\\/]/.test(path);

const sources = ['src-main', 'src-renderer']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(root, folder, path),
    ),
  )
  .filter((path) => isSource(path) && !TABLES.includes(path))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');
const words = new Set(sources.match(/\w+/g));
/** Beginnings of codes whose end is computed. */
const beginnings = [...sources.matchAll(/`(\w+_)\$\{/g)].map(([, beginning = '']) => beginning);

it('each code of an error or reason is used, or marked as one of an older version', () => {
  const rows = TABLES.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(ROW)]);
  expect(rows.length).toBeGreaterThan(500);
  const unused = rows.filter(
    ([, isOld, code = '']) =>
      isOld === undefined && !words.has(code) && !beginnings.some((beginning) => code.startsWith(beginning)),
  );
  expect(unused.map(([, , code]) => code)).toEqual([]);
});
