import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import type { ThreadSummary } from '../../contract/app';
import type { Message, ThreadState } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import { optional } from '../../contract/shared/optional';
import type { Host } from '../host';
import { SlowModel } from '../testing/slow-model';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost } from '../testing/window';

type SetUp = Awaited<ReturnType<typeof setUp>>;

interface Forked {
  thread: ThreadSummary;
  draft: string;
}

const say = (message: Message) =>
  message.role === 'user'
    ? `user ${message.text}`
    : message.role === 'agent'
      ? `agent ${message.text}`
      : message.role;

async function valuesOf(host: Host, threadId: ThreadId) {
  const saved = await host.storage.checkpointer.getTuple({ configurable: { thread_id: threadId } });
  return (saved?.checkpoint.channel_values ?? {}) as {
    messages?: BaseMessage[];
    files?: Record<string, { content: unknown }>;
  };
}
const typesOf = async (host: Host, threadId: ThreadId) =>
  (await valuesOf(host, threadId)).messages?.map((one) => one.type);
const filesOf = async (host: Host, threadId: ThreadId) =>
  Object.fromEntries(
    Object.entries((await valuesOf(host, threadId)).files ?? {}).map(([path, { content }]) => [
      path,
      content,
    ]),
  );

async function fork(t: SetUp, message: Message | undefined, text?: string): Promise<Forked> {
  if (!message) throw new Error('There is no such message.');
  return t.window.must('thread.fork', {
    threadId: t.threadId,
    messageId: message.id,
    ...optional({ text }),
  });
}

/** Opens another window on another thread. */
async function look(t: SetUp, threadId: ThreadId): Promise<FakeWindow> {
  const window = new FakeWindow(t.host);
  await window.open(threadId);
  return window;
}

async function sayAll(t: SetUp, ...texts: string[]): Promise<ThreadState> {
  for (const text of texts) {
    const before = t.window.state?.messages.length ?? 0;
    await t.say(text);
    await t.window.until((s) => isIdle(s) && s.messages.length > before + 1);
    await t.host.turns.settled(t.threadId);
  }
  if (!t.window.state) throw new Error('No thread is open.');
  return t.window.state;
}

/** The nth message of the person. */
const userAt = (state: ThreadState, nth: number) =>
  state.messages.filter((message) => message.role === 'user').at(nth);
const answerAt = (state: ThreadState, nth: number) =>
  state.messages.filter((message) => message.role === 'agent').at(nth);

