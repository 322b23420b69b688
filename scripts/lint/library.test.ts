import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../process.mjs';

const HARNESS = join(root, 'src-main/harness');

// Other programs import the harness, so its prompts, results and comments must not speak of this app.
it('the library names the app only in its README', () => {
  const files = readdirSync(HARNESS, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|md)$/u.test(file) && file !== 'README.md')
    .toSorted();
  expect(files).toContain(join('tools', 'jobs.ts'));
  expect(files.filter((file) => readFileSync(join(HARNESS, file), 'utf8').includes('Deepdesk'))).toEqual([]);
});
