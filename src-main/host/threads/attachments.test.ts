import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { inTurn, type Step } from '../../../e2e/providers/script';
import type { ProviderServer } from '../../../e2e/providers/server';
import type { Attachment } from '../../contract/attachments';
import type { Input } from '../../contract/commands';
import { MAX_ATTACHMENT } from '../../contract/limits';
import { inWords } from '../../contract/testing/in-words';
import { gifOf, pngOf } from '../../harness/agent/media/testing/files';
import { startProvider } from '../../models/testing/provider-servers';
import { openStorage } from '../../storage';
import { SlowModel } from '../testing/slow-model';
import { cleanups, isIdle, isWaiting, setUp, startHost } from '../testing/window';
import { namesIn } from '../turns/messages/mentions';

/** Milliseconds for whole threads on a busy machine. */
const SLOW = 60_000;

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

type Place = Awaited<ReturnType<typeof setUp>>;

const base64 = (content: Uint8Array | string) => Buffer.from(content).toString('base64');

function attach(t: Place, name: string, content: Uint8Array | string): Promise<Attachment> {
  const input: Input<'attachments.add'> = {
    threadId: t.threadId,
    origin: 'file',
    name,
    data: base64(content),
  };
  return t.window.must('attachments.add', input);
}

const send = (t: Place, text: string, attachments: Attachment[]) =>
  t.window.client.call('thread.send', { threadId: t.threadId, text, attachments });

async function answering(steps: [Step, ...Step[]]) {
  const t = await setUp();
  const server = await startProvider('anthropic', inTurn(steps));
  servers.push(server);
  await t.window.must('models.setBaseUrl', { provider: 'anthropic', baseUrl: server.url });
  await t.window.must('models.setKey', { provider: 'anthropic', key: 'test-key' });
  await t.window.must('thread.setModel', { threadId: t.threadId, model: 'anthropic:claude-sonnet-4-5' });
  return { ...t, server };
}

function stored({ dataDir }: Pick<Place, 'dataDir'>) {
  const opened = openStorage(join(dataDir, 'deepdesk.db'));
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}

/** Starts the app again and closes it, which waits for the cleanup at startup. */
async function startOnce({ dataDir }: Pick<Place, 'dataDir'>): Promise<void> {
  await (await startHost(dataDir)).close();
}

