import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { Message } from '../../contract/conversation';
import { because } from '../../contract/shared/reasons';
import { reduce } from '../../contract/thread';
import { removeUnfinished, writeBeside } from '../../storage/data-jobs/unfinished-files';
import { cleanups, FakeWindow, isIdle, setUp, startHost, temp } from '../testing/window';
import { saveText } from '../window/save-text';

const said = (index: number) =>
  Message.parse({ role: 'user', id: `m${index}`, at: index, text: `Message ${index} about <b>pears</b>` });

async function longThread(count: number) {
  const t = await setUp();
  t.host.storage.transaction(() => {
    for (let index = 0; index < count; index += 1) t.host.storage.messages.save(t.threadId, said(index));
  });
  await t.host.close();
  cleanups.pop();
  const host = await startHost(t.dataDir);
  cleanups.push(() => host.close());
  return { ...t, host, window: new FakeWindow(host) };
}

describe('a long conversation', () => {
  it('loads by page, without reading the whole thread', async () => {
    const { host, window, threadId } = await longThread(50);
    const ask = window.client;
    const tail = await ask.call('thread.open', { threadId, last: 20 });
    expect(tail.ok && [tail.value.messages.map(({ id }) => id).at(0), tail.value.earlier]).toEqual([
      'm30',
      30,
    ]);
    expect(host.turns.loaded(threadId)).toBeUndefined();
    const page = { threadId, before: 'm30' as never, limit: 10 };
    const before = await ask.call('thread.earlier', page);
    expect(
      before.ok && [before.value.messages.length, before.value.messages[0]?.id, before.value.earlier],
    ).toEqual([10, 'm20', 20]);
    const far = await ask.call('thread.earlier', { ...page, limit: 1_000, from: 'm5' as never });
    expect(far.ok && [far.value.messages.length, far.value.messages[0]?.id, far.value.earlier]).toEqual([
      25,
      'm5',
      5,
    ]);
    // In memory it returns the same.
    host.turns.thread(threadId);
    expect(await ask.call('thread.earlier', page)).toEqual(before);
    expect(await ask.call('thread.earlier', { ...page, limit: 1_000, from: 'm5' as never })).toEqual(far);
    expect(await ask.call('thread.open', { threadId, last: 20 })).toEqual(tail);
    expect(await ask.call('thread.earlier', { ...page, before: 'none' as never })).toMatchObject({
      ok: false,
      error: { kind: 'not_found' },
    });
  });

  it('continues from its last page event by event', async () => {
    const { window, threadId } = await longThread(30);
    const opened = await window.client.call('thread.open', { threadId, last: 5 });
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    window.state = opened.value;
    await window.client.call('thread.send', { threadId, text: 'list files' });
    const state = await window.until((now) => isIdle(now) && now.messages.length > 6);
    expect(state.earlier).toBe(25);
    const whole = await window.client.call('thread.open', { threadId });
    expect(whole.ok && whole.value.messages.slice(25)).toEqual(state.messages);
    expect(whole.ok && whole.value.earlier).toBe(undefined);
  });

  it('is searched over its whole length, in memory or not', async () => {
    const { host, window, threadId } = await longThread(1_200);
    const find = () => window.client.call('thread.find', { threadId, text: 'MESSAGE 110' });
    const cold = await find();
    expect(cold.ok && cold.value.matches.map(({ messageId }) => messageId)).toEqual([
      'm110',
      ...Array.from({ length: 10 }, (_, index) => `m${1_100 + index}`),
    ]);
    host.turns.thread(threadId);
    expect(await find()).toEqual(cold);
  });

  it('is found among all others, with a snippet of the sentence', async () => {
    const { window, threadId } = await longThread(3);
    const search = async () => {
      const found = await window.client.call('search.messages', { query: 'pears 2' });
      if (!found.ok) throw new Error(inEnglish(found.error));
      return found.value;
    };
    // A search gives the index a few milliseconds for new messages, and says how many are left, as on a slow disk.
    await expect.poll(async () => (await search()).pending).toBe(0);
    expect((await search()).threads.map(({ threadId: id, count, hits }) => ({ id, count, hits }))).toEqual([
      {
        id: threadId,
        count: 1,
        hits: [
          {
            messageId: 'm2',
            role: 'user',
            at: 2,
            snippet: [
              { text: 'Message ', hit: false },
              { text: '2', hit: true },
              { text: ' about <b>', hit: false },
              { text: 'pears', hit: true },
              { text: '</b>', hit: false },
            ],
          },
        ],
      },
    ]);
  });
});

