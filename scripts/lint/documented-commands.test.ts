import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, run } from '../process.mjs';
import { commandsOf, PROOFS } from './documented-commands.mjs';

/** Records of what was decided and changed, not instructions. */
const RECORDS = new Set(['CHANGELOG.md', 'DECISIONS.md', 'THIRD_PARTY.md']);

it('finds the commands of a page', () => {
  const page =
    '```sh\nnpm ci   # first\nnpm test\n```\nThen `npm run\ndoctor`, not `a command` or ```text\nnpm no\n```';
  expect(commandsOf(page)).toEqual(['npm ci', 'npm test', 'npm run doctor']);
});

it('every command in the documents has a proof that it works, and every proof a command', async () => {
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard']);
  const pages = stdout
    .trim()
    .split('\n')
    .filter((file) => file.endsWith('.md') && !RECORDS.has(file))
    .filter((file) => /^[^/]+$|^docs\/|^src-main\/harness\/README/u.test(file));
  const found = new Set(pages.flatMap((page) => commandsOf(readFileSync(join(root, page), 'utf8'))));
  expect(found.size).toBeGreaterThan(50);
  expect([...found].filter((command) => !(command in PROOFS))).toEqual([]);
  expect(Object.keys(PROOFS).filter((command) => !found.has(command))).toEqual([]);
});

it('the tests that are named as proof exist and say so', () => {
  const missing = Object.values(PROOFS).filter((proof) => {
    if (!('test' in proof)) return false;
    const path = join(root, proof.test);
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(proof.says);
  });
  expect(missing).toEqual([]);
});
