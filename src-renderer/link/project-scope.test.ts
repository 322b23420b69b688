import { expect, it } from 'vitest';
import { ALL_PROJECTS, projectOf, scopeOptions } from './project-scope';

const words = { all: 'All projects', removed: 'A removed project' };

it('offers all projects and each of them', () => {
  expect(scopeOptions([], ALL_PROJECTS, words)).toEqual([{ value: ALL_PROJECTS, label: words.all }]);
});

it('keeps a removed project as the choice, so that saving does not give the entry to all projects', () => {
  expect(scopeOptions([], 'gone', words)).toEqual([
    { value: ALL_PROJECTS, label: words.all },
    { value: 'gone', label: words.removed },
  ]);
  expect([projectOf('gone'), projectOf(ALL_PROJECTS)]).toEqual(['gone', null]);
});
