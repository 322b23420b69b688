import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PLACE_POLICY } from '../../contract/places';
import { FakeWindow, isIdle, isWaiting } from '../testing/window';
import { read, withPlace, write } from './testing/folder-place';

const DENIED = 'Error: permission denied for write on /handbook/guides/new.md';

describe('what a place allows', () => {
  it('lets the agent write without asking if the person says so', async () => {
    const t = await withPlace([[write], ['Done.']], { writing: 'allow' });
    await t.say('go');
    await t.window.until(isIdle);
    expect(readFileSync(join(t.place, 'guides/new.md'), 'utf8')).toBe('More.\n');
  });

  it('refuses changes in a read-only place without asking', async () => {
    const t = await withPlace([[write], ['Done.']], { writing: 'deny' });
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls[0]).toMatchObject({ status: 'failed', result: DENIED });
    expect(existsSync(join(t.place, 'guides/new.md'))).toBe(false);
  });

  it('asks before reading if the person says so', async () => {
    const t = await withPlace([[read], ['Done.']], { reading: 'ask' });
    await t.say('go');
    await t.window.until(isWaiting(1));
    expect(t.window.calls[0]?.result).toBeUndefined();
  });

  it('follows the first rule that matches', async () => {
    const secret = { name: 'read_file', args: { file_path: '/handbook/private/a.md' } };
    const t = await withPlace([[secret, read, write], ['Done.']], {
      rules: [
        { effect: 'deny', operations: ['read'], glob: 'private/**' },
        { effect: 'allow', operations: ['write'], glob: 'guides/*.md' },
      ],
    });
    mkdirSync(join(t.place, 'private'));
    writeFileSync(join(t.place, 'private/a.md'), 'hidden');
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status }) => status)).toEqual(['failed', 'done', 'done']);
    expect(t.window.calls[0]?.result).toBe('Error: permission denied for read on /handbook/private/a.md');
  });

  it('counts the calls of all turns and threads against one limit', async () => {
    const t = await withPlace([[read], ['Done.'], [read], ['Done.'], [read], ['Done.']], {
      callsPerMinute: 1,
    });
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls[0]?.result).toContain('Begin here.');
    await t.say('again');
    await t.window.until((state) => isIdle(state) && state.messages.length > 4);
    expect(t.window.calls[1]?.result).toContain('Error: too many file calls (at most 1 in 60000 ms).');
    const { id } = (await t.window.must('thread.create', { projectId: t.projectId })) as {
      id: typeof t.threadId;
    };
    const other = new FakeWindow(t.host);
    await other.open(id);
    await other.must('thread.send', { threadId: id, text: 'go' });
    await other.until(isIdle);
    expect(other.calls[0]?.result).toContain('Error: too many file calls (at most 1 in 60000 ms).');
  });

  it('applies a stricter policy from the next call on', async () => {
    const t = await withPlace([[write], ['Done.'], [write], ['Done.']], { writing: 'allow' });
    const policy = { ...DEFAULT_PLACE_POLICY, writing: 'deny' as const };
    await t.window.must('places.edit', { id: t.id, draft: { ...t.draft, policy }, secret: null });
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls[0]).toMatchObject({ status: 'failed', result: DENIED });
    expect(existsSync(join(t.place, 'guides/new.md'))).toBe(false);
  });
});
