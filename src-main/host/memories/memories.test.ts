import { describe, expect, it } from 'vitest';
import type { ThreadId } from '../../contract/ids';
import { isIdle, setUp } from '../testing/window';

describe('memories', () => {
  it('writes memories immediately, can undo that, and reads them in another thread', async () => {
    const t = await setUp();
    await t.say('remember color: blue');
    await t.window.until(isIdle);
    const written = t.window.calls.find((call) => call.memory);
    expect(written?.memory).toEqual({ path: '/memories/color.md', change: 'created', undone: false });

    const other: { id: ThreadId } = await t.window.must('thread.create', { projectId: t.projectId });
    await t.window.open(other.id);
    await t.window.must('thread.send', { threadId: other.id, text: 'what do you remember about blue' });
    await t.window.until(isIdle);
    expect(t.window.lastAnswer).toContain('blue');

    await t.window.must('memories.undo', { threadId: t.threadId, callId: written?.callId });
    expect(await t.window.must('memories.list', { projectId: t.projectId })).toEqual({ memories: [] });
    const again = await t.window.client.call('memories.undo', {
      threadId: t.threadId,
      callId: written?.callId as never,
    });
    expect(again.ok).toBe(false);
  });

  it('restores a forgotten memory', async () => {
    const t = await setUp();
    await t.say('remember color: blue');
    await t.window.until(isIdle);
    await t.say('forget color');
    await t.window.until(
      (s) => isIdle(s) && t.window.calls.some((call) => call.name === 'delete' && call.status === 'done'),
    );
    const gone = t.window.calls.find((call) => call.name === 'delete');
    expect(gone?.memory).toEqual({ path: '/memories/color.md', change: 'deleted', undone: false });
    await t.window.must('memories.undo', { threadId: t.threadId, callId: gone?.callId });
    const read: { text: string } = await t.window.must('memories.read', {
      path: '/memories/color.md',
      projectId: t.projectId,
    });
    expect(read.text).toContain('blue');
  });

  it('protects a memory that changed while the person edited it', async () => {
    const t = await setUp();
    const { projectId } = t;
    const path = '/memories/a.md';
    await t.window.must('memories.write', { path, text: 'one', expectedUpdatedAt: null, projectId });
    const stale = await t.window.client.call('memories.write', {
      path,
      text: 'two',
      expectedUpdatedAt: 1,
      projectId,
    });
    expect(stale).toMatchObject({ ok: false, error: { kind: 'stale' } });
    const outside = await t.window.client.call('memories.read', {
      path: '/memories/../etc/passwd',
      projectId,
    });
    expect(outside.ok).toBe(false);
  });
});
