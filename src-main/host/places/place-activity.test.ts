import { describe, expect, it } from 'vitest';
import { isIdle, isWaiting } from '../testing/window';
import { read, withPlace, write } from './testing/folder-place';

describe('the activity of a place', () => {
  it('has a line for each call, with its result and its thread', async () => {
    const secret = { name: 'read_file', args: { file_path: '/handbook/private/a.md' } };
    const missing = { name: 'read_file', args: { file_path: '/handbook/none.md' } };
    const t = await withPlace([[read, secret, missing], [write], ['Done.']], {
      rules: [{ effect: 'deny', operations: ['read'], glob: 'private/**' }],
    });
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    const { calls } = (await t.window.must('places.calls', { owner: t.id as never })) as {
      calls: { operation: string; target: string; result: string; threadId: string; title: string }[];
    };
    expect(calls.map(({ operation, target, result }) => [operation, target, result]).toSorted()).toEqual([
      ['read', '/handbook/guides/start.md', 'allowed'],
      ['read', '/handbook/none.md', 'failed'],
      ['read', '/handbook/private/a.md', 'denied'],
      ['write', '/handbook/guides/new.md', 'asked'],
    ]);
    expect(calls[0]).toMatchObject({ threadId: t.threadId, title: 'go' });
  });

  it('says what the person did not allow, and leaves out what is elsewhere', async () => {
    const elsewhere = { name: 'read_file', args: { file_path: '/notes.md' } };
    const t = await withPlace([[write, elsewhere], ['Done.']]);
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'reject' });
    await t.window.until(isIdle);
    expect(await t.window.must('places.calls', { owner: t.id as never })).toMatchObject({
      calls: [{ target: '/handbook/guides/new.md', result: 'denied' }],
    });
    expect(await t.window.must('places.calls', { owner: t.projectId })).toEqual({ calls: [] });
  });
});
