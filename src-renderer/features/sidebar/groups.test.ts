import { describe, expect, it } from 'vitest';
import { sampleApp } from '../../testing/samples';
import { groupThreads } from './groups';

const { projects, threads } = sampleApp();
const names = (query: string) =>
  groupThreads(projects, threads, query).map(({ project, threads: own }) => [
    project.name,
    own.map((one) => one.id),
  ]);

describe('threads in the sidebar', () => {
  it('stand under their project, the last changed first', () => {
    expect(names('')).toEqual([
      ['my-api', ['t1', 't2', 't3', 't4']],
      ['sample-project', ['t5']],
      ['old-notes', []],
    ]);
  });

  it('are found by a part of their title in any case', () => {
    expect(names(' PORT ')).toEqual([['my-api', ['t4']]]);
    expect(names('nowhere')).toEqual([]);
  });
});
