import { expect, it, onTestFinished } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { CallId, PlaceId, ProjectId, ThreadId } from '../contract/ids';

import { openStorage } from '.';
import type { StartedCall } from './activity';
import { openDatabase } from './database/open';
import { temporaryFolder } from './testing/fixtures';
import { message, project, thread } from './testing/values';

const p1 = ProjectId.parse('p1');
const t1 = ThreadId.parse('t1');
const place = PlaceId.parse('place');
const memories = ['memories'];
const change = [{ path: 'a', before: { type: 'absent' }, after: { type: 'dir', mode: 0o755 } }] as const;
const call: Omit<StartedCall, 'callId'> = {
  projectId: p1,
  threadId: t1,
  at: 1,
  agent: null,
  tool: 'execute',
  args: { command: 'make' },
  asked: false,
  outside: true,
  reason: [],
  ruleId: null,
  mode: 'ask-risky',
  stepCost: null,
  seq: 1,
};

/** A database with two rows of each kind, one of them damaged. */
async function damaged() {
  const file = `${temporaryFolder()}/deepdesk.db`;
  const open = () => {
    const opened = openStorage(file);
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    return opened.value;
  };
  const first = open();
  for (const id of ['p1', 'p2']) first.projects.save(project(id));
  for (const id of ['copy', 'bad-copy'])
    first.projects.save(project(id, { copy: { of: p1, madeAt: 1, method: 'copy', ignored: false } }));
  for (const id of ['t1', 't2']) {
    first.threads.insert(thread(id));
    first.activity.started({ ...call, threadId: ThreadId.parse(id), callId: CallId.parse(id) });
    first.placeCalls.add(place, {
      threadId: ThreadId.parse(id),
      callId: CallId.parse(id),
      at: 1,
      operation: 'read',
      target: '/a',
      result: 'allowed',
    });
  }
  for (const id of ['m1', 'm2']) first.messages.save(t1, message(id, 'apple'));
  for (const tool of ['write_file', 'damaged'])
    first.fileChanges.insert(
      p1,
      { by: 'agent', threadId: t1, callId: CallId.parse('c'), agent: null, tool },
      1,
      change,
    );
  await first.store.put(memories, '/a.md', { content: 'apple' });
  await first.store.put(memories, '/b.md', { content: 'apple' });
  first.close();
  const raw = openDatabase(file);
  if (!raw.ok) throw new Error('not opened');
  raw.value.db.exec(`
    UPDATE projects SET body = '{"copy' WHERE id = 'bad-copy';
    UPDATE threads SET info = '{"title' WHERE id = 't2';
    UPDATE messages SET body = '{"role' WHERE id = 'm2';
    DROP INDEX file_changes_auto_approved;
    UPDATE file_changes SET author = '{"by' WHERE author LIKE '%damaged%';
    UPDATE store_log SET value = '{"content' WHERE seq = (SELECT current FROM store_items WHERE key = '/b.md');
  `);
  raw.value.db.close();
  const storage = open();
  onTestFinished(() => storage.close());
  return storage;
}

it('leaves out damaged rows, and shows all others', async () => {
  const storage = await damaged();
  expect(storage.projects.copiesOf(p1).map(({ id }) => id)).toEqual(['copy']);
  storage.projects.remove(p1, 1);
  expect(storage.projects.removedWith(p1)).toEqual([]);
  storage.projects.restore(p1);
  expect(storage.rules.applying(ProjectId.parse('bad-copy'), t1)).toEqual([]);
  expect(storage.rules.pastCalls(['execute'], null, 9)).toEqual([]);
  expect(storage.search.index(1_000)).toBe(false);
  expect(storage.search.find('apple', { limit: 9 }).map(({ messageId }) => messageId)).toEqual(['m1']);
  expect(storage.fileChanges.lastByAuthor(p1).get('a')).toMatchObject([{ by: 'agent' }]);
  expect(storage.placeCalls.list(place).map(({ title }) => title)).toEqual(['', 'Thread t1']);
  const shown = { query: '', looks: true, before: null, projectId: null, threadId: null, ruleId: null };
  expect(storage.activity.list(shown, 9).map(({ title }) => title)).toEqual(['', 'Thread t1']);
  const page = { offset: 0, limit: 9 };
  const found = await storage.browse.find([memories], { words: ['apple'] }, page);
  expect(found.items.map(({ key }) => key)).toEqual(['/a.md']);
  expect(await storage.browse.find([memories], { words: [], by: 'unverified' }, page)).toMatchObject({
    total: 0,
  });
});
