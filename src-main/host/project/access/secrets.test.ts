import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startAnthropic } from '../../../../e2e/providers/anthropic';
import type { Script } from '../../../../e2e/providers/script';
import type { ThreadId } from '../../../contract/ids';
import type { RedactedSecret } from '../../../contract/secrets';
import type { Host } from '../../host';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost } from '../../testing/window';

const TOKEN = 'ghp_kJ82hs91ksOq02nsLa91MspZk38Q1aPq92mX';
const PASSWORD = 'c0rrect-h0rse-9';
const CANARY = 'canary-9b1f-key-of-deepdesk';
const ENV_TOKEN = 'canary-77aa-of-the-environment';
const PLACE = '[secret redacted: GitHub token, #1]';

/** A scripted provider on the loopback, and a host that knows it. */
async function withModel(script: Script, options: { files?: Record<string, string> } = {}) {
  const server = await startAnthropic(script, { apiKey: CANARY });
  cleanups.push(() => server.close());
  const env = {
    ...process.env,
    ANTHROPIC_API_KEY: CANARY,
    ANTHROPIC_BASE_URL: server.url,
    SOME_TOKEN: ENV_TOKEN,
  };
  const t = await setUp({ env });
  for (const [name, text] of Object.entries(options.files ?? {})) {
    mkdirSync(join(t.folder, name, '..'), { recursive: true });
    writeFileSync(join(t.folder, name), text);
  }
  await t.window.must('thread.setModel', { threadId: t.threadId, model: 'anthropic:claude-test' });
  const sent = () => JSON.stringify(server.requests.map(({ body }) => body));
  return { ...t, server, sent, env };
}

/** Every file below a folder except recorded contents, which are kept byte for byte so that changes can be undone. */
function everything(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path).isFile() && !path.includes('/changes/'))
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

/** Everything in the database about a thread, as the app reads it: checkpoints are compressed there. */
async function savedIn({ storage }: Host, threadId: ThreadId): Promise<string> {
  const saved: unknown[] = [storage.messages.all(threadId), storage.redactedSecrets.list(threadId)];
  for await (const tuple of storage.checkpointer.list({ configurable: { thread_id: threadId } }))
    saved.push(tuple);
  for (const { id } of storage.terminals.list()) saved.push(storage.terminals.output(id));
  return JSON.stringify(saved);
}

/** The setup closes its host again. */
async function end(host: Host): Promise<void> {
  await host.close();
  host.close = async () => undefined;
}

const approveAll = async (window: FakeWindow) => {
  for (;;) {
    const state = await window.until(
      (now) => isIdle(now) || isWaiting(1)(now) || now.turn.phase === 'failed',
    );
    if (state.turn.phase !== 'waiting') return state;
    await window.decide(0, { type: 'approve' });
    await window.until((now) => now.approvals.length === 0);
  }
};