describe('attachments of the person', () => {
  it('explain why an image is not shown and what to do [safety 24]', async () => {
    const t = await setUp();
    const shown = async (name: string, content: Uint8Array) => {
      const { id } = await attach(t, name, content);
      return inWords(await t.window.client.call('thread.media', { threadId: t.threadId, mediaId: id }));
    };
    expect(await shown('a.gif', gifOf(10_000, 10_000))).toMatchObject({ ok: true });
    const large = {
      kind: 'too_large',
      message: expect.stringContaining('Attach a smaller copy.') as unknown,
    };
    expect(await shown('b.gif', gifOf(10_001, 10_000))).toMatchObject({ ok: false, error: large });
    expect(await shown('c.gif', gifOf(2_000, 2_000, 1_001))).toMatchObject({ ok: false, error: large });
  });

  it(
    'send an image to a model with vision, with its path, and show it in the window',
    async () => {
      const t = await answering([{ text: 'Noise.' }]);
      const png = pngOf(40, 30);
      const picture = await attach(t, 'C:\\shots\\a b.png', png);
      expect(picture).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{64}$/u) as unknown,
        kind: 'image',
        origin: 'file',
        name: 'a b.png',
        path: `/attachments/${picture.id.slice(0, 16)}-a b.png`,
        mimeType: 'image/png',
        bytes: png.length,
        width: 40,
        height: 30,
      });
      expect((await send(t, '', [picture])).ok).toBe(true);
      const state = await t.window.until(isIdle);
      expect(state.messages[0]).toMatchObject({ role: 'user', text: '', attachments: [picture] });
      expect(state.thread.title).toBe('a b.png');
      const asked = JSON.stringify(t.server.requests[0]?.body);
      expect(asked).toContain(`"source":{"type":"base64","media_type":"image/png","data":"${base64(png)}"}`);
      expect(asked).toContain(`/attachments/${picture.id.slice(0, 16)}-a b.png`);
      expect(await t.window.must('thread.media', { threadId: t.threadId, mediaId: picture.id })).toEqual({
        mimeType: 'image/png',
        data: base64(png),
      });
    },
    SLOW,
  );

  it(
    'send text between markers, without likely secrets, and the agent can read it again',
    async () => {
      const t = await setUp();
      const path = (one: Attachment) => `/attachments/${one.id.slice(0, 16)}-notes.md`;
      const key = `ghp_${'x9Kd2mQp7RtLw4Zc8VbN3sHf6JyUe1GoA5Xi'}`;
      const notes = await attach(t, 'notes.md', `one\ntwo ${key}\n`);
      expect([notes.kind, notes.lines]).toEqual(['text', 2]);
      const model = SlowModel.into(t.host, [
        [{ name: 'read_file', args: { file_path: path(notes) } }],
        ['Done.'],
      ]);
      await send(t, 'What is in it?', [notes]);
      await t.window.until((state) => isIdle(state) && model.requests.length === 2);
      const said = model.requests[0]?.at(-1)?.text ?? '';
      const mark = `attachment-${notes.id.slice(0, 16)}`;
      expect(said.startsWith('What is in it?\n\n[The person attached the file “notes.md” (2 lines,')).toBe(
        true,
      );
      expect(said).toContain(`at ${path(notes)})`);
      expect(said).toMatch(new RegExp(`<${mark}>\none\ntwo .*\n\n</${mark}>$`, 'u'));
      expect(said).not.toContain(key);
      expect(t.window.calls[0]).toMatchObject({ status: 'done' });
      expect(t.window.calls[0]?.result).toContain('one');
      expect(t.window.calls[0]?.result).not.toContain(key);
    },
    SLOW,
  );

  it(
    'return with the message text: from the queue, and for rephrasing in a fork',
    async () => {
      const t = await setUp();
      const model = SlowModel.into(t.host, [['First.'], ['Second.']]);
      const notes = await attach(t, 'notes.txt', 'text');
      await send(t, 'one', [notes]);
      await t.window.until(isIdle);
      const messageId = t.window.state?.messages[0]?.id;
      const draft = await t.window.must('thread.fork', { threadId: t.threadId, messageId });
      expect(draft).toMatchObject({ draft: 'one', attachments: [notes] });
      const fork: { thread: { id: string } } = await t.window.must('thread.fork', {
        threadId: t.threadId,
        messageId,
        text: 'two',
      });
      await expect.poll(() => model.requests.length).toBe(2);
      expect(model.requests[1]?.at(-1)?.text).toContain('two\n\n[The person attached the file “notes.txt”');
      expect(readdirSync(join(t.dataDir, 'attachments', fork.thread.id))).toHaveLength(1);
    },
    SLOW,
  );

  it('are refused if they are too large, like a message with nothing in it', async () => {
    const t = await setUp();
    const data = base64(Buffer.alloc(MAX_ATTACHMENT + 1));
    expect(
      await t.window.client.call('attachments.add', {
        threadId: t.threadId,
        origin: 'file',
        name: 'big',
        data,
      }),
    ).toMatchObject({ ok: false, error: { kind: 'too_large' } });
    expect(await send(t, '  ', [])).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });

  it('stay until their thread is erased, with everything else of a deleted thread', async () => {
    const t = await setUp();
    cleanups.pop();
    await attach(t, 'notes.txt', 'text');
    const left = () =>
      ['attachments', 'media', 'command-output'].map((name) => existsSync(join(t.dataDir, name, t.threadId)));
    for (const name of ['media', 'command-output'])
      mkdirSync(join(t.dataDir, name, t.threadId), { recursive: true });
    await t.window.must('thread.delete', { threadId: t.threadId });
    await t.host.close();
    await startOnce(t);
    expect(left()).toEqual([true, true, true]);
    const storage = stored(t);
    storage.threads.restore(t.threadId);
    storage.threads.remove(t.threadId, 1);
    storage.close();
    await startOnce(t);
    expect(left()).toEqual([false, false, false]);
  });

  it('stay if the database that knows their thread was set aside', async () => {
    const t = await setUp();
    cleanups.pop();
    await attach(t, 'notes.txt', 'text');
    await t.host.close();
    const file = join(t.dataDir, 'deepdesk.db');
    renameSync(file, `${file}.before-2026-01-01`);
    await startOnce(t);
    expect(readdirSync(join(t.dataDir, 'attachments'))).toEqual([t.threadId]);
    rmSync(`${file}.before-2026-01-01`);
    await startOnce(t);
    expect(readdirSync(join(t.dataDir, 'attachments'))).toEqual([]);
  });

  it('can have any name, and leave nothing of a copy that a kill interrupted', async () => {
    const t = await setUp();
    cleanups.pop();
    const { id } = await attach(t, 'video.part', 'text');
    expect(await t.window.must('attachments.text', { threadId: t.threadId, id })).toEqual({ text: 'text' });
    const folder = join(t.dataDir, 'attachments', t.threadId);
    const cut = join(folder, `.${randomUUID()}.part`);
    writeFileSync(cut, 'te');
    utimesSync(cut, 0, 0);
    await t.host.close();
    await startOnce(t);
    expect(readdirSync(folder)).toEqual([`${id.slice(0, 16)}-video.part`]);
  });

  it('are discarded when removed and cannot be sent then', async () => {
    const t = await setUp();
    const notes = await attach(t, '../../x/notes.txt', 'text');
    const folder = join(t.dataDir, 'attachments', t.threadId);
    expect(readdirSync(folder)).toEqual([`${notes.id.slice(0, 16)}-notes.txt`]);
    expect(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8')).toBe('text');
    await t.window.must('attachments.remove', { threadId: t.threadId, id: notes.id });
    expect(readdirSync(folder)).toEqual([]);
    expect(await send(t, 'look', [notes])).toMatchObject({ ok: false, error: { kind: 'not_found' } });
  });
});

