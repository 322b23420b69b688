import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
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

// security.md section 4, 13: where a project lies comes from the system's dialog or from what is saved of it.
it('13 lets the window name no folder for a project', () => {
  const ofProjects = Object.entries(commands).filter(([name]) => name.startsWith('project.'));
  expect(ofProjects.length).toBeGreaterThan(8);
  const valid = { projectId: 'p1', name: 'n', mode: 'plan', on: true, before: null, id: 'o1', open: true };
  const taken = ofProjects.filter(([, { input }]) => {
    if (!(input instanceof z.ZodObject)) throw new Error('arguments are an object');
    const own = Object.fromEntries(Object.entries(valid).filter(([key]) => key in input.shape));
    if (!input.safeParse(own).success) throw new Error('the sample of arguments is out of date');
    return ['folder', 'path', 'mount', 'folders'].some(
      (key) => key in input.shape || input.safeParse({ ...own, [key]: '/etc' }).success,
    );
  });
  expect(taken).toEqual([]);
});
