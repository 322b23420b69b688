import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { McpServers } from '../../contract/mcp';
import { startProvider } from '../../models/testing/provider-servers';
import { cleanups, isIdle, setUp, startHost, temp, testDesktop } from '../testing/window';

/** A host whose person answers each dialog with `yes`, and the questions asked. */
async function asking(yes: boolean, more: Parameters<typeof setUp>[0] = {}) {
  const asked: string[] = [];
  const person = { yes };
  const desktop = {
    ...testDesktop,
    restart: () => undefined,
    confirm: async ({ message, detail, action }: { message: string; detail: string; action: string }) => {
      asked.push([message, detail, action].join('\n'));
      return person.yes;
    },
  };
  const t = await setUp({ desktop, ...more });
  const call = async (command: string, input: unknown) => {
    const result = await t.window.client.call(command as never, input as never);
    return result.ok ? 'ok' : (result as { error: { kind: string } }).error.kind;
  };
  const taken = () => asked.splice(0);
  return { ...t, call, taken, person };
}

const program = {
  name: 'tools',
  previous: null,
  transport: 'stdio',
  command: '/bin/sh',
  args: ['-c', 'touch /tmp/x\ny'],
  cwd: '/tmp',
  url: '',
  secrets: [
    { name: 'NODE_OPTIONS', value: '--require /tmp/evil.js' },
    { name: 'API_TOKEN', value: 'not-shown' },
  ],
  timeoutSeconds: 60,
};

