import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import type { ThreadState } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import type { Host } from '../host';
import { SlowModel } from '../testing/slow-model';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost } from '../testing/window';

/** A command that exits when the test creates the file `name` in its folder. */
const waitsFor = (name: string) => `run until [ -e ${name} ]; do sleep 0.02; done; echo ${name} came`;

/** Type and text of the thread's messages in the graph. */
async function history(host: Host, threadId: ThreadId): Promise<[string, string][]> {
  const saved = await host.storage.checkpointer.getTuple({ configurable: { thread_id: threadId } });
  const messages = (saved?.checkpoint.channel_values.messages ?? []) as BaseMessage[];
  return messages.map((message) => [message.type, message.text]);
}

const roles = (state: ThreadState) =>
  state.messages.map((message) => (message.role === 'user' ? `user ${message.text}` : message.role));

async function atWork() {
  const t = await setUp();
  await t.say(waitsFor('go'));
  await t.window.until(isWaiting(1));
  await t.window.decide(0, { type: 'approve' });
  await t.window.until(() => t.window.calls.some((call) => call.status === 'running'));
  const later = (text: string) =>
    t.window.must('thread.send', { threadId: t.threadId, text, when: 'after_turn' });
  const queued = (text: string) => {
    const found = t.window.state?.queue.find((one) => one.text === text);
    if (!found) throw new Error(`Not queued: ${text}`);
    return { threadId: t.threadId, messageId: found.id };
  };
  const texts = () => t.window.state?.queue.map(({ text }) => text);
  return { ...t, later, queued, texts, go: () => writeFileSync(join(t.folder, 'go'), '') };
}

