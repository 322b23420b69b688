import { describe, expect, it, vi } from 'vitest';
import type { Script } from '../../../e2e/providers/script';
import type { ThreadId } from '../../contract/ids';
import { startProvider } from '../../models/testing/provider-servers';
import { cleanups, isIdle, setUp } from '../testing/window';
import { cleanTitle, titleOfText } from './thread-titles';

// Whole threads on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const MODEL = 'anthropic:claude-sonnet-4-5';

/** A thread whose model answers each message and titles conversations as told. */
async function thread(title: string | Promise<string>) {
  const script: Script = async ({ lastUserText }) =>
    lastUserText.startsWith('The person:') ? { text: await title } : { text: 'The sum is wrong in sum.ts.' };
  const server = await startProvider('anthropic', script);
  cleanups.push(() => server.close());
  const t = await setUp({ titles: true });
  await t.window.must('models.setBaseUrl', { provider: 'anthropic', baseUrl: server.url });
  await t.window.must('models.setKey', { provider: 'anthropic', key: 'test-key' });
  await t.window.must('thread.setModel', { threadId: t.threadId, model: MODEL });
  return { ...t, server };
}

describe('the title of a thread', () => {
  it('is generated once, by the model after the first answer, and counted as usage', async () => {
    const t = await thread('"Wrong sum in the test"\n');
    await t.say('why does the test fail?');
    const named = await t.window.until((state) => state.thread.title === 'Wrong sum in the test');
    const spent = await t.window.until((state) => state.usage.outputTokens > 0);
    expect(named.messages.filter(({ role }) => role === 'agent')).toHaveLength(1);
    const first = spent.usage.inputTokens;
    await t.say('and now?');
    await t.window.until((state) => isIdle(state) && state.messages.length === 4);
    expect(t.server.requests.length).toBe(3);
    expect(t.window.state?.thread.title).toBe('Wrong sum in the test');
    expect(t.window.state?.usage.inputTokens).toBeGreaterThan(first);
    expect(t.host.storage.spending.ofThread(t.threadId)).toBeGreaterThan(0);
  });

  it('stays as the person wrote it, and is the first line if the model returns none', async () => {
    const t = await thread('   ');
    await t.window.must('thread.rename', { threadId: t.threadId, title: 'Mine' });
    await t.say('why?');
    await t.window.until((state) => isIdle(state) && state.messages.length === 2);
    expect([t.window.state?.thread.title, t.server.requests.length]).toEqual(['Mine', 1]);

    const empty = await thread('***');
    await empty.say('why does it fail?\nmore');
    await empty.window.until((state) => isIdle(state) && state.messages.length === 2);
    await vi.waitFor(() => expect(empty.server.requests.length).toBe(2));
    expect(empty.window.state?.thread.title).toBe('why does it fail?');
  });

  it('that comes late changes nothing of what the thread did meanwhile', async () => {
    let answer: (title: string) => void = () => undefined;
    const t = await thread(new Promise<string>((resolve) => (answer = resolve)));
    await t.say('why does the test fail?');
    await t.window.until((state) => isIdle(state) && state.messages.length === 2);
    await vi.waitFor(() => expect(t.server.requests.length).toBe(2));
    await t.window.must('thread.close', { threadId: t.threadId });
    // More than stay in memory.
    for (let others = 0; others < 12; others += 1) {
      const { id } = (await t.window.must('thread.create', { projectId: t.projectId })) as { id: ThreadId };
      await t.window.must('thread.open', { threadId: id });
      await t.window.must('thread.close', { threadId: id });
    }
    await t.window.open(t.threadId);
    await t.say('and now?');
    const before = await t.window.until((state) => isIdle(state) && state.messages.length === 4);
    answer('Wrong sum');
    const named = await t.window.until((state) => state.thread.title === 'Wrong sum');
    expect(named.seq).toBeGreaterThan(before.seq);
    const { seq, usage } = t.host.storage.threads.get(t.threadId) ?? {};
    expect({ seq, usage }).toEqual({ seq: named.seq, usage: named.usage });
  });

  it('is the first line with the offline assistant', async () => {
    const t = await setUp({ titles: true });
    await t.say('list files');
    await t.window.until((state) => isIdle(state) && state.messages.length > 1);
    expect(t.window.state?.thread.title).toBe('list files');
  });

  it('holds no mark that reverses the letters after it', () => {
    expect(titleOfText('\u202e\nfix \u202elive\u202c שלום\u200f!')).toBe('fix live שלום\u200f!');
  });

  it('is one line without the usual decoration of models', () => {
    expect(cleanTitle('Title: **Fix the sum**.')).toBe('Fix the sum');
    expect(cleanTitle('\n「修复测试」\n因为…')).toBe('修复测试');
    expect(cleanTitle('a\u202eb\u200b')).toBe('ab');
    expect([...cleanTitle('x'.repeat(100))].length).toBe(60);
    expect(cleanTitle('"…"')).toBe('…');
    expect(cleanTitle('***。')).toBe('');
  });

  it('are cleaned in a moment, however long the answer is', () => {
    const started = process.cpuUsage();
    expect(cleanTitle(`a${' '.repeat(200_000)}b`)).toHaveLength(60);
    expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(10);
  });
});
