import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import type { Db } from '../base/sqlite/db';
import type { Rule } from '../contract/control';
import { Message } from '../contract/conversation';
import { ProjectId, ThreadId } from '../contract/ids';
import { openApprovals } from './approvals';
import { openDatabase } from './database/open';
import { openMessages } from './messages';
import { migrations } from './migrations';
import { openProjects } from './projects';
import { openRules } from './rules';
import { temporaryDatabase, temporaryFolder } from './testing/fixtures';
import { approval, message, project, thread } from './testing/values';
import { openThreads } from './threads';

const t1 = ThreadId.parse('t1');
const t2 = ThreadId.parse('t2');
const p1 = ProjectId.parse('p1');
const ignore = () => undefined;
let db: Db;
beforeEach(() => {
  db = temporaryDatabase();
  openProjects(db, ignore).save(project());
  openProjects(db, ignore).save(project('p2'));
  openThreads(db, ignore).insert(thread('t1'));
  openThreads(db, ignore).insert(thread('t2', { projectId: ProjectId.parse('p2') }));
});

const rule = (id: string, scope: Rule['scope'], createdAt = 1): Rule => ({
  id,
  createdAt,
  effect: 'allow',
  match: { kind: 'tool', tool: id },
  scope,
});

it('applies rules in their thread, their project, or everywhere, and deletes them with it', () => {
  const rules = openRules(db, ignore);
  rules.save(rule('of person', { kind: 'person' }, 3));
  rules.save(rule('of thread', { kind: 'thread', threadId: t1 }));
  rules.save(rule('of project', { kind: 'project', projectId: p1 }, 2));
  const ids = (found: Rule[]) => found.map(({ id }) => id);
  expect(ids(rules.applying(p1, t1))).toEqual(['of thread', 'of project', 'of person']);
  expect(ids(rules.applying(ProjectId.parse('p2'), t2))).toEqual(['of person']);
  expect([rules.remove('of person'), rules.remove('of person')]).toEqual([true, false]);
  openThreads(db, ignore).erase(t1);
  expect(ids(rules.list())).toEqual(['of project']);
  expect(rules.get('of project')).toEqual(rule('of project', { kind: 'project', projectId: p1 }, 2));
});

it('returns the latest calls of a tool in a thread, a project, or everywhere', () => {
  const messages = openMessages(db, ignore);
  const said = (id: string, ...commands: string[]) =>
    Message.parse({
      role: 'agent',
      id,
      at: 1,
      text: '',
      reasoning: '',
      phase: 'done',
      calls: commands.map((command, index) => ({
        callId: `${id}-${index}`,
        name: command === 'look' ? 'ls' : 'execute',
        args: { command },
        status: 'done',
      })),
    });
  messages.save(t1, message('m0'));
  messages.save(t1, said('m1', 'one', 'look', 'two'));
  messages.save(t2, said('m2', 'three'));
  const rules = openRules(db, ignore);
  const past = (within: Parameters<typeof rules.pastCalls>[1], limit = 9) =>
    rules.pastCalls(['execute'], within, limit).map(({ args }) => args.command);
  expect(past(null)).toEqual(['three', 'two', 'one']);
  expect(past({ projectId: p1 })).toEqual(['two', 'one']);
  expect(past({ threadId: t2 })).toEqual(['three']);
  expect(past(null, 2)).toEqual(['three', 'two']);
  openThreads(db, ignore).remove(t2, 5);
  expect(past(null)).toEqual(['two', 'one']);
});

it('withdraws a single approval that a rule answers', () => {
  const approvals = openApprovals(db, ignore);
  approvals.insert(approval('a1'));
  approvals.insert(approval('a2'));
  approvals.drop(t1, approval('a1').id);
  expect(approvals.waiting(t1).map(({ id }) => id)).toEqual(['a2']);
});

it('names the change to a file in rules about paths, including older ones', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'd.sqlite');
  const open = (list?: readonly string[]) => {
    const opened = openDatabase(file, list === undefined ? {} : { migrations: list });
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    return opened.value.db;
  };
  const place = { scope: { kind: 'person' }, createdAt: 1, effect: 'deny' };
  const old = open(migrations.slice(0, 13));
  const insert = old.prepare('INSERT INTO rules (id, created_at, body) VALUES (?, 1, ?)');
  const tools = ['write_file', 'edit_file', 'delete'];
  const paths = { id: 'paths', ...place, match: { kind: 'path', tools, glob: 'write_file/"**' } };
  const tool = { id: 'tool', ...place, match: { kind: 'tool', tool: 'write_file' } };
  for (const one of [paths, tool]) insert.run(one.id, JSON.stringify(one));
  old.close();

  const now = open();
  const unreadable: string[] = [];
  const rules = openRules(now, (_table, id) => unreadable.push(id)).list();
  expect({ rules, unreadable }).toEqual({
    rules: [
      { ...paths, match: { kind: 'path', changes: ['write', 'edit', 'delete'], glob: 'write_file/"**' } },
      tool,
    ],
    unreadable: [],
  });
  now.close();
});