describe('attachable content', () => {
  it(
    "includes command output and the thread's changes in the folder",
    async () => {
      const t = await setUp();
      expect(await t.window.client.call('attachments.changes', { threadId: t.threadId })).toMatchObject({
        ok: false,
        error: { kind: 'invalid' },
      });
      for (const text of ['run echo hello', 'create a.txt with "new words"']) {
        await t.say(text);
        const state = await t.window.until((one) => isIdle(one) || isWaiting(1)(one));
        if (!isIdle(state)) await t.window.decide(0, { type: 'approve' });
        await t.window.until(isIdle);
      }
      const app: { terminals: { id: string }[] } = await t.window.must('app.open', {});
      const [terminal] = app.terminals;
      const output: Attachment = await t.window.must('attachments.terminal', {
        threadId: t.threadId,
        terminalId: terminal?.id,
      });
      expect(output).toMatchObject({ kind: 'text', origin: 'terminal', name: 'echo hello.txt' });
      const textOf = ({ id }: Attachment) => t.window.must('attachments.text', { threadId: t.threadId, id });
      expect(await textOf(output)).toEqual({ text: 'hello\n' });
      const changes: Attachment = await t.window.must('attachments.changes', { threadId: t.threadId });
      expect(await textOf(changes)).toEqual({
        text: '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+new words\n\\ No newline at end of file\n',
      });
    },
    SLOW,
  );
});

describe('an @ mention', () => {
  it('is parsed from the text without punctuation at the end of the sentence', () => {
    expect(namesIn('see @a.ts, (@src/b.ts) and @"my file.md"; me@mail.org is none, @中文.md。')).toEqual([
      ['a.ts,', 'a.ts'],
      ['src/b.ts)', 'src/b.ts'],
      ['my file.md'],
      ['中文.md。', '中文.md'],
    ]);
  });

  it(
    'tells the agent what it refers to; the text and other names stay unchanged',
    async () => {
      const t = await setUp();
      mkdirSync(join(t.folder, 'src'));
      writeFileSync(join(t.folder, 'src', 'a.ts'), 'x');
      writeFileSync(join(t.folder, 'my file.md'), 'xy');
      await t.window.must('memories.write', {
        path: '/memories/style.md',
        text: 'short',
        expectedUpdatedAt: null,
        projectId: t.projectId,
      });
      const model = SlowModel.into(t.host, [['Done.'], ['Done.']]);
      await t.say('Look at @src/ and @"my file.md", @/memories/style.md, @none.ts, @../x.');
      const state = await t.window.until((one) => isIdle(one) && model.requests.length === 1);
      const said = 'Look at @src/ and @"my file.md", @/memories/style.md, @none.ts, @../x.';
      expect(state.messages[0]).toMatchObject({ role: 'user', text: said });
      expect(model.requests[0]?.at(-1)?.text).toBe(
        `${said}\n\n[The person mentions these with @:\n@src/: the folder ${t.folder}/src with 1 entry: a.ts\n@my file.md: the file ${t.folder}/my file.md, 2 bytes\n@/memories/style.md: the memory /memories/style.md]`,
      );
      await t.say('mail me@none.org');
      await t.window.until((one) => isIdle(one) && model.requests.length === 2);
      expect(model.requests[1]?.at(-1)?.content).toBe('mail me@none.org');
    },
    SLOW,
  );
});
