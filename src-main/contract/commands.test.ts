import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from './commands';

/** Text of every source file of the window that is not a test. */
function sources(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name))
    .filter((entry) => !entry.parentPath.includes('testing'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

// The dead-code check cannot see names in strings.
it('has a caller in the window for each command of the contract', () => {
  const text = sources(join(import.meta.dirname, '../../src-renderer'));
  expect(Object.keys(commands).filter((name) => !text.includes(`'${name}'`))).toEqual([]);
});
