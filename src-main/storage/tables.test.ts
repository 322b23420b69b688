import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Db } from '../base/sqlite/db';
import { DEFAULT_SETTINGS } from '../contract/default-settings';
import { CallId, MessageId, ProjectId, TerminalId, ThreadId, TurnId } from '../contract/ids';
import { because } from '../contract/shared/reasons';
import { openApprovals } from './approvals';
import { openJournal } from './journal';
import { openMessages } from './messages';
import { openProjects } from './projects';
import { type KeptSecret, openRedactedSecrets } from './redacted-secrets';
import { openSecrets } from './secrets';
import { openSettings } from './settings';
import { openTerminals } from './terminals';
import { temporaryDatabase } from './testing/fixtures';
import { approval, message, project, terminal, thread } from './testing/values';
import { openThreads } from './threads';

const t1 = ThreadId.parse('t1');
const t2 = ThreadId.parse('t2');

let db: Db;
let unreadable: string[];
const note = (table: string, id: string) => {
  unreadable.push(`${table} ${id}`);
};

beforeEach(() => {
  db = temporaryDatabase();
  unreadable = [];
  openProjects(db, note).save(project());
  openThreads(db, note).insert(thread('t1'));
  openThreads(db, note).insert(thread('t2', { updatedAt: 2 }));
});

describe('projects', () => {
  it('are listed by opening time, and return with their threads when opened again', () => {
    const projects = openProjects(db, note);
    const threads = openThreads(db, note);
    projects.save(project('p2', { openedAt: 5 }));
    projects.remove(ProjectId.parse('p1'), 9);
    expect([projects.list(), threads.summaries()]).toEqual([[project('p2', { openedAt: 5 })], []]);
    const again = projects.byFolder('/home/me/p1');
    expect(again).toEqual(project());
    projects.save(project('p1', { openedAt: 7 }));
    expect(projects.list().map((one) => one.id)).toEqual(['p1', 'p2']);
    expect(threads.summaries().map((one) => one.id)).toEqual(['t2', 't1']);
  });
});

describe('threads', () => {
  it('change only in the given parts', () => {
    const threads = openThreads(db, note);
    const usage = { inputTokens: 1, outputTokens: 2, contextTokens: 3 };
    const turn = { phase: 'running' as const, turnId: TurnId.parse('turn'), startedAt: 4 };
    threads.change(t1, { seq: 7, usage });
    threads.change(t1, { turn, todos: [{ content: 'x', status: 'pending' }] });
    expect(threads.get(t1)).toEqual({
      thread: thread('t1'),
      seq: 7,
      turn,
      todos: [{ content: 'x', status: 'pending' }],
      usage,
      queue: [],
    });
    expect(threads.unfinished()).toEqual(['t1']);
  });

  it('show in the sidebar what they do and how many calls are pending', () => {
    const threads = openThreads(db, note);
    const approvals = openApprovals(db, note);
    threads.change(t1, { turn: { phase: 'waiting', turnId: TurnId.parse('turn'), startedAt: 4 } });
    approvals.insert(approval('a'));
    approvals.insert(approval('b'));
    expect(threads.summaries()).toEqual([
      { id: 't2', projectId: 'p1', title: 'Thread t2', updatedAt: 2, status: 'idle', waiting: 0 },
      { id: 't1', projectId: 'p1', title: 'Thread t1', updatedAt: 1, status: 'waiting', waiting: 2 },
    ]);
    expect(threads.summary(t1)?.waiting).toBe(2);
  });

  it('can be restored after deletion until they are erased with everything that belongs to them', () => {
    const threads = openThreads(db, note);
    const messages = openMessages(db, note);
    messages.save(t1, message('m1'));
    threads.remove(t1, 100);
    expect([threads.get(t1), threads.summaries().length]).toEqual([null, 1]);
    expect([threads.restore(t1), threads.restore(t1)]).toEqual([true, false]);
    expect(messages.all(t1)).toEqual([message('m1')]);
    threads.remove(t1, 100);
    expect([threads.removedBefore(100), threads.removedBefore(101)]).toEqual([[], ['t1']]);
    expect(threads.erased([t1, t1])).toEqual([]);
    threads.erase(t1);
    expect(threads.erased([t1])).toEqual(['t1']);
    expect([messages.all(t1), threads.restore(t1)]).toEqual([[], false]);
  });

  it('do not break the list when one row is unreadable', () => {
    db.prepare("UPDATE threads SET info = '{}' WHERE id = 't1'").run();
    db.prepare("UPDATE threads SET todos = 'oh' WHERE id = 't2'").run();
    const threads = openThreads(db, note);
    expect(threads.summaries().map((one) => one.id)).toEqual(['t2']);
    expect([threads.get(t1), threads.get(t2)?.todos]).toEqual([null, []]);
    expect(unreadable).toEqual(['threads t1', 'threads t1', 'threads t2']);
  });
});