describe('a compromised window', () => {
  it('needs the dialog for a looser mode, and none for a stricter one [safety 27]', async () => {
    const { call, taken, projectId, person, host } = await asking(false);
    const mode = () => host.storage.projects.get(projectId)?.mode;
    expect(await call('project.setMode', { projectId, mode: 'plan' })).toBe('ok');
    expect(taken()).toEqual([]);
    expect(await call('project.setMode', { projectId, mode: 'ask-risky', loosen: true })).toBe('cancelled');
    expect(mode()).toBe('plan');
    expect(taken()).toEqual([
      expect.stringMatching(/to “Ask before changes”\?[\s\S]*Now: Plan only[\s\S]*Change mode/),
    ]);
    person.yes = true;
    expect(await call('project.setMode', { projectId, mode: 'ask-risky', loosen: true })).toBe('ok');
    expect(mode()).toBe('ask-risky');
  });

  it('needs the dialog to save an MCP server, and it names the whole program [safety 27]', async () => {
    const { call, taken, dataDir } = await asking(false);
    expect(await call('mcp.save', { draft: program })).toBe('cancelled');
    expect(taken()).toEqual([
      `Run this program as the MCP server “tools”?
/bin/sh
  -c
  touch /tmp/x\\u{a}y

Working folder: /tmp
Environment variables: NODE_OPTIONS=--require /tmp/evil.js, API_TOKEN
It runs outside the sandbox, with your permissions.
Run program`,
    ]);
    const far = {
      ...program,
      transport: 'http',
      command: '',
      args: [],
      cwd: '',
      url: 'https://far.example/mcp',
    };
    expect(await call('mcp.save', { draft: far })).toBe('cancelled');
    expect(taken().join()).toContain('https://far.example/mcp');
    expect(existsSync(join(dataDir, 'mcp.json'))).toBe(false);
  });

  it('is not asked about an MCP server that cannot be saved', async () => {
    const { call, taken } = await asking(true);
    expect(await call('mcp.save', { draft: { ...program, command: ' ' } })).toBe('invalid');
    expect(await call('mcp.save', { draft: program })).toBe('ok');
    expect(taken()).toHaveLength(1);
    expect(await call('mcp.save', { draft: program })).toBe('conflict');
    expect(taken()).toEqual([]);
  });

  it('needs the dialog to start a server from a folder [safety 27]', async () => {
    const { call, taken, window, folder, projectId } = await asking(false);
    const mark = join(folder, 'started');
    const entry = { command: '/bin/sh', args: ['-c', `touch ${mark}`] };
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: entry } }));
    const { servers }: McpServers = await window.must('mcp.list', { projectId });
    const [{ id, digest } = { id: '', digest: '' }] = servers;
    expect(await call('mcp.consent', { projectId, id, digest, allowed: true })).toBe('cancelled');
    expect(taken()).toEqual([expect.stringContaining(`/bin/sh\n  -c\n  touch ${mark}\n`)]);
    expect(await call('mcp.setEnabled', { projectId, id, enabled: true })).toBe('ok');
    expect(await call('mcp.restart', { projectId, id })).toBe('ok');
    const after: McpServers = await window.must('mcp.list', { projectId });
    expect(after.servers.map(({ state }) => state.phase)).toEqual(['consent']);
    expect(existsSync(mark)).toBe(false);
    // The server's own check refuses a digest that was not shown, without a dialog.
    expect(await call('mcp.consent', { projectId, id, digest: 'other', allowed: true })).toBe('stale');
    expect(taken()).toEqual([]);
    expect(await call('mcp.consent', { projectId, id, digest, allowed: false })).toBe('ok');
  });

  it('names the files that a server from a folder runs', async () => {
    const { call, taken, window, folder, projectId } = await asking(false);
    writeFileSync(join(folder, 'server.mjs'), '');
    const entry = { command: 'node', args: ['server.mjs'] };
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: entry } }));
    const { servers }: McpServers = await window.must('mcp.list', { projectId });
    const [{ id, digest } = { id: '', digest: '' }] = servers;
    expect(await call('mcp.consent', { projectId, id, digest, allowed: true })).toBe('cancelled');
    expect(taken().join()).toContain('Project files that it runs: server.mjs. If one changes,');
  });

  it('cannot turn off the sandbox or redaction, or delete anything [safety 27]', async () => {
    const { call, taken, projectId, dataDir } = await asking(false);
    expect(await call('project.setSandbox', { projectId, on: false })).toBe('cancelled');
    expect(await call('secrets.guard', { projectId, on: false, confirmed: true })).toBe('cancelled');
    expect(await call('data.wipe', { confirm: 'DELETE' })).toBe('cancelled');
    expect(taken().map((text) => text.split('\n')[0])).toEqual([
      expect.stringContaining('outside the sandbox'),
      expect.stringContaining('Send secrets'),
      'Delete everything that Deepdesk has saved?',
    ]);
    expect(existsSync(join(dataDir, 'pending.json'))).toBe(false);
    expect(await call('project.setSandbox', { projectId, on: true })).toBe('ok');
    expect(await call('secrets.guard', { projectId, on: true })).toBe('ok');
    expect(taken()).toEqual([]);
  });

  it('needs the dialog for a rule beyond one project or one thing [safety 27]', async () => {
    const { call, taken, projectId, threadId, host } = await asking(false);
    const project = { kind: 'project', projectId };
    const save = (match: object, scope: object, effect = 'allow') =>
      call('rules.save', { draft: { effect, match, scope } });
    const npm = { kind: 'command', words: ['npm', 'test'], exact: true };
    const wide = [
      await save(npm, { kind: 'person' }),
      await save({ kind: 'host', host: 'evil.example' }, project),
      await save({ kind: 'host', host: 'evil.example' }, { kind: 'thread', threadId }),
      await save({ kind: 'tool', tool: 'server__tool' }, project),
      await save({ kind: 'path', changes: ['write'], glob: 'docs/**' }, project),
    ];
    expect(wide).toEqual(wide.map(() => 'cancelled'));
    expect(taken().join('\n')).toMatch(
      /npm test\n\nIn every project[\s\S]*evil\.example[\s\S]*server__tool[\s\S]*docs\/\*\*/,
    );
    expect(host.storage.rules.list()).toEqual([]);
    expect(await save({ kind: 'host', host: 'evil.example' }, { kind: 'person' }, 'deny')).toBe('ok');
    expect(await save(npm, project)).toBe('ok');
    expect(taken()).toEqual([]);
  });

  it('sees a dialog with invisible characters made visible and both ends of a long text [safety 27]', async () => {
    const { call, taken } = await asking(false);
    const args = ['a\u202eb\u00a0c', '\u115f\ufe0f\u034f', '\u0441url', 'x'.repeat(20_000), '; rm -rf ~'];
    expect(await call('mcp.save', { draft: { ...program, args } })).toBe('cancelled');
    const [text = ''] = taken();
    expect(text).toContain('a\\u{202e}b\\u{a0}c\n  \\u{115f}\\u{fe0f}\\u{34f}\n  \\u{441}url\n');
    expect(text).toMatch(/… and [\d,]+ more characters\n/);
    expect(text).toContain('; rm -rf ~');
    expect(text.length).toBeLessThan(5_000);
  });

  it('opens one dialog at a time', async () => {
    let answer: (yes: boolean) => void = () => undefined;
    const confirm = () =>
      new Promise<boolean>((resolve) => {
        answer = resolve;
      });
    const t = await setUp({ desktop: { ...testDesktop, confirm } });
    const save = () => t.window.client.call('mcp.save', { draft: program as never });
    const first = save();
    expect(await save()).toMatchObject({ ok: false, error: { kind: 'conflict' } });
    answer(false);
    expect(await first).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
  });

  it('is refused if there is nobody to ask [safety 27]', async () => {
    const { confirm: _, ...desktop } = testDesktop;
    const { call, projectId } = await asking(true, { desktop });
    expect(await call('project.setMode', { projectId, mode: 'plan' })).toBe('ok');
    expect(await call('project.setMode', { projectId, mode: 'ask-all', loosen: true })).toBe('unsupported');
    expect(await call('mcp.save', { draft: program })).toBe('unsupported');
    expect(await call('models.setBaseUrl', { provider: 'openai', baseUrl: 'http://127.0.0.1:9' })).toBe(
      'unsupported',
    );
  });
});