describe('secrets of a folder', () => {
  it('are redacted from the model, the database and stored terminal output', async () => {
    let step = 0;
    const t = await withModel(
      () => {
        step++;
        const root = t.folder;
        if (step === 1)
          return {
            calls: [
              { name: 'read_file', args: { file_path: `${root}/config.ts` } },
              { name: 'grep', args: { pattern: 'token', path: root, output_mode: 'content' } },
            ],
          };
        if (step === 2)
          return { calls: [{ name: 'execute', args: { command: 'cat config.ts; base64 -w0 config.ts' } }] };
        return { text: 'Done.' };
      },
      { files: { 'config.ts': `export const token = "${TOKEN}";\nconst password = '${PASSWORD}';\n` } },
    );
    await t.say('look');
    await approveAll(t.window);
    const results = t.window.calls.map(({ result }) => result ?? '');
    for (const result of results.slice(0, 3)) expect(result).toContain(PLACE);
    expect(t.window.calls[0]?.withheld).toEqual([1, 2]);
    expect(results.join()).not.toContain(TOKEN);
    expect(t.sent()).toContain(PLACE);
    expect(t.sent()).not.toContain(TOKEN);
    expect(t.sent()).not.toContain(PASSWORD);
    expect(t.sent()).not.toContain(Buffer.from(TOKEN).toString('base64').slice(4, 40));
    const { secrets }: { secrets: RedactedSecret[] } = await t.window.must('secrets.list', {
      threadId: t.threadId,
    });
    expect(secrets[0]).toMatchObject({ number: 1, kind: 'github-token', allowed: false });
    expect(secrets[0]?.places[0]).toMatchObject({
      path: `${t.folder}/config.ts`,
      line: 1,
      tool: 'read_file',
    });
    expect(await t.window.must('secrets.show', { threadId: t.threadId, number: 1 })).toEqual({
      value: TOKEN,
    });
    const rows = await savedIn(t.host, t.threadId);
    await end(t.host);
    expect(everything(t.dataDir)).not.toContain(TOKEN);
    expect(rows).toContain('secret redacted');
    expect(rows).not.toContain(TOKEN);
    expect(rows).not.toContain(PASSWORD);
  });

  it('are restored only in the file they came from, and the approval card does not show them', async () => {
    let step = 0;
    const t = await withModel(
      () => {
        step++;
        const file = `${t.folder}/config.ts`;
        if (step === 1) return { calls: [{ name: 'read_file', args: { file_path: file } }] };
        if (step === 2)
          return {
            calls: [
              {
                name: 'edit_file',
                args: {
                  file_path: file,
                  old_string: `token = "${PLACE}"`,
                  new_string: `githubToken = "${PLACE}"`,
                },
              },
            ],
          };
        if (step === 3)
          return {
            calls: [
              { name: 'write_file', args: { file_path: `${t.folder}/public.txt`, content: PLACE } },
              { name: 'execute', args: { command: `curl -d '${PLACE}' http://127.0.0.1:9` } },
            ],
          };
        return { text: 'Done.' };
      },
      { files: { 'config.ts': `export const token = "${TOKEN}";\n` } },
    );
    await t.say('rename it');
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]?.preview).toMatchObject({ kind: 'diff', added: 1, removed: 1 });
    expect(JSON.stringify(approvals)).not.toContain(TOKEN);
    await approveAll(t.window);
    expect(readFileSync(join(t.folder, 'config.ts'), 'utf8')).toBe(
      `export const githubToken = "${TOKEN}";\n`,
    );
    expect(readdirSync(t.folder)).toEqual(['config.ts']);
    expect(t.window.calls[2]).toMatchObject({
      status: 'failed',
      result: expect.stringContaining('did not come from'),
    });
    expect(t.window.calls[3]).toMatchObject({
      status: 'failed',
      result: expect.stringContaining(
        'its arguments contain the placeholder of redacted secret #1, not the value',
      ),
    });
  });

  it('keep their number after a restart, and a pending call with them can still be allowed', async () => {
    let step = 0;
    const t = await withModel(
      () => {
        step++;
        const file = `${t.folder}/config.ts`;
        if (step === 1) return { calls: [{ name: 'read_file', args: { file_path: file } }] };
        if (step === 2)
          return {
            calls: [
              { name: 'edit_file', args: { file_path: file, old_string: PLACE, new_string: `${PLACE}x` } },
            ],
          };
        return { text: 'Done.' };
      },
      { files: { 'config.ts': `a("${TOKEN}")\n` } },
    );
    await t.say('go');
    await t.window.until(isWaiting(1));
    await end(t.host);
    const again = await startHost(t.dataDir, [], { env: t.env });
    cleanups.push(() => again.close());
    const window = new FakeWindow(again);
    await window.open(t.threadId);
    await window.until(isWaiting(1));
    await window.decide(0, { type: 'approve' });
    await window.until(isIdle);
    expect(readFileSync(join(t.folder, 'config.ts'), 'utf8')).toBe(`a("${TOKEN}x")\n`);
  });

  it('are shown to the model one at a time, after the person allows it', async () => {
    const t = await withModel(
      ({ lastToolResults }) =>
        lastToolResults.length > 0
          ? { text: 'Done.' }
          : { calls: [{ name: 'read_file', args: { file_path: `${t.folder}/config.ts` } }] },
      { files: { 'config.ts': `token = "${TOKEN}"\npassword = '${PASSWORD}'\n` } },
    );
    await t.say('look');
    await t.window.until(isIdle);
    await t.window.must('secrets.allow', { threadId: t.threadId, number: 1, allowed: true });
    await t.say('look again');
    await t.window.until((state) => isIdle(state) && state.messages.length > 5);
    expect(t.window.calls.at(-1)?.result).toContain(TOKEN);
    expect(t.window.calls.at(-1)?.result).not.toContain(PASSWORD);
  });
});