describe('messages', () => {
  it('show each call as the catalogue defines, whatever was saved with it', () => {
    const messages = openMessages(db, note);
    const calls = [
      { callId: 'a', name: 'edit_file', args: {}, status: 'done' },
      { callId: 'b', name: 'execute', display: 'drawn', args: {}, status: 'done' },
      { callId: 'c', name: 'server__tool', display: 'edit', args: {}, status: 'done' },
    ];
    const old = { role: 'agent', id: 'm', at: 1, text: '', reasoning: '', calls, phase: 'done' };
    messages.save(t1, message('m'));
    db.prepare("UPDATE messages SET body = ? WHERE id = 'm'").run(JSON.stringify(old));
    const [read] = messages.all(t1);
    const shown = read?.role === 'agent' ? read.calls.map(({ display }) => display) : [];
    expect({ shown, unreadable }).toEqual({ shown: ['edit', 'command', undefined], unreadable: [] });
  });

  it('keep their position when saved again, and disappear when removed', () => {
    const messages = openMessages(db, note);
    for (const id of ['a', 'b', 'c']) messages.save(t1, message(id));
    messages.save(t1, message('a', 'changed'));
    messages.save(t2, message('a', 'of another thread'));
    messages.remove(t1, MessageId.parse('b'));
    expect(messages.all(t1)).toEqual([message('a', 'changed'), message('c')]);
  });

  it('are returned in pages from the end, without unreadable ones', () => {
    const messages = openMessages(db, note);
    for (const id of ['a', 'b', 'c', 'd', 'e']) messages.save(t1, message(id));
    db.prepare(`UPDATE messages SET body = '{"role":"ghost"}' WHERE id = 'd'`).run();
    const last = messages.page(t1, { limit: 2 });
    expect(last).toEqual({ messages: [message('e')], before: 4 });
    const middle = messages.page(t1, { limit: 2, before: last.before ?? 0 });
    expect(middle).toEqual({ messages: [message('b'), message('c')], before: 2 });
    expect(messages.page(t1, { limit: 2, before: 2 })).toEqual({ messages: [message('a')], before: null });
    expect(unreadable).toEqual(['messages d']);
  });
});

describe('approvals', () => {
  it('show a reason that an older version saved as a sentence', () => {
    const approvals = openApprovals(db, note);
    approvals.insert(approval('a'));
    db.exec(
      `UPDATE approvals SET body = json_set(body, '$.reason', 'make: it runs targets of the Makefile.')`,
    );
    expect(approvals.waiting(t1)[0]?.reason).toEqual([
      because('prose', { text: 'make: it runs targets of the Makefile.' }),
    ]);
  });

  const approve = { type: 'approve' as const };

  it('are taken once, with the digest that was shown, in the thread that asked', () => {
    const approvals = openApprovals(db, note);
    const a = approval('a');
    approvals.insert(a);
    expect(approvals.take(t2, a.id, a.digest, approve, 5)).toMatchObject({ error: { kind: 'not_found' } });
    expect(approvals.take(t1, a.id, 'other', approve, 5)).toMatchObject({ error: { kind: 'stale' } });
    expect(approvals.take(t1, a.id, a.digest, approve, 5)).toEqual({
      ok: true,
      value: { approval: a, decision: approve },
    });
    expect(approvals.take(t1, a.id, a.digest, approve, 5)).toMatchObject({ error: { kind: 'not_found' } });
    expect([approvals.waiting(t1), approvals.taken(t1)]).toEqual([[], [{ approval: a, decision: approve }]]);
  });

  it('are not reopened by asking again, but replaced while pending', () => {
    const approvals = openApprovals(db, note);
    const a = approval('a');
    const edited = approval('a', { digest: 'other', args: { command: 'make all' } });
    expect([approvals.insert(a), approvals.insert(edited)]).toEqual([true, true]);
    expect(approvals.waiting(t1)).toEqual([edited]);
    approvals.take(t1, a.id, 'other', approve, 5);
    expect(approvals.insert(a)).toBe(false);
    expect(approvals.waiting(t1)).toEqual([]);
  });

  it('of all threads are listed in the order they were requested, and withdrawn by thread', () => {
    const approvals = openApprovals(db, note);
    const [a, b, c] = [approval('a'), approval('b', { threadId: 't2' }), approval('c')];
    for (const one of [a, b, c]) approvals.insert(one);
    expect(approvals.allWaiting()).toEqual([a, b, c]);
    expect(approvals.withdraw(t1)).toEqual([a, c]);
    expect(approvals.allWaiting()).toEqual([b]);
    approvals.clear(t2);
    expect(approvals.allWaiting()).toEqual([]);
  });
});