describe('a fork', { timeout: 30_000 }, () => {
  it('sends the same or another message in a new thread and leaves the original unchanged', async () => {
    const t = await setUp();
    const before = await sayAll(t, 'list files', 'files *.md');
    const model = SlowModel.into(t.host, [['Another answer.']]);
    const { thread, draft } = await fork(t, userAt(before, 1), 'what is there');
    const window = await look(t, thread.id);
    const state = await window.until(
      (s) => isIdle(s) && s.messages.at(-1)?.role === 'agent' && s.queue.length === 0,
    );
    expect(state.messages.slice(-2).map(say)).toEqual(['user what is there', 'agent Another answer.']);
    expect(state.messages.slice(0, -2)).toEqual(before.messages.slice(0, state.messages.length - 2));
    expect(model.requests[0]?.map((one) => one.type).slice(1)).toEqual([
      'human',
      'ai',
      'tool',
      'ai',
      'human',
    ]);
    expect([draft, thread.title, state.thread.origin]).toEqual([
      '',
      'list files (2)',
      {
        threadId: t.threadId,
        title: 'list files',
        lastMessageId: before.messages[state.messages.length - 3]?.id,
      },
    ]);
    await t.window.open(t.threadId);
    expect(t.window.state).toEqual(before);
  });

  it('returns the message text if it is not sent yet, also for the first message', async () => {
    const t = await setUp();
    const before = await sayAll(t, 'list files');
    const { thread, draft } = await fork(t, userAt(before, 0));
    const window = await look(t, thread.id);
    expect([draft, window.state?.messages, window.state?.turn.phase]).toEqual(['list files', [], 'idle']);
    await window.must('thread.send', { threadId: thread.id, text: 'files *.md' });
    const state = await window.until(isIdle);
    expect(state.messages.map(({ role }) => role)).toEqual(['user', 'agent', 'agent']);
    expect((await fork(t, userAt(before, 0))).thread.title).toBe('list files (3)');
  });

  it('continues after an answer, with the results of its calls and the plan and files of that time', async () => {
    const t = await setUp();
    SlowModel.into(t.host, [
      [
        'Planning.',
        { name: 'write_todos', args: { todos: [{ content: 'a', status: 'in_progress' }] } },
        { name: 'write_file', args: { file_path: '/draft.md', content: 'first' } },
      ],
      ['Done.'],
      [{ name: 'write_file', args: { file_path: '/draft.md', content: 'second' } }],
      [
        'Replanning.',
        { name: 'write_todos', args: { todos: [{ content: 'b', status: 'in_progress' }] } },
        { name: 'write_file', args: { file_path: '/other.md', content: 'later' } },
      ],
      ['Done again.'],
    ]);
    const before = await sayAll(t, 'one', 'two');
    const { thread } = await fork(t, answerAt(before, 0));
    const window = await look(t, thread.id);
    expect(window.state?.messages.map(say)).toEqual(['user one', 'agent Planning.']);
    expect(window.state?.todos).toEqual([{ content: 'a', status: 'in_progress' }]);
    expect(await typesOf(t.host, thread.id)).toEqual(['human', 'ai', 'tool', 'tool']);
    expect(await filesOf(t.host, thread.id)).toEqual({ '/draft.md': 'first' });

    const later = await fork(t, answerAt(before, 2));
    expect(await typesOf(t.host, later.thread.id)).toEqual([
      'human',
      'ai',
      'tool',
      'tool',
      'ai',
      'human',
      'ai',
      'tool',
    ]);
    expect(await filesOf(t.host, later.thread.id)).toEqual({ '/draft.md': 'second' });
    expect(await filesOf(t.host, t.threadId)).toEqual({ '/draft.md': 'second', '/other.md': 'later' });
  });

  it('has the files of an old turn even if its steps are no longer stored', async () => {
    const t = await setUp();
    const write = (text: string) => [{ name: 'write_file', args: { file_path: '/draft.md', content: text } }];
    const steps = Array.from({ length: 12 }, (_, step) => write(`step ${step}`));
    SlowModel.into(t.host, [write('first'), ['Done.'], ...steps, ['Done.']]);
    const before = await sayAll(t, 'one', 'two');
    const { thread } = await fork(t, userAt(before, 1));
    expect(await filesOf(t.host, thread.id)).toEqual({ '/draft.md': 'first' });
    expect(await typesOf(t.host, thread.id)).toEqual(['human', 'ai', 'tool', 'ai']);
  });

  it('of a waiting or running thread keeps only what had finished', async () => {
    const t = await setUp();
    writeFileSync(join(t.folder, 'notes.txt'), 'what is read stays read');
    SlowModel.into(t.host, [
      [
        'Both.',
        { name: 'read_file', args: { file_path: join(t.folder, 'notes.txt') } },
        { name: 'execute', args: { command: 'touch once' } },
      ],
      ['Fine.'],
      ['Fine too.'],
    ]);
    await t.say('work');
    const waiting = await t.window.until(isWaiting(1));
    const { thread } = await fork(t, answerAt(waiting, 0));
    const window = await look(t, thread.id);
    expect([
      window.state?.approvals,
      window.state?.turn.phase,
      window.calls.map(({ status }) => status),
    ]).toEqual([[], 'idle', ['done', 'cancelled']]);
    const results = (await valuesOf(t.host, thread.id)).messages?.filter((one) => one.type === 'tool');
    expect(results?.map((one) => one.text).sort()).toEqual([
      expect.stringContaining('what is read stays read'),
      expect.stringContaining('was cancelled'),
    ]);
    await window.must('thread.send', { threadId: thread.id, text: 'go on' });
    await window.until((s) => isIdle(s) && s.messages.length === 4);
    expect(existsSync(join(t.folder, 'once'))).toBe(false);
    await t.window.allow(0);
    await t.window.until(isIdle);
    expect(existsSync(join(t.folder, 'once'))).toBe(true);
  });

  it('includes the messages of sub-agents, and cannot be made inside one', async () => {
    const t = await setUp();
    const before = await sayAll(t, 'delegate: list files', 'files *.md');
    const nested = before.messages.find(
      (message) => message.role === 'agent' && message.parentCallId !== undefined,
    );
    const refused = await t.window.client.call('thread.fork', {
      threadId: t.threadId,
      messageId: nested?.id ?? ('' as never),
    });
    expect(refused).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    const { thread } = await fork(t, userAt(before, 1));
    const window = await look(t, thread.id);
    expect(window.state?.messages).toEqual(before.messages.slice(0, window.state?.messages.length));
    expect(window.state?.messages).toContainEqual(nested);
    const first = await fork(t, answerAt(before, 0));
    const within = await look(t, first.thread.id);
    expect(within.state?.messages).toContainEqual(nested);
    expect(await typesOf(t.host, first.thread.id)).toEqual(['human', 'ai', 'tool']);
  });

  it('cannot undo memory changes by calls of the original thread', async () => {
    const t = await setUp();
    const before = await sayAll(t, 'remember color: blue');
    const { thread } = await fork(t, answerAt(before, -1));
    const window = await look(t, thread.id);
    expect(window.calls.some(({ memory }) => memory !== undefined)).toBe(false);
    expect(t.window.calls.some(({ memory }) => memory !== undefined)).toBe(true);
  });

  it('has the long command outputs that its history names', async () => {
    const t = await setUp();
    SlowModel.into(t.host, [[{ name: 'execute', args: { command: 'seq 1 60000' } }], ['Counted.']]);
    await t.say('count');
    const before = await t.window.until(isIdle);
    const { thread } = await fork(t, answerAt(before, -1));
    const outputs = join(t.dataDir, 'command-output');
    expect(readdirSync(join(outputs, thread.id))).toEqual(readdirSync(join(outputs, t.threadId)));
    expect(readdirSync(join(outputs, thread.id))).toHaveLength(1);
  });

  it('has the compactions from before the fork and none from after', async () => {
    const t = await setUp();
    const words = 'many words '.repeat(200);
    const model = SlowModel.into(t.host, [
      ...Array.from({ length: 6 }, (_, turn) => [`${turn} ${words}`]),
      ['What came before, in short.'],
      ['Late.'],
      ['From late.'],
      ['From early.'],
    ]);
    await sayAll(t, 'one', 'two', 'three', 'four', 'five', 'six');
    await t.window.must('thread.compact', { threadId: t.threadId });
    const before = await sayAll(t, 'late');
    expect(before.messages.filter(({ role }) => role === 'compaction')).toHaveLength(1);

    const late = await fork(t, userAt(before, 6), 'late again');
    const window = await look(t, late.thread.id);
    await window.until((s) => isIdle(s) && s.queue.length === 0 && model.requests.length === 9);
    expect(window.state?.messages.map(({ role }) => role)).toContain('compaction');
    expect(model.requests[8]?.length).toBe(model.requests[7]?.length);
    expect(model.requests[8]?.some((one) => one.text.includes('What came before, in short.'))).toBe(true);

    const early = await fork(t, userAt(before, 5), 'six again');
    const other = await look(t, early.thread.id);
    await other.until((s) => isIdle(s) && s.queue.length === 0 && model.requests.length === 10);
    expect(other.state?.messages.map(({ role }) => role)).not.toContain('compaction');
    expect(model.requests[9]?.map((one) => one.type).slice(1)).toEqual(
      model.requests[5]?.map((one) => one.type).slice(1),
    );
  });

  it('keeps a partial answer, and its agent sees it', async () => {
    const t = await setUp();
    const model = SlowModel.into(t.host, [['The first half', 'hang'], ['The rest.']]);
    await t.say('tell me');
    await t.window.until(() => t.window.lastAnswer === 'The first half');
    await t.window.must('thread.stop', { threadId: t.threadId });
    const { messages } = await t.window.until(isIdle);
    const { thread } = await fork(t, messages.at(-1), 'go on');
    const window = await look(t, thread.id);
    await window.until((s) => isIdle(s) && s.messages.length === 4);
    expect(model.requests[1]?.map((one) => one.type).slice(1)).toEqual(['human', 'ai', 'human']);
  });

  it('leaves nothing after a kill in the middle, once Deepdesk has started again', async () => {
    const t = await setUp();
    const [asked] = (await sayAll(t, 'list files')).messages;
    t.host.storage.threads.insert = () => {
      throw new Error('killed');
    };
    const answer = await t.window.client.call('thread.fork', {
      threadId: t.threadId,
      messageId: asked?.id as never,
    });
    const saved = async (host: Host) => {
      const threads = new Set<unknown>();
      for await (const { config } of host.storage.checkpointer.list({}))
        threads.add(config.configurable?.thread_id);
      return threads.size;
    };
    expect([answer.ok, await saved(t.host)]).toEqual([false, 2]);
    await t.host.close();
    cleanups.pop();
    const host = await startHost(t.dataDir);
    cleanups.push(() => host.close());
    await expect.poll(() => saved(host)).toBe(1);
    expect(await typesOf(host, t.threadId)).toContain('human');
  });
});
