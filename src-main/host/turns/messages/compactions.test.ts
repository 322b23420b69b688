import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../../../src-renderer/i18n/errors';
import type { Compaction, ThreadState } from '../../../contract/conversation';
import { openDatabase } from '../../../storage/database/open';
import { SlowModel } from '../../testing/slow-model';
import { isIdle, isWaiting, setUp } from '../../testing/window';

const markers = (state: ThreadState | undefined): Compaction[] =>
  (state?.messages ?? []).filter((message): message is Compaction => message.role === 'compaction');

/** Rows in all tables of a database that contain a text. */
function rowsWith(file: string, text: string): number {
  const opened = openDatabase(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  const { db } = opened.value;
  const tables = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all();
  const rows = tables.flatMap(({ name }) => db.prepare(`SELECT * FROM "${name}"`).all() as object[]);
  db.close();
  return rows.filter((row) => Object.values(row).some((value) => holds(value, text))).length;
}

const holds = (value: unknown, text: string): boolean =>
  (typeof value === 'string' || Buffer.isBuffer(value)) && value.includes(text);

/** A thread in which a large file was read several times. */
async function longThread() {
  const t = await setUp();
  writeFileSync(join(t.folder, 'big.txt'), `${'a line of words\n'.repeat(90)}`);
  for (const request of ['read big.txt', 'list files', 'read big.txt', 'read big.txt']) {
    await t.say(request);
    await t.window.until(isIdle);
  }
  const compact = () => t.window.client.call('thread.compact', { threadId: t.threadId });
  return { ...t, compact };
}

describe('compaction on request', () => {
  it('shows a marker with the sizes, keeps all messages, and archives the removed ones in a file of the thread', async () => {
    const t = await longThread();
    const before = t.window.state?.messages.length ?? 0;
    const made = await t.compact();
    const state = await t.window.until((s) => markers(s).length === 1);
    const [marker] = markers(state);
    expect(made).toEqual({
      ok: true,
      value: { tokensBefore: marker?.tokensBefore, tokensAfter: marker?.tokensAfter },
    });
    expect(marker?.tokensAfter).toBeLessThan(marker?.tokensBefore ?? 0);
    expect(marker?.summary).toContain('- read big.txt');
    expect(state.messages).toHaveLength(before + 1);
    const archive: { lines: string[] } = await t.window.must('files.read', {
      projectId: t.projectId,
      threadId: t.threadId,
      path: marker?.archive ?? '',
      offset: 0,
      limit: 500,
    });
    expect(archive.lines).toContain('## Person');
    expect(archive.lines.join('\n')).toContain('a line of words');

    // The thread continues, and the harness keeps the compaction.
    await t.say('list files');
    await t.window.until((s) => isIdle(s) && s.messages.length > before + 2);
    expect(t.window.lastAnswer).toContain('big.txt');
  });

  it('is not applied if the summary is longer than what it replaces', async () => {
    const t = await longThread();
    SlowModel.into(t.host, [['a long summary '.repeat(5_000)]]);
    expect(await t.compact()).toEqual({ ok: true, value: null });
    expect(markers(t.window.state)).toEqual([]);
  });

  it('can be undone once, for the last one only', async () => {
    const t = await longThread();
    await t.compact();
    const [marker] = markers(await t.window.until((s) => markers(s).length === 1));
    const undo = (compactionId: unknown) =>
      t.window.client.call('thread.undoCompaction', {
        threadId: t.threadId,
        compactionId: compactionId as never,
      });
    expect(await undo(t.window.state?.messages[0]?.id)).toMatchObject({ error: { kind: 'conflict' } });
    expect(await undo(marker?.id)).toEqual({ ok: true, value: {} });
    await t.window.until((s) => markers(s)[0]?.undone === true);
    expect(await undo(marker?.id)).toMatchObject({ error: { kind: 'conflict' } });
  });

  it('reports when there is nothing to compact, and while the agent works', async () => {
    const t = await setUp();
    await t.say('list files');
    await t.window.until(isIdle);
    const compact = () => t.window.client.call('thread.compact', { threadId: t.threadId });
    expect(await compact()).toEqual({ ok: true, value: null });
    await t.say('create a.txt with "1"');
    await t.window.until(isWaiting(1));
    expect(await compact()).toMatchObject({ ok: false, error: { kind: 'conflict' } });
  });

  it('keeps its archive as long as the thread and deletes it with the thread', async () => {
    const t = await longThread();
    await t.compact();
    const kept = () => rowsWith(join(t.dataDir, 'deepdesk.db'), '# Compacted at');
    expect(kept()).toBeGreaterThan(0);
    await t.window.must('thread.delete', { threadId: t.threadId });
    expect(kept()).toBeGreaterThan(0);
    await t.host.storage.purge(Date.now() + 1);
    expect(kept()).toBe(0);
  });

  it('keeps pinned messages unchanged', async () => {
    const t = await longThread();
    const messageId = t.window.state?.messages[0]?.id;
    await t.window.must('thread.pin', { threadId: t.threadId, messageId, pinned: true });
    expect(t.window.state?.messages[0]).toMatchObject({ pinned: true });
    await t.window.must('thread.pin', { threadId: t.threadId, messageId, pinned: false });
    expect(t.window.state?.messages[0]).toMatchObject({ pinned: false });
  });
});