describe('redacted secrets', () => {
  it('are saved for a thread that exists, and changed there', () => {
    const secrets = openRedactedSecrets(db, note);
    const secret: KeptSecret = { number: 1, kind: 'github-token', allowed: false, places: [], digest: 'd' };
    const gone = ThreadId.parse('gone');
    for (const threadId of [t1, gone]) secrets.save(threadId, secret);
    secrets.save(t1, { ...secret, allowed: true });
    expect([secrets.list(t1), secrets.list(gone)]).toEqual([[{ ...secret, allowed: true }], []]);
  });
});

describe('the journal', () => {
  it('distinguishes a new call from one that ran and from one with an unknown outcome', () => {
    const journal = openJournal(db, undefined, () => 1);
    const [a, b] = [CallId.parse('a'), CallId.parse('b')];
    expect(journal.lookup(t1, a)).toBe(null);
    expect(journal.begin(t1, a, 'd')).toEqual({ state: 'started', isNew: true, digest: 'd' });
    expect(journal.begin(t1, a, 'd2')).toEqual({ state: 'started', isNew: false, digest: 'd' });
    journal.begin(t1, b, 'd');
    expect(journal.unfinished(t1)).toEqual(['a', 'b']);
    journal.finish(t1, a, '"done"');
    journal.finish(t1, a, '"again"');
    expect(journal.begin(t1, a, 'd')).toEqual({ state: 'finished', digest: 'd', result: '"done"' });
    expect([journal.unfinished(t1), journal.lookup(t2, a)]).toEqual([['b'], null]);
  });
});

describe('terminals', () => {
  const id = TerminalId.parse('x');

  it('keep the last part of the output and its offset', () => {
    const terminals = openTerminals(db, note, 10);
    terminals.save(terminal('x'));
    const ends = ['abcd', 'efgh', 'ijkl', 'm'].map((data) => terminals.append(id, data));
    expect(ends).toEqual([4, 8, 12, 13]);
    expect(terminals.output(id)).toEqual({ offset: 3, data: 'defghijklm' });
  });

  it('keep a character that arrives in two halves', () => {
    const terminals = openTerminals(db, note);
    terminals.save(terminal('x'));
    const [high, low] = ['😀'.slice(0, 1), '😀'.slice(1)];
    expect([terminals.append(id, `a${high}`), terminals.output(id).data]).toEqual([2, `a${high}`]);
    expect(terminals.append(id, `${low}b`)).toBe(4);
    expect(openTerminals(db, note).output(id)).toEqual({ offset: 0, data: 'a😀b' });
  });

  it('that were running are lost after a restart, and the oldest are deleted', () => {
    const terminals = openTerminals(db, note);
    terminals.save(terminal('x'));
    terminals.save(terminal('y', { startedAt: 2, endedAt: 3, status: 'exited', exitCode: 0 }));
    const lost = terminal('x', { status: 'lost', endedAt: 9 });
    expect(terminals.loseRunning(9)).toEqual([lost]);
    expect(terminals.loseRunning(9)).toEqual([]);
    terminals.append(id, 'old');
    terminals.prune(1);
    expect(terminals.list().map((one) => one.id)).toEqual(['y']);
    expect([terminals.get(id), terminals.output(id)]).toEqual([null, { offset: 0, data: '' }]);
  });
});

describe('settings', () => {
  it('start with the defaults, and only an unreadable one falls back', () => {
    const settings = openSettings(db, note);
    expect(settings.read()).toEqual(DEFAULT_SETTINGS);
    settings.change({ theme: 'dark', language: 'zh' });
    db.prepare(`UPDATE settings SET body = '"tlh"' WHERE key = 'app.language'`).run();
    expect(settings.change({ onboarded: true })).toEqual({
      ...DEFAULT_SETTINGS,
      theme: 'dark',
      onboarded: true,
    });
    expect(unreadable).toEqual(['settings app.language']);
  });

  it('keep other values by name', () => {
    const settings = openSettings(db, note);
    settings.set('window', { width: 900 });
    const Size = z.object({ width: z.number() });
    expect(settings.get('window', Size)).toEqual({ width: 900 });
    settings.remove('window');
    expect(settings.get('window', Size)).toBe(null);
  });
});

describe('secrets', () => {
  it('return the stored bytes', () => {
    const secrets = openSecrets(db);
    const bytes = Uint8Array.from([0, 255, 7]);
    secrets.set('openai', bytes, 1);
    expect([[...(secrets.get('openai') ?? [])], secrets.list()]).toEqual([[0, 255, 7], ['openai']]);
    secrets.remove('openai');
    expect([secrets.get('openai'), secrets.list()]).toEqual([null, []]);
  });
});