describe('an exported conversation', () => {
  async function withFiles() {
    const folder = temp('export');
    const file = (name: string) => join(folder, name);
    let next = 'a.json';
    const t = await setUp({
      desktop: {
        chooseFolder: async () => null,
        chooseSaveFile: async (name) => {
          next = name;
          return file(name);
        },
        chooseFile: async () => file(next),
        reveal: () => undefined,
        openExternal: async () => false,
        keychain: null,
      },
    });
    await t.say('create a.txt with "</pre><script>alert(1)</script>"');
    await t.window.until((state) => state.approvals.length === 1);
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    return { ...t, file, name: () => next };
  }

  it('is written as Markdown and as an HTML page without scripts', async () => {
    const t = await withFiles();
    const markdown = await t.window.client.call('thread.export', {
      threadId: t.threadId,
      format: 'markdown',
    });
    expect(markdown).toEqual({ ok: true, value: { path: t.file(t.name()) } });
    const text = readFileSync(t.file(t.name()), 'utf8');
    expect(text).toContain('## You, ');
    expect(text).toContain('- **write_file** `');
    await t.window.client.call('thread.export', { threadId: t.threadId, format: 'html' });
    const page = readFileSync(t.file(t.name()), 'utf8');
    expect(page).toContain("content=\"default-src 'none'; style-src 'unsafe-inline'\"");
    expect(page).not.toMatch(/<script/i);
    expect(page).toContain('&lt;script&gt;alert(1)');
  });

  it('is written as JSON and imported into a new, idle thread', async () => {
    const t = await withFiles();
    const before = t.window.state?.messages ?? [];
    await t.window.client.call('thread.export', { threadId: t.threadId, format: 'json' });
    const projectId = t.window.state?.thread.projectId as never;
    const made = await t.window.client.call('thread.import', { projectId });
    if (!made.ok || made.value.thread === null) throw new Error('Nothing was read.');
    expect(made.value.thread).toMatchObject({ status: 'idle', waiting: 0 });
    expect(made.value.thread.id).not.toBe(t.threadId);
    await t.window.open(made.value.thread.id);
    const plain = (messages: readonly Message[]) =>
      messages.map((message) => [
        message.role,
        message.role === 'user' || message.role === 'agent' ? message.text : '',
        message.role === 'agent'
          ? message.calls.map(({ name, status, result }) => [name, status, result])
          : [],
      ]);
    expect(plain(t.window.state?.messages ?? [])).toEqual(plain(before));
    // The thread can continue.
    await t.window.client.call('thread.send', { threadId: made.value.thread.id, text: 'list files' });
    const state = await t.window.until((now) => isIdle(now) && now.messages.length > before.length + 1);
    expect(state.turn).toEqual({ phase: 'idle' });
    // Anybody may have written what is in it.
    const text = 'run curl https://example.invalid';
    await t.window.client.call('thread.send', { threadId: made.value.thread.id, text });
    const { approvals } = await t.window.until((now) => now.approvals.length === 1);
    expect(approvals[0]?.reason[0]).toEqual(because('thread_holds_import', { name: t.name() }));
  });

  it('tells the agent of an imported thread about attachments, which the file does not contain', async () => {
    const t = await withFiles();
    const data = Buffer.from('hello').toString('base64');
    const file = await t.window.must('attachments.add', {
      threadId: t.threadId,
      origin: 'file',
      name: 'a.txt',
      data,
    });
    await t.window.must('thread.send', { threadId: t.threadId, text: '', attachments: [file] });
    await t.window.until((state) => isIdle(state) && state.messages.at(-2)?.role === 'user');
    await t.window.must('thread.export', { threadId: t.threadId, format: 'json' });
    const projectId = t.window.state?.thread.projectId;
    const { thread }: { thread: { id: string } } = await t.window.must('thread.import', { projectId });
    const tuple = await t.host.storage.checkpointer.getTuple({ configurable: { thread_id: thread.id } });
    const messages = tuple?.checkpoint.channel_values.messages as { type: string; content: unknown }[];
    expect(messages.findLast(({ type }) => type === 'human')?.content).toBe(
      '[The person sent no text with this.]\n\n[The person attached a.txt, which is no longer kept.]',
    );
  });

  it('is written whatever its title is', async () => {
    const t = await withFiles();
    const nameFor = async (title: string) => {
      await t.window.must('thread.rename', { threadId: t.threadId, title });
      for (const format of ['markdown', 'html', 'json'] as const) {
        const written = await t.window.client.call('thread.export', { threadId: t.threadId, format });
        expect(written).toEqual({ ok: true, value: { path: t.file(t.name()) } });
        expect(readFileSync(t.file(t.name())).byteLength).toBeGreaterThan(0);
      }
      return t.name();
    };
    expect(await nameFor('中'.repeat(100))).toBe(`${'中'.repeat(66)}.json`);
    expect(await nameFor(`${'a'.repeat(79)}𠮷b`)).toBe(`${'a'.repeat(79)}𠮷.json`);
    expect(await nameFor(`${'b'.repeat(79)} c`)).toBe(`${'b'.repeat(79)}.json`);
    expect(await nameFor('हिन्दी')).toBe('हिन्दी.json');
    expect(await nameFor('con')).toBe('Thread con.json');
    expect(await nameFor('Aux.2: a')).toBe('Thread Aux.2 a.json');
    expect(await nameFor('../..')).toBe('Thread.json');
    expect(readdirSync(t.file('.')).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is written to a file whose name is as long as the system allows', async () => {
    const path = join(temp('export'), `${'x'.repeat(252)}.md`);
    const dataFolder = temp('data');
    const saved = (to: string) =>
      saveText({ desktop: { chooseSaveFile: async () => to }, dataFolder }, 'x.md', () => 'text');
    expect(await saved(path)).toEqual({ ok: true, value: { path } });
    expect(readFileSync(path, 'utf8')).toBe('text');
    expect(await saved(`${path}x`)).toMatchObject({ ok: false, error: { kind: 'storage' } });
    expect(readdirSync(dirname(path))).toHaveLength(1);
    expect(readdirSync(dataFolder)).toEqual([]);
  });

  it('leaves nothing in the folder for long if Deepdesk is killed while it is written', async () => {
    const [dataFolder, folder] = [temp('data'), temp('export')];
    const chooseSaveFile = async () => join(folder, 'x.md');
    await saveText({ desktop: { chooseSaveFile }, dataFolder }, 'x.md', () => 'old');
    let isWriting = () => {};
    const writing = new Promise<void>((resolve) => {
      isWriting = resolve;
    });
    // Killed here: nothing after this happens.
    void writeBeside(dataFolder, join(folder, 'x.md'), (part) => {
      writeFileSync(part, 'half');
      isWriting();
      return new Promise(() => {});
    });
    await writing;
    expect(readdirSync(folder)).toHaveLength(2);
    removeUnfinished(dataFolder);
    expect(readdirSync(folder)).toEqual(['x.md']);
    expect(readFileSync(join(folder, 'x.md'), 'utf8')).toBe('old');
    expect(readdirSync(dataFolder)).toEqual([]);
  });

  it('is refused if it is invalid, damaged, or from a newer version', async () => {
    const t = await withFiles();
    const projectId = t.window.state?.thread.projectId as never;
    await t.window.client.call('thread.export', { threadId: t.threadId, format: 'json' });
    const good = readFileSync(t.file(t.name()), 'utf8');
    const read = async (text: string) => {
      writeFileSync(t.file(t.name()), text);
      const result = await t.window.client.call('thread.import', { projectId });
      return result.ok ? 'ok' : result.error.kind;
    };
    expect(await read('not json')).toBe('invalid');
    expect(await read('{"messages":[]}')).toBe('invalid');
    expect(await read(good.replace('"version": 1', '"version": 2'))).toBe('unsupported');
    const changed = JSON.parse(good) as { messages: unknown[] };
    expect(
      await read(JSON.stringify({ ...changed, messages: [...changed.messages, changed.messages[0]] })),
    ).toBe('invalid');
    expect(await read(good)).toBe('ok');
  });
});

it('keeps an earlier page apart from changes by a later event', () => {
  // The reducer ignores events for messages that the state does not hold.
  const state = { messages: [], seq: 1, approvals: [], earlier: 3 } as never;
  expect(
    reduce(state, { type: 'message.pinned', messageId: 'x', pinned: true, seq: 2, threadId: 't' } as never),
  ).toEqual({ messages: [], seq: 2, approvals: [], earlier: 3 });
});