describe('steering', { timeout: 30_000 }, () => {
  it('tells the agent at its next step what was said while it worked, in the same turn', async () => {
    const t = await atWork();
    expect(await t.say('files *.md')).toEqual({ turnId: null, queued: true });
    await t.say('list files');
    t.go();
    const state = await t.window.until(isIdle);
    expect([roles(state), state.queue]).toEqual([
      [`user ${waitsFor('go')}`, 'agent', 'user files *.md', 'user list files', 'agent', 'agent', 'agent'],
      [],
    ]);
    expect(t.window.calls.map(({ name, status }) => [name, status])).toEqual([
      ['execute', 'done'],
      ['glob', 'done'],
      ['ls', 'done'],
    ]);
    const started = t.window.events.filter(({ type }) => type === 'turn.started');
    expect(started).toHaveLength(1);
    const said = (await history(t.host, t.threadId)).map(([type]) => type);
    expect(said).toEqual(['human', 'ai', 'tool', 'human', 'human', 'ai', 'tool', 'ai', 'tool', 'ai']);
  });

  it('keeps a message for after this turn and starts a new one with it', async () => {
    const t = await atWork();
    await t.later('files *.md');
    await t.later('list files');
    t.go();
    await t.window.until((s) => isIdle(s) && s.queue.length === 0 && t.window.calls.length === 3);
    const state = await t.window.until(isIdle);
    expect(roles(state).filter((role) => role.startsWith('user'))).toEqual([
      `user ${waitsFor('go')}`,
      'user files *.md',
      'user list files',
    ]);
    await t.host.turns.settled(t.threadId);
    expect(t.window.events.filter(({ type }) => type === 'turn.ended')).toHaveLength(3);
  });

  it('changes, moves and withdraws queued messages, and refuses that for sent ones', async () => {
    const t = await atWork();
    await t.later('last');
    await t.say('one');
    await t.say('two');
    expect(t.texts()).toEqual(['one', 'two', 'last']);
    await t.window.must('thread.moveQueued', { ...t.queued('two'), to: 0 });
    const emptied = await t.window.client.call('thread.changeQueued', { ...t.queued('one'), text: ' \n' });
    expect(emptied).toMatchObject({ ok: false, error: { code: 'message_empty' } });
    await t.window.must('thread.changeQueued', { ...t.queued('one'), text: 'list files' });
    await t.window.must('thread.moveQueued', { ...t.queued('last'), to: 0 });
    expect(t.texts()).toEqual(['two', 'list files', 'last']);
    await t.window.must('thread.changeQueued', { ...t.queued('two'), when: 'after_turn' });
    await t.window.must('thread.moveQueued', { ...t.queued('two'), to: 0 });
    expect(t.texts()).toEqual(['list files', 'two', 'last']);
    const sent = t.queued('list files');
    for (const text of ['two', 'last']) await t.window.must('thread.withdraw', t.queued(text));
    expect(t.host.storage.threads.get(t.threadId)?.queue).toEqual(t.window.state?.queue);
    t.go();
    await t.window.until(isIdle);
    for (const command of ['thread.withdraw', 'thread.changeQueued', 'thread.sendQueued'] as const) {
      expect(await t.window.client.call(command, sent)).toMatchObject({
        ok: false,
        error: { kind: 'not_found' },
      });
    }
    expect(await t.window.client.call('thread.moveQueued', { ...sent, to: 0 })).toMatchObject({ ok: false });
    expect(t.window.calls.map(({ name }) => name)).toEqual(['execute', 'ls']);
  });

  it('sends a queued message immediately: running work stops, finished work is kept', async () => {
    const t = await atWork();
    await t.later('read nothing.txt');
    await t.later('files *.md');
    await t.window.must('thread.sendQueued', t.queued('files *.md'));
    await t.window.until((s) => isIdle(s) && t.window.calls.length === 3);
    await t.host.turns.settled(t.threadId);
    expect(t.window.calls.map(({ name, status }) => [name, status])).toEqual([
      ['execute', 'cancelled'],
      ['glob', 'done'],
      ['read_file', 'failed'],
    ]);
    expect(readdirSync(t.folder)).toEqual([]);
  });

  it('sends a queued message immediately instead of a decision, and after a failed turn', async () => {
    const t = await setUp();
    await t.say('create a.txt with "1"');
    await t.window.until(isWaiting(1));
    await t.say('files *.md');
    const [message] = t.window.state?.queue ?? [];
    await t.window.must('thread.sendQueued', { threadId: t.threadId, messageId: message?.id });
    await t.window.until((s) => isIdle(s) && t.window.calls.length === 2);
    await t.host.turns.settled(t.threadId);
    expect([t.window.state?.approvals, readdirSync(t.folder)]).toEqual([[], []]);

    await t.say('create b.txt with "2"');
    await t.window.until(isWaiting(1));
    await t.window.must('thread.send', { threadId: t.threadId, text: 'files b*', when: 'after_turn' });
    await t.window.must('thread.setModel', { threadId: t.threadId, model: 'openai-compatible:none' });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until((s) => s.turn.phase === 'failed');
    await t.window.must('thread.setModel', { threadId: t.threadId, model: 'offline:guide' });
    const [left] = t.window.state?.queue ?? [];
    await t.window.must('thread.sendQueued', { threadId: t.threadId, messageId: left?.id });
    await t.window.until((s) => isIdle(s) && s.queue.length === 0);
    expect(t.window.calls.at(-1)?.name).toBe('glob');
  });

  it('keeps the queue on a stop, even while it waits for a decision, until the person sends it', async () => {
    const t = await atWork();
    await t.later('files *.md');
    await t.say('list files');
    await t.window.must('thread.stop', { threadId: t.threadId });
    await t.host.turns.settled(t.threadId);
    expect([t.window.state?.turn.phase, t.texts()]).toEqual(['idle', ['list files', 'files *.md']]);

    // Something else can be said first.
    await t.say('files b*');
    await t.window.until((s) => isIdle(s) && t.window.calls.length === 2);
    await t.host.turns.settled(t.threadId);
    expect(t.texts()).toEqual(['list files', 'files *.md']);
    await t.say('create a.txt with "1"');
    await t.window.until(isWaiting(1));
    await t.window.must('thread.stop', { threadId: t.threadId });
    expect([t.window.state?.turn.phase, t.texts()]).toEqual(['idle', ['list files', 'files *.md']]);

    await t.window.must('thread.sendKept', { threadId: t.threadId });
    await t.window.until((s) => isIdle(s) && s.queue.length === 0 && t.window.calls.length === 5);
    expect(t.window.calls.slice(3).map(({ name, status }) => [name, status])).toEqual([
      ['ls', 'done'],
      ['glob', 'done'],
    ]);
  });

  it('sends only the chosen one of the kept messages', async () => {
    const t = await atWork();
    await t.say('list files');
    await t.later('files *.md');
    await t.window.must('thread.stop', { threadId: t.threadId });
    await t.window.must('thread.sendQueued', t.queued('files *.md'));
    await t.window.until((s) => isIdle(s) && t.window.calls.length === 2);
    await t.host.turns.settled(t.threadId);
    expect([t.window.calls.at(-1)?.name, t.texts()]).toEqual(['glob', ['list files']]);
  });

  it('reaches the agent once if the step was interrupted after the message had left the queue', async () => {
    const t = await atWork();
    await t.say('files *.md');
    const { turns } = t.host;
    const take = turns.takeQueued.bind(turns);
    turns.takeQueued = async (live) => {
      const taken = await take(live);
      turns.takeQueued = take;
      if (taken.length > 0) throw new Error('cut off here');
      return taken;
    };
    t.go();
    const failed = await t.window.until((s) => s.turn.phase === 'failed');
    expect([failed.queue, roles(failed)]).toEqual([
      [],
      [`user ${waitsFor('go')}`, 'agent', 'user files *.md', 'notice'],
    ]);
    expect((await history(t.host, t.threadId)).map(([type]) => type)).toEqual(['human', 'ai', 'tool']);
    await t.window.must('thread.retry', { threadId: t.threadId });
    await t.window.until(isIdle);
    expect((await history(t.host, t.threadId)).map(([type]) => type)).toEqual([
      'human',
      'ai',
      'tool',
      'human',
      'ai',
      'tool',
      'ai',
    ]);
  });

  it('puts messages that a failed turn left queued before the next one', async () => {
    const t = await setUp();
    await t.say('create a.txt with "1"');
    await t.window.until(isWaiting(1));
    await t.say('files *.md');
    await t.window.must('thread.setModel', { threadId: t.threadId, model: 'openai-compatible:none' });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until((s) => s.turn.phase === 'failed');
    await t.window.must('thread.setModel', { threadId: t.threadId, model: 'offline:guide' });
    await t.say('read a.txt');
    const state = await t.window.until(isIdle);
    expect(roles(state).filter((role) => role.startsWith('user'))).toEqual([
      'user create a.txt with "1"',
      'user files *.md',
      'user read a.txt',
    ]);
    expect(t.window.calls.map(({ name, status }) => [name, status])).toEqual([
      ['write_file', 'cancelled'],
      ['glob', 'done'],
      ['read_file', 'failed'],
    ]);
  });
});

