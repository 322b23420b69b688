import type { ThreadSummary } from '@contract/app';
import { describe, expect, it } from 'vitest';
import { sampleApp } from '../../testing/samples';
import { groupThreads } from './groups';

const { projects, threads } = sampleApp();
const names = (query: string, all: readonly ThreadSummary[] = threads) =>
  groupThreads(projects, all, query).map(({ project, threads: own, archived }) => [
    project.name,
    own.map((one) => one.id),
    ...(archived.length === 0 ? [] : [archived.map((one) => one.id)]),
  ]);
const marked = (id: string, marks: Partial<ThreadSummary>) =>
  threads.map((one) => (one.id === id ? { ...one, ...marks } : one));

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

  it('stand on top where they are pinned, and apart where they are archived, also when looked for', () => {
    expect(names('', marked('t3', { pinned: true }))[0]).toEqual(['my-api', ['t3', 't1', 't2', 't4']]);
    const archived = marked('t4', { archived: true });
    expect(names('', archived)[0]).toEqual(['my-api', ['t1', 't2', 't3'], ['t4']]);
    expect(names('port', archived)).toEqual([['my-api', [], ['t4']]]);
  });

  it('follow their projects, which stand where they were put, new ones above', () => {
    const put = projects.map((one) => (one.id === 'p1' ? { ...one, rank: 1 } : one));
    const order = (given: typeof projects) => groupThreads(given, [], '').map(({ project }) => project.id);
    expect(order(put)).toEqual(['p2', 'p3', 'p1']);
    expect(order(put.map((one) => (one.id === 'p3' ? { ...one, rank: 0 } : one)))).toEqual([
      'p2',
      'p3',
      'p1',
    ]);
  });
});
