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
  it('appear under their project, the last changed first', () => {
    expect(names('')).toEqual([
      ['my-api', ['t1', 't2', 't3', 't4']],
      ['sample-project', ['t5']],
      ['old-notes', []],
    ]);
  });

  it('match by part of their title, ignoring case', () => {
    expect(names(' PORT ')).toEqual([['my-api', ['t4']]]);
    expect(names('nowhere')).toEqual([]);
  });

  it('come first if pinned, and are separate if archived, in a search too', () => {
    expect(names('', marked('t3', { pinned: true }))[0]).toEqual(['my-api', ['t3', 't1', 't2', 't4']]);
    const archived = marked('t4', { archived: true });
    expect(names('', archived)[0]).toEqual(['my-api', ['t1', 't2', 't3'], ['t4']]);
    expect(names('port', archived)).toEqual([['my-api', [], ['t4']]]);
  });

  it('follow their projects, which stay where the user put them, with new ones above', () => {
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