describe('a key', () => {
  const listening = async () => {
    const server = await startProvider('openai', () => ({ text: 'Done.' }));
    cleanups.push(() => server.close());
    return server;
  };
  it('goes to no other address until the person confirms it by name [safety 26]', async () => {
    const { call, taken, person, say, window, threadId, host } = await asking(true, { env: {} });
    const [good, evil] = [await listening(), await listening()];
    await call('models.setBaseUrl', { provider: 'openai', baseUrl: good.url });
    await call('models.setKey', { provider: 'openai', key: 'test-key' });
    taken();
    person.yes = false;
    expect(await call('models.setBaseUrl', { provider: 'openai', baseUrl: evil.url })).toBe('cancelled');
    expect(taken()).toEqual([
      `Send requests for OpenAI to this address?\n${evil.url}\n\nIt receives your threads and your key for OpenAI.\nNow: ${good.url}\nUse address`,
    ]);
    // Another program could write this.
    host.storage.settings.set('baseUrl:openai', evil.url);
    await call('thread.setModel', { threadId, model: 'openai:gpt-4.1' });
    await say('Hi');
    const failed = await window.until(({ turn }) => turn.phase === 'failed');
    expect(failed.turn.phase === 'failed' && inEnglish(failed.turn.error)).toContain(
      `Your key for OpenAI belongs to ${new URL(good.url).origin} and isn't sent to ${new URL(evil.url).origin}.`,
    );
    expect(evil.requests).toEqual([]);
    person.yes = true;
    expect(await call('models.setBaseUrl', { provider: 'openai', baseUrl: evil.url })).toBe('ok');
    await call('thread.retry', { threadId });
    await window.until(isIdle);
    expect(evil.requests).toHaveLength(1);
    // The same address, or undoing to the one before, needs no new confirmation.
    taken();
    expect(await call('models.setBaseUrl', { provider: 'openai', baseUrl: `${evil.url}/` })).toBe('ok');
    expect(taken()).toEqual([]);
  });

  it('from the environment goes to the address in the environment, not to one in a file [safety 26]', async () => {
    const [good, evil] = [await listening(), await listening()];
    const env = { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: good.url };
    const { call, say, window, threadId, host } = await asking(false, { env });
    await call('thread.setModel', { threadId, model: 'openai:gpt-4.1' });
    await say('Hi');
    await window.until(isIdle);
    expect(good.requests).toHaveLength(1);
    host.storage.settings.set('baseUrl:openai', evil.url);
    await say('Again');
    const failed = await window.until(({ turn }) => turn.phase === 'failed');
    expect(failed.turn.phase === 'failed' && inEnglish(failed.turn.error)).toContain(
      'only the saved settings name that address',
    );
    expect(evil.requests).toEqual([]);
  });

  it("from the environment goes to the command line's address, without a window [safety 26]", async () => {
    const server = await listening();
    const t = await setUp({ env: { OPENAI_API_KEY: 'test-key' }, baseUrl: server.url });
    await t.window.must('thread.setModel', { threadId: t.threadId, model: 'openai:gpt-4.1' });
    await t.say('Hi');
    await t.window.until(isIdle);
    expect(server.requests).toHaveLength(1);
  });

  it("for the command line's address is not sent to another one for a list of models [safety 26]", async () => {
    const [good, evil] = [await listening(), await listening()];
    const t = await setUp({ env: { OPENAI_COMPATIBLE_API_KEY: 'test-key' }, baseUrl: good.url });
    t.host.storage.settings.set('baseUrl:openai-compatible', evil.url);
    await t.host.models.lists.refresh();
    expect(evil.requests.length).toBeGreaterThan(0);
    expect(evil.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });

  it("goes to no later address because it was the command line's in the first run [safety 26]", async () => {
    const dataDir = temp('data');
    const [server, env] = [await listening(), { OPENAI_API_KEY: 'test-key' }];
    const first = await startHost(dataDir, [], { env, baseUrl: server.url });
    await first.close();
    const host = await startHost(dataDir, [], { env });
    cleanups.push(() => host.close());
    expect((await host.models.create('openai:gpt-4.1')).ok).toBe(true);
    host.storage.settings.set('baseUrl:openai', server.url);
    expect(await host.models.create('openai:gpt-4.1')).toMatchObject({ error: { kind: 'no_key' } });
  });

  it('from before origins existed belongs to the address that was set then', async () => {
    const dataDir = temp('data');
    const server = await listening();
    const keychain = {
      encrypt: (text: string) => Buffer.from(text),
      decrypt: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
    };
    const before = await startHost(dataDir, [], { env: {}, desktop: { ...testDesktop, keychain } });
    before.storage.settings.remove('keyOrigins');
    before.storage.settings.set('baseUrl:openai', server.url);
    before.storage.secrets.set('openai', keychain.encrypt('test-key'), 1);
    await before.close();
    const host = await startHost(dataDir, [], { env: {}, desktop: { ...testDesktop, keychain } });
    cleanups.push(() => host.close());
    expect((await host.models.create('openai:gpt-4.1')).ok).toBe(true);
    host.storage.settings.set('baseUrl:openai', 'http://127.0.0.1:9');
    expect(await host.models.create('openai:gpt-4.1')).toMatchObject({ error: { kind: 'no_key' } });
  });
});