describe('stopping', { timeout: 30_000 }, () => {
  const stop = (t: Awaited<ReturnType<typeof setUp>>) =>
    t.window.must('thread.stop', { threadId: t.threadId });

  it('keeps a partial answer, and the model sees it next time', async () => {
    const t = await setUp();
    const model = SlowModel.into(t.host, [['The first half', 'hang'], ['The rest.']]);
    await t.say('tell me');
    await t.window.until(() => t.window.lastAnswer === 'The first half');
    await stop(t);
    await t.say('go on');
    const state = await t.window.until((s) => isIdle(s) && s.messages.length === 4);
    expect(state.messages.map((one) => (one.role === 'agent' ? [one.text, one.phase] : one.role))).toEqual([
      'user',
      ['The first half', 'cut'],
      'user',
      ['The rest.', 'done'],
    ]);
    expect(model.requests[1]?.map((one) => [one.type, one.text]).slice(1)).toEqual([
      ['human', 'tell me'],
      ['ai', expect.stringMatching(/^The first half\n\n\[Cut off here/)],
      ['human', 'go on'],
    ]);
  });

  it('requests a new answer without the partial one if no message followed', async () => {
    const t = await setUp();
    const model = SlowModel.into(t.host, [['half', 'hang'], ['whole']]);
    await t.say('tell me');
    await t.window.until(() => t.window.lastAnswer === 'half');
    await t.host.close();
    cleanups.pop();
    const host = await startHost(t.dataDir);
    cleanups.push(() => host.close());
    const again = SlowModel.into(host, [['whole']]);
    const window = new FakeWindow(host);
    await window.open(t.threadId);
    expect(window.state?.turn.phase).toBe('interrupted');
    await window.must('thread.retry', { threadId: t.threadId });
    await window.until(isIdle);
    expect(again.requests[0]?.map((one) => one.type)).toEqual(model.requests[0]?.map((one) => one.type));
    expect(window.lastAnswer).toBe('whole');
  });

  it('keeps the results and files of finished calls beside an unfinished one', async () => {
    const t = await setUp();
    writeFileSync(join(t.folder, 'notes.txt'), 'what is read stays read');
    const model = SlowModel.into(t.host, [
      [
        { name: 'read_file', args: { file_path: join(t.folder, 'notes.txt') } },
        { name: 'write_file', args: { file_path: '/draft.md', content: 'kept in the thread' } },
        { name: 'execute', args: { command: 'touch begun; sleep 300' } },
      ],
      ['Fine.'],
    ]);
    await t.say('work');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(() => t.window.calls.some((call) => call.status === 'running'));
    await stop(t);
    await t.say('what have you got');
    await t.window.until((s) => isIdle(s) && model.requests.length === 2);
    expect(model.requests[1]?.map((one) => one.type).slice(1)).toEqual([
      'human',
      'ai',
      'tool',
      'tool',
      'tool',
      'human',
    ]);
    const results = model.requests[1]?.filter((one) => one.type === 'tool').map((one) => one.text);
    expect(results).toEqual(
      expect.arrayContaining([
        expect.stringContaining('what is read stays read'),
        expect.stringContaining('/draft.md'),
        expect.stringContaining('was cancelled'),
      ]),
    );
    const saved = await t.host.storage.checkpointer.getTuple({ configurable: { thread_id: t.threadId } });
    expect(Object.keys(saved?.checkpoint.channel_values.files ?? {})).toEqual(['/draft.md']);
  });

  it('keeps them even if the turn was stopped while it waited for the person', async () => {
    const t = await setUp();
    writeFileSync(join(t.folder, 'notes.txt'), 'what is read stays read');
    const model = SlowModel.into(t.host, [
      [
        { name: 'read_file', args: { file_path: join(t.folder, 'notes.txt') } },
        { name: 'execute', args: { command: 'touch never' } },
      ],
      ['Fine.'],
    ]);
    await t.say('work');
    await t.window.until(isWaiting(1));
    await stop(t);
    await t.say('what have you got');
    await t.window.until((s) => isIdle(s) && model.requests.length === 2);
    const results = model.requests[1]?.filter((one) => one.type === 'tool').map((one) => one.text);
    expect(results).toHaveLength(2);
    expect(results).toEqual(
      expect.arrayContaining([
        expect.stringContaining('what is read stays read'),
        expect.stringContaining('was cancelled'),
      ]),
    );
    expect(readdirSync(t.folder)).toEqual(['notes.txt']);
  });
});