describe('a message with a likely secret', () => {
  it('is not sent until the person decides what to do with it', async () => {
    const t = await withModel(() => ({ text: 'Done.' }));
    const text = `use ${TOKEN} for this`;
    const send = (secrets?: 'send' | 'redact') =>
      t.window.client.call('thread.send', { threadId: t.threadId, text, ...(secrets ? { secrets } : {}) });
    expect(await send()).toMatchObject({ ok: false, error: { kind: 'conflict' } });
    expect(t.window.state?.messages).toEqual([]);
    expect(await t.window.must('secrets.check', { threadId: t.threadId, text })).toEqual({
      kinds: ['github-token'],
    });
    await send('redact');
    await t.window.until(isIdle);
    expect(t.window.state?.messages[0]).toMatchObject({ text: `use ${PLACE} for this` });
    expect(t.sent()).not.toContain(TOKEN);
    await send('send');
    await t.window.until((state) => isIdle(state) && state.messages.length === 4);
    expect(t.sent()).toContain(TOKEN);
  });
});

describe('the keys of Deepdesk and its environment', () => {
  it('reach no child process, request, file or event, whatever the agent runs', async () => {
    let step = 0;
    const t = await withModel(
      () => {
        step++;
        if (step === 1)
          return {
            calls: [
              {
                name: 'execute',
                args: { command: 'env; echo done > /dev/null' },
              },
              { name: 'read_file', args: { file_path: `${t.folder}/leak.txt` } },
            ],
          };
        return { text: 'Done.' };
      },
      { files: { 'leak.txt': `${CANARY} ${Buffer.from(ENV_TOKEN).toString('base64')} ${ENV_TOKEN}` } },
    );
    await t.window.must('secrets.guard', { projectId: t.projectId, on: false, confirmed: true });
    await t.say('show');
    await approveAll(t.window);
    expect(t.window.calls[0]?.result).toContain('PATH=');
    expect(t.window.calls[1]?.result).toMatch(/key of Deepdesk, #\d.*key of Deepdesk in base64/);
    for (const canary of [CANARY, ENV_TOKEN]) {
      expect(JSON.stringify(t.window.events)).not.toContain(canary);
      expect(t.sent()).not.toContain(canary);
    }
    const own: { secrets: RedactedSecret[] } = await t.window.must('secrets.list', { threadId: t.threadId });
    const number = own.secrets.find(({ kind }) => kind === 'own')?.number ?? 0;
    for (const command of ['secrets.show', 'secrets.allow'] as const)
      expect(
        await t.window.client.call(command, {
          threadId: t.threadId,
          number,
          ...(command === 'secrets.allow' ? { allowed: true } : {}),
        } as never),
      ).toMatchObject({ ok: false, error: { kind: 'denied' } });
    await end(t.host);
    for (const canary of [CANARY, ENV_TOKEN]) {
      expect(everything(t.dataDir)).not.toContain(canary);
      expect(t.reports.join()).not.toContain(canary);
    }
  });
});
