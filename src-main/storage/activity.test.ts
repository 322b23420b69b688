import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../base/sqlite/db';
import type { FileState } from '../contract/changes';
import { CallId, ProjectId, ThreadId } from '../contract/ids';
import { because } from '../contract/shared/reasons';
import { type Activity, type ActivityFilter, openActivity, type StartedCall } from './activity';
import { openFileChanges } from './file-changes';
import { openProjects } from './projects';
import { openSpending } from './spending';
import { temporaryDatabase } from './testing/fixtures';
import { project, thread } from './testing/values';
import { openThreads, type Threads } from './threads';

const t1 = ThreadId.parse('t1');
const p1 = ProjectId.parse('p1');
const c = (id: string) => CallId.parse(id);
const ignore = () => undefined;
const all: ActivityFilter = {
  projectId: null,
  threadId: null,
  ruleId: null,
  query: '',
  looks: false,
  before: null,
};
const file = (hash: string): FileState => ({ type: 'file', hash, size: 1, mode: 0o644 });

let db: Db;
let activity: Activity;
let threads: Threads;
beforeEach(() => {
  db = temporaryDatabase();
  for (const id of ['p1', 'p2']) openProjects(db, ignore).save(project(id));
  threads = openThreads(db, ignore);
  threads.insert(thread('t1'));
  threads.insert(thread('t2', { projectId: ProjectId.parse('p2') }));
  activity = openActivity(db, ignore);
});

const call = (id: string, change: Partial<StartedCall> = {}): StartedCall => ({
  projectId: p1,
  threadId: t1,
  callId: c(id),
  at: 1_000,
  agent: null,
  tool: 'execute',
  args: { command: 'npm test' },
  asked: false,
  outside: true,
  reason: [because('allowed_by_rule', { rule: 'npm test …' })],
  ruleId: 'r1',
  mode: 'ask-risky',
  stepCost: 120,
  seq: 5,
  ...change,
});
const ids = (filter: Partial<ActivityFilter>) =>
  activity.list({ ...all, ...filter }, 50).map(({ callId }) => callId);

describe('calls that ran without asking', () => {
  it('are one entry from start to end, with the reason and the outcome', () => {
    activity.started(call('a', { agent: 'tester' }));
    expect(activity.list(all, 10)).toMatchObject([{ callId: 'a', status: 'running', about: 'npm test' }]);
    activity.ended(t1, c('a'), { status: 'done', result: 'ok', durationMs: 7, exitCode: 1, seq: 6 });
    openFileChanges(db, ignore).insert(
      p1,
      { by: 'agent', threadId: t1, callId: c('a'), agent: null, tool: 'execute' },
      1_001,
      [{ path: 'out.txt', before: { type: 'absent' }, after: file('h') }],
    );
    expect(activity.list(all, 10)).toEqual([
      {
        id: 1,
        projectId: 'p1',
        threadId: 't1',
        title: 'Thread t1',
        callId: 'a',
        at: 1_000,
        agent: 'tester',
        tool: 'execute',
        display: 'command',
        about: 'npm test',
        reason: [because('allowed_by_rule', { rule: 'npm test …' })],
        ruleId: 'r1',
        mode: 'ask-risky',
        outside: true,
        status: 'done',
        exitCode: 1,
        durationMs: 7,
        result: 'ok',
        stepCostMicroDollars: 120,
        files: 1,
        undone: false,
      },
    ]);
  });

  it('are not listed while they wait for a decision about what they did', () => {
    activity.started(call('a'));
    activity.waits(t1, c('a'));
    expect(activity.list(all, 10)).toEqual([]);
    activity.started(call('a', { asked: true }));
    activity.ended(t1, c('a'), { status: 'done', result: 'ok', durationMs: 7, exitCode: 0, seq: 6 });
    expect(activity.list(all, 10)).toEqual([]);
  });

  it('are found by project, thread, rule and words, without approved calls, page by page', () => {
    activity.started(call('a'));
    activity.started(call('b', { asked: true }));
    activity.started(call('c', { outside: false, tool: 'read_file', args: { file_path: '/x/Notes.md' } }));
    activity.started(call('d', { threadId: ThreadId.parse('t2'), projectId: ProjectId.parse('p2') }));
    activity.started(call('e', { ruleId: null, args: { command: 'ls -1' } }));
    expect(ids({})).toEqual(['e', 'd', 'a']);
    expect(ids({ looks: true })).toEqual(['e', 'd', 'c', 'a']);
    expect(ids({ projectId: p1 })).toEqual(['e', 'a']);
    expect(ids({ threadId: ThreadId.parse('t2') })).toEqual(['d']);
    expect(ids({ ruleId: 'r1' })).toEqual(['d', 'a']);
    expect(ids({ query: ' notes.MD ', looks: true })).toEqual(['c']);
    expect(ids({ query: '%' })).toEqual([]);
    expect(ids({ query: 'allowed_by_rule' })).toEqual([]);
    expect(ids({ query: 'npm test …' })).toEqual(['e', 'd', 'a']);
    const [first] = activity.list(all, 1);
    expect(ids({ before: first?.id ?? null })).toEqual(['d', 'a']);
  });

  it('show and find a reason that an older version saved as a sentence', () => {
    activity.started(call('a'));
    db.prepare('UPDATE activity SET reason = ?').run('Allowed by your rule "make".');
    const [entry] = activity.list(all, 1);
    expect(entry?.reason).toEqual([because('prose', { text: 'Allowed by your rule "make".' })]);
    expect([ids({ query: 'your rule' }), ids({ query: 'no such words' })]).toEqual([['a'], []]);
  });

  it('are hidden with a deleted thread and removed with an erased one', () => {
    activity.started(call('a'));
    threads.remove(t1, 9);
    expect(ids({})).toEqual([]);
    threads.restore(t1);
    expect(ids({})).toEqual(['a']);
    threads.erase(t1);
    expect(db.prepare('SELECT count(*) AS n FROM activity').get()).toEqual({ n: 0 });
  });

  it('record that their changes were undone, and that the undo was undone', () => {
    activity.started(call('a'));
    const undone = () => activity.list(all, 1)[0]?.undone;
    activity.reverted(t1, c('a'), 'v1');
    expect(undone()).toBe(true);
    activity.restored('v1');
    expect(undone()).toBe(false);
    const memory = { path: '/memories/a.md', change: 'created', undone: false } as const;
    activity.ended(t1, c('a'), { status: 'done', result: '', durationMs: 1, memory, seq: 6 });
    activity.memoryUndone(t1, c('a'));
    expect(activity.list(all, 1)[0]?.memory).toEqual({ ...memory, undone: true });
  });

  it('provide past calls for rules, with the arguments that rules check', () => {
    activity.started(call('a', { asked: true }));
    activity.started(call('b', { tool: 'delete', args: { file_path: '/p/x' } }));
    activity.started(call('c', { args: { command: 'x'.repeat(30_000) } }));
    activity.started(call('d', { threadId: ThreadId.parse('t2'), projectId: ProjectId.parse('p2') }));
    expect(activity.pastCalls(['execute', 'delete'], { projectId: p1 }, 10)).toEqual([
      { threadId: 't1', callId: 'b', tool: 'delete', args: { file_path: '/p/x' } },
      { threadId: 't1', callId: 'a', tool: 'execute', args: { command: 'npm test' } },
    ]);
    expect(activity.pastCalls(['execute'], null, 1)).toHaveLength(1);
  });
});

