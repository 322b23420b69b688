import { join } from 'node:path';
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { because } from '../contract/shared/reasons';
import { openStorage, type Storage } from './index';
import { temporaryFolder } from './testing/fixtures';
import { approval, message, project, thread } from './testing/values';

function open(file = join(temporaryFolder(), 'd.sqlite')): Storage {
  const opened = openStorage(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  onTestFinished(() => opened.value.close());
  return opened.value;
}

function withThreads(storage: Storage) {
  storage.projects.save(project());
  for (const id of ['t1', 't2']) storage.threads.insert(thread(id));
}

describe('openStorage', () => {
  it('writes related rows atomically', () => {
    const storage = open();
    withThreads(storage);
    const t1 = thread('t1').id;
    const write = () =>
      storage.transaction(() => {
        storage.messages.save(t1, message('m'));
        storage.approvals.insert(approval('a'));
        // The thread does not exist, so the database rejects it.
        storage.approvals.insert(approval('b', { threadId: 'nobody' }));
      });
    expect(write).toThrow('FOREIGN KEY');
    expect([storage.messages.all(t1), storage.approvals.allWaiting()]).toEqual([[], []]);
  });

  it('shows what another process wrote and lets only one process run a thread', () => {
    const file = join(temporaryFolder(), 'd.sqlite');
    const [one, two] = [open(file), open(file)];
    withThreads(one);
    expect(two.threads.summaries().map((summary) => summary.id)).toEqual(['t2', 't1']);
    one.approvals.insert(approval('a'));
    const { threadId, id, digest } = approval('a');
    expect(two.approvals.take(threadId, id, digest, { type: 'approve' }, 1).ok).toBe(true);
    expect(one.approvals.take(threadId, id, digest, { type: 'approve' }, 1)).toMatchObject({
      error: { kind: 'not_found' },
    });
  });

  it('sorts later writes last after the clock was set back, even after a restart', () => {
    const file = join(temporaryFolder(), 'd.sqlite');
    const first = open(file);
    withThreads(first);
    const late = Date.now() + 3_600_000;
    const [t1, t2] = [thread('t1'), thread('t2')];
    first.threads.change(t1.id, { thread: { ...t1, updatedAt: late } });
    const again = open(file);
    again.threads.change(t2.id, { thread: { ...t2, updatedAt: again.now() } });
    expect(again.now()).toBeGreaterThan(late);
    expect(again.threads.summaries().map(({ id }) => id)).toEqual(['t2', 't1']);
    // An answer after the person's last visit is new, whatever the clock said then.
    again.activity.see(t2.id, 0, again.now());
    again.threads.change(t2.id, { answeredAt: again.now() + 1 });
    expect(again.threads.summary(t2.id)?.unread).toBe(true);
  });

  it('erases deleted threads with everything that belongs to them, and nothing else', async () => {
    const storage = open();
    withThreads(storage);
    const [t1, t2] = [thread('t1').id, thread('t2').id];
    for (const id of [t1, t2]) {
      storage.messages.save(id, message('m'));
      const one = {
        ...emptyCheckpoint(),
        channel_values: { a: 'x'.repeat(200) },
        channel_versions: { a: 1 },
      };
      await storage.checkpointer.put(
        { configurable: { thread_id: id } },
        one,
        { source: 'loop', step: 0, parents: {} },
        { a: 1 },
      );
    }
    storage.threads.remove(t1, 10);
    expect([await storage.purge(10), await storage.purge(11)]).toEqual([[], ['t1']]);
    const left = await Promise.all(
      [t1, t2].map(async (id) => [
        storage.messages.all(id).length,
        (await storage.checkpointer.get({ configurable: { thread_id: id } })) !== undefined,
      ]),
    );
    expect(left).toEqual([
      [0, false],
      [1, true],
    ]);
  });

  it('reports unreadable rows once in its warnings', () => {
    const storage = open();
    storage.settings.set('app.theme', 'plaid');
    storage.settings.read();
    expect([storage.settings.read().theme, storage.warnings]).toEqual([
      'system',
      [because('setting_unreadable', { name: 'theme' })],
    ]);
  });
});