describe('activity since a thread was last seen', () => {
  it('is empty for a thread that was never seen or in which nothing happened', () => {
    activity.started(call('a'));
    threads.change(t1, { seq: 5 });
    expect(activity.since(t1)).toBe(null);
    activity.see(t1, 5, 50);
    expect(activity.since(t1)).toBe(null);
  });

  it('includes files, commands, memories and costs, by sequence number and not by time', () => {
    const changes = openFileChanges(db, ignore);
    const spending = openSpending(db);
    const author = { by: 'agent', threadId: t1, callId: c('old'), agent: null, tool: 'execute' } as const;
    const spend = (cost: number | null) =>
      spending.add({ threadId: 't1', day: '2026-11-21', model: 'x:y', at: 1, usage: null, cost });
    const write = (path: string, before: FileState, after: FileState) =>
      changes.insert(p1, author, 1, [{ path, before, after }]);
    activity.started(call('old', { seq: 1 }));
    activity.started(call('across', { seq: 2, args: { command: 'make' } }));
    activity.ended(t1, c('old'), { status: 'done', result: '', durationMs: 1, exitCode: 2, seq: 3 });
    write('old.txt', { type: 'absent' }, file('a'));
    spend(1_000);
    threads.change(t1, { seq: 3 });
    activity.see(t1, 3, 50);

    activity.ended(t1, c('across'), { status: 'done', result: '', durationMs: 1, exitCode: 2, seq: 4 });
    activity.started(call('new', { seq: 5, asked: true }));
    activity.ended(t1, c('new'), { status: 'done', result: '', durationMs: 1, exitCode: 0, seq: 6 });
    const memory = { path: '/memories/a.md', change: 'created', undone: false } as const;
    activity.started(call('memory', { seq: 7, tool: 'write_file', args: { file_path: memory.path } }));
    activity.ended(t1, c('memory'), { status: 'done', result: '', durationMs: 1, memory, seq: 8 });
    write('b.txt', file('a'), file('b'));
    write('c.txt', { type: 'absent' }, file('a'));
    write('c.txt', file('a'), { type: 'absent' });
    write('a.txt', file('a'), { type: 'absent' });
    spend(20);
    spend(null);
    threads.change(t1, { seq: 8 });
    expect(activity.since(t1)).toEqual({
      at: 50,
      files: [
        { path: 'a.txt', change: 'removed' },
        { path: 'b.txt', change: 'changed' },
      ],
      more: 0,
      commands: { run: 2, failed: [{ callId: 'across', text: 'make', exitCode: 2 }], failedCount: 1 },
      memories: [memory],
      autoApproved: 2,
      costMicroDollars: 20,
      unpriced: 1,
    });
    // An outdated window reports what it saw again.
    activity.see(t1, 2, 60);
    expect(activity.since(t1)?.at).toBe(50);
    activity.see(t1, 8, 70);
    expect(activity.since(t1)).toBe(null);
  });

  it('reuses sequence numbers of unsaved text and reports their new content', () => {
    threads.change(t1, { seq: 3 });
    activity.see(t1, 9, 50);
    activity.started(call('a', { seq: 4 }));
    threads.change(t1, { seq: 4 });
    expect(activity.since(t1)?.commands.run).toBe(1);
  });

  it('marks calls that a crash interrupted as failed', () => {
    activity.see(t1, 0, 1);
    activity.started(call('a', { seq: 1 }));
    activity.cutOff(t1, 2);
    threads.change(t1, { seq: 2 });
    expect(activity.since(t1)?.commands).toMatchObject({ run: 1, failedCount: 1 });
  });
});
