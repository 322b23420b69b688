import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type ClientApp,
  type ClientCapabilities,
  type ClientContext,
  client,
  type McpServer,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { root } from '../scripts/process.mjs';
import { checkedStream } from '../src-main/harness/acp/testing/protocol-check';
import { startAnthropic } from './providers/anthropic';
import { inTurn } from './providers/script';
import { expect, test } from './support/app';
import { processTree } from './support/processes';
import { currentRun } from './support/run';

// `npm run agent -- --acp` hosted like in an editor: with the SDK's client, and with one that misbehaves.

const temporary = (name: string) => realpathSync(mkdtempSync(join(currentRun().temp, `${name}-`)));

const start = (dataDir: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, [join(root, 'scripts/agent.mjs'), '--acp', '--data-dir', dataDir, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });

/** How many processes run a command. */
const running = (command: string) =>
  processTree(1).filter(({ words }) => words.join(' ').trim() === command).length;

const gone = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode);
    else child.once('exit', resolve);
  });

interface Editing {
  agent: ClientContext;
  updates: SessionUpdate[];
  questions: RequestPermissionRequest[];
}

interface EditorSetUp {
  /** Arguments and variables of the agent. */
  args?: string[];
  env?: NodeJS.ProcessEnv;
  capabilities?: ClientCapabilities;
  /** Adds what the capabilities promise. */
  offer?: (editor: ClientApp) => ClientApp;
}

/** Runs `work` in an editor that answers each permission request with `answer`: an option's id, or null to cancel. */
async function inEditor(
  dataDir: string,
  work: (editing: Editing) => Promise<void>,
  answer: (request: RequestPermissionRequest) => string | null | Promise<string | null> = () => 'allow_once',
  { args, env, capabilities = {}, offer = (editor) => editor }: EditorSetUp = {},
): Promise<void> {
  const child = start(dataDir, args, env);
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('It has no pipes.');
  const updates: SessionUpdate[] = [];
  const questions: RequestPermissionRequest[] = [];
  const { stream, problems } = checkedStream(
    ndJsonStream(
      Writable.toWeb(stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
    ),
  );
  await offer(client({ name: 'editor of the tests' }))
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      questions.push(params);
      const optionId = await answer(params);
      return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .connectWith(stream, async (agent) => {
      const started = await agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: capabilities,
      });
      expect(started).toMatchObject({
        protocolVersion: 1,
        agentInfo: { name: 'deepdesk', title: 'Deepdesk' },
      });
      await work({ agent, updates, questions });
    });
  stdin.end();
  expect(await gone(child)).toBe(0);
  expect(problems, 'what the agent sent against the protocol').toEqual([]);
}

const newSession = (agent: ClientContext, cwd: string) =>
  agent.request(methods.agent.session.new, { cwd, mcpServers: [] });

const say = (agent: ClientContext, sessionId: string, text: string) =>
  agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });

const textOf = (updates: SessionUpdate[]) =>
  updates
    .flatMap((update) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
        ? [update.content.text]
        : [],
    )
    .join('');

const statesOf = (updates: SessionUpdate[], kind: string) =>
  updates.flatMap((update) =>
    (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') &&
    update.kind === kind
      ? [update.status]
      : [],
  );

test('edits a file in an editor: the call with its diff, a permission request, and the session read again', async () => {
  const folder = temporary('acp');
  const dataDir = temporary('data');
  let sessionId = '';
  await inEditor(dataDir, async ({ agent, updates, questions }) => {
    const session = await newSession(agent, folder);
    ({ sessionId } = session);
    expect(session.modes?.currentModeId).toBe('ask-risky');
    expect(session.modes?.availableModes.map(({ id }) => id)).toEqual([
      'auto-sandbox',
      'ask-risky',
      'ask-all',
      'plan',
    ]);
    expect(session.configOptions?.[0]).toMatchObject({ id: 'model', currentValue: 'offline:guide' });
    expect(await say(agent, sessionId, 'create a.txt with "hello"')).toEqual({ stopReason: 'end_turn' });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('hello');
    expect(questions).toHaveLength(1);
    expect(questions[0]?.toolCall).toMatchObject({
      kind: 'edit',
      status: 'pending',
      locations: [{ path: join(folder, 'a.txt') }],
      content: [{ type: 'diff', path: join(folder, 'a.txt'), oldText: null, newText: 'hello' }, {}],
    });
    expect(questions[0]?.options.map(({ kind }) => kind)).toEqual([
      'allow_once',
      'allow_always',
      'reject_once',
    ]);
    expect(statesOf(updates, 'edit')).toEqual(['pending', 'in_progress', 'completed']);
    expect(textOf(updates)).not.toBe('');
  });
  await inEditor(dataDir, async ({ agent, updates }) => {
    const listed = await agent.request(methods.agent.session.list, { cwd: folder });
    expect(listed.sessions).toMatchObject([{ sessionId, cwd: folder, title: 'create a.txt with "hello"' }]);
    await agent.request(methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] });
    expect(updates.find(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk')).toMatchObject({
      content: { type: 'text', text: 'create a.txt with "hello"' },
    });
    expect(statesOf(updates, 'edit')).toEqual(['completed']);
    const before = updates.length;
    expect(await say(agent, sessionId, 'read a.txt')).toEqual({ stopReason: 'end_turn' });
    expect(statesOf(updates.slice(before), 'read')).toContain('completed');
  });
});

test('leaves a file alone when the person rejects, and stops asking after "always"', async () => {
  const folder = temporary('acp');
  const answers = ['reject_once', 'allow_always'];
  await inEditor(
    temporary('data'),
    async ({ agent, questions, updates }) => {
      const { sessionId } = await newSession(agent, folder);
      expect(await say(agent, sessionId, 'create a.txt with "1"')).toEqual({ stopReason: 'end_turn' });
      expect(existsSync(join(folder, 'a.txt'))).toBe(false);
      expect(statesOf(updates, 'edit')).toEqual(['pending', 'failed']);
      await say(agent, sessionId, 'create b.txt with "2"');
      await say(agent, sessionId, 'create b.txt with "3"');
      expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('3');
      expect(questions).toHaveLength(2);
    },
    () => answers.shift() ?? null,
  );
});

test('takes files, resources, and links with the message', async () => {
  const folder = temporary('acp');
  const dataDir = temporary('data');
  writeFileSync(join(folder, 'here.txt'), 'x');
  let sessionId = '';
  await inEditor(dataDir, async ({ agent }) => {
    ({ sessionId } = await newSession(agent, folder));
    await agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [
        { type: 'text', text: 'What is in ' },
        { type: 'resource_link', uri: `file://${join(folder, 'here.txt')}`, name: 'here.txt' },
        { type: 'resource', resource: { uri: 'file:///elsewhere/notes%20of%20mine.md', text: '# Notes' } },
      ],
    });
  });
  await inEditor(dataDir, async ({ agent, updates }) => {
    await agent.request(methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] });
    const said = updates.flatMap((update) =>
      update.sessionUpdate === 'user_message_chunk' && update.content.type === 'text'
        ? [update.content.text]
        : [],
    );
    expect(said).toEqual(['What is in @"here.txt"', '\n[attached: notes of mine.md]']);
  });
});

test('reads and edits what the editor has not saved', async () => {
  const folder = temporary('acp');
  const path = join(folder, 'notes.txt');
  writeFileSync(path, 'saved long ago');
  utimesSync(path, 1_000, 1_000);
  const buffers = new Map([[path, 'typed just now']]);
  await inEditor(
    temporary('data'),
    async ({ agent, questions, updates }) => {
      const { sessionId } = await newSession(agent, folder);
      await say(agent, sessionId, 'read notes.txt');
      expect(JSON.stringify(updates)).toContain('typed just now');
      await say(agent, sessionId, 'replace "typed" with "said" in notes.txt');
      expect(questions[0]?.toolCall.content?.[0]).toMatchObject({
        type: 'diff',
        oldText: 'typed just now',
        newText: 'said just now',
      });
      expect(readFileSync(path, 'utf8')).toBe('said just now');
      expect(buffers.size).toBe(0);
    },
    undefined,
    {
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
      offer: (editor) =>
        editor
          .onRequest(methods.client.fs.readTextFile, ({ params }) => ({
            content: buffers.get(params.path) ?? readFileSync(params.path, 'utf8'),
          }))
          .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
            buffers.delete(params.path);
            writeFileSync(params.path, params.content);
            return {};
          }),
    },
  );
});

/** Runs what the agent wants in its terminals, like an editor. */
function editorTerminals() {
  const open = new Map<string, { child: ChildProcess; output: string; ended: Promise<number | null> }>();
  const of = ({ params }: { params: { terminalId: string } }) => {
    const found = open.get(params.terminalId);
    if (found === undefined) throw new Error('No such terminal.');
    return found;
  };
  const offer = (editor: ClientApp) =>
    editor
      .onRequest(methods.client.terminal.create, ({ params: { command, args = [], env = [], cwd } }) => {
        const terminalId = `t${open.size + 1}`;
        const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
        const child = spawn(command, args, {
          cwd: cwd ?? '/',
          env: { ...process.env, ...own },
          stdio: 'pipe',
        });
        const terminal = { child, output: '', ended: gone(child) };
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => {
            terminal.output += text;
          });
        open.set(terminalId, terminal);
        return { terminalId };
      })
      .onRequest(methods.client.terminal.waitForExit, async (asked) => ({ exitCode: await of(asked).ended }))
      .onRequest(methods.client.terminal.output, (asked) => ({ output: of(asked).output, truncated: false }))
      .onRequest(methods.client.terminal.kill, (asked) => {
        of(asked).child.kill('SIGKILL');
        return {};
      })
      .onRequest(methods.client.terminal.release, () => ({}));
  return { open, setUp: { capabilities: { terminal: true }, offer } };
}

test('runs a command in a terminal of the editor', async () => {
  const folder = temporary('acp');
  const { open, setUp } = editorTerminals();
  await inEditor(
    temporary('data'),
    async ({ agent, updates }) => {
      const { sessionId } = await newSession(agent, folder);
      // A command that waits asks first and then runs for real, not in a layer.
      const command = 'sleep 0.001m; echo from $PWD > out.txt; cat out.txt';
      expect(await say(agent, sessionId, `run ${command}`)).toEqual({ stopReason: 'end_turn' });
      expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe(`from ${folder}\n`);
      const shown = updates.filter(
        (update) =>
          update.sessionUpdate === 'tool_call_update' &&
          update.content?.some((one) => one.type === 'terminal' && one.terminalId === 't1'),
      );
      expect(shown.length).toBeGreaterThan(0);
      expect(statesOf(updates, 'execute').at(-1)).toBe('completed');
      expect([...open.values()].map(({ output }) => output)).toEqual([`from ${folder}\n`]);
    },
    undefined,
    setUp,
  );
});

test('uses the MCP servers of the editor, and asks about their tools until "always"', async () => {
  const folder = temporary('acp');
  const echo = { calls: [{ name: 'docs__echo', args: { text: 'hello' } }] };
  const server = await startAnthropic(inTurn([echo, { text: 'Heard.' }]));
  const args = ['--model', 'anthropic:claude-test', '--base-url', server.url];
  const mcpServer: McpServer = {
    name: 'docs',
    command: process.execPath,
    args: [join(import.meta.dirname, 'support/mcp-server.mjs'), 'stdio'],
    env: [],
  };
  try {
    await inEditor(
      temporary('data'),
      async ({ agent, questions, updates }) => {
        const { sessionId } = await agent.request(methods.agent.session.new, {
          cwd: folder,
          mcpServers: [mcpServer],
        });
        await say(agent, sessionId, 'Use the server.');
        expect(questions[0]?.toolCall.title).toContain('docs__echo');
        await say(agent, sessionId, 'Use it again.');
        expect(questions).toHaveLength(1);
        expect(statesOf(updates, 'other').filter((status) => status === 'completed')).toHaveLength(2);
      },
      () => 'allow_always',
      { args, env: { ANTHROPIC_API_KEY: 'test-key' } },
    );
  } finally {
    await server.close();
  }
});

test('says that an answer ended at the token limit', async () => {
  const server = await startAnthropic(({ lastUserText }) =>
    lastUserText === 'Write.' ? { text: 'Half an ans', stop: 'length' } : { text: 'Whole.' },
  );
  const args = ['--model', 'anthropic:claude-test', '--base-url', server.url];
  try {
    await inEditor(
      temporary('data'),
      async ({ agent }) => {
        const { sessionId } = await newSession(agent, temporary('acp'));
        expect(await say(agent, sessionId, 'Write.')).toEqual({ stopReason: 'max_tokens' });
        expect(await say(agent, sessionId, 'Continue.')).toEqual({ stopReason: 'end_turn' });
      },
      undefined,
      { args, env: { ANTHROPIC_API_KEY: 'test-key' } },
    );
  } finally {
    await server.close();
  }
});

test('says why when the folder disappears while the agent works', async () => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  await inEditor(temporary('data'), async ({ agent }) => {
    const folder = temporary('acp');
    const { sessionId } = await newSession(agent, folder);
    const command = `sleep 4714.${process.pid}`;
    const said = say(agent, sessionId, `run ${command}`).then(
      ({ stopReason }) => stopReason,
      (error: unknown) => String(error),
    );
    // Its call is in progress before it starts, and fails without its folder.
    await expect.poll(() => running(command), { timeout: 60_000 }).toBeGreaterThan(0);
    rmSync(folder, { recursive: true });
    expect(await said).toContain(`The folder ${folder} no longer exists`);
  });
});

test('asks the questions of the agent in the editor, one after another', async () => {
  const folder = temporary('acp');
  const questions = [
    { question: 'Which database?', choices: ['PostgreSQL', 'SQLite'] },
    { question: 'Which page?', choices: ['Home', 'About'] },
  ];
  const server = await startAnthropic(({ lastToolResults: [result], lastUserText }) => {
    if (result !== undefined) return { text: `I read ${result.content}` };
    const text = { question: 'What is it called?' };
    const asked = lastUserText === 'By name.' ? [text] : questions;
    return { calls: [{ name: 'ask_user', args: { questions: asked } }] };
  });
  const args = ['--model', 'anthropic:claude-test', '--base-url', server.url];
  try {
    await inEditor(
      temporary('data'),
      async ({ agent, questions: asked, updates }) => {
        const { sessionId } = await newSession(agent, folder);
        await say(agent, sessionId, 'Begin.');
        expect(asked.map(({ options }) => options.map(({ name }) => name))).toEqual([
          ['PostgreSQL', 'SQLite', 'Do not answer'],
          ['Home', 'About', 'Do not answer'],
        ]);
        expect(JSON.stringify(asked[1]?.toolCall.content)).toContain('Which page?');
        const answers = [
          { question: 'Which database?', choices: ['SQLite'] },
          { question: 'Which page?', choices: ['About'] },
        ];
        expect(textOf(updates)).toContain(JSON.stringify({ answers }));
        await say(agent, sessionId, 'By name.');
        expect(asked).toHaveLength(2);
        expect(textOf(updates)).toContain('Ask your questions in your answer instead.');
      },
      () => '1',
      { args, env: { ANTHROPIC_API_KEY: 'test-key' } },
    );
  } finally {
    await server.close();
  }
});

test('refuses further folders with a reason', async () => {
  const folder = temporary('acp');
  await inEditor(temporary('data'), async ({ agent }) => {
    const refused = agent.request(methods.agent.session.new, {
      cwd: folder,
      mcpServers: [],
      additionalDirectories: [temporary('other')],
    });
    await expect(refused).rejects.toMatchObject({ code: -32602, message: /one folder/ });
    const { sessionId } = await newSession(agent, folder);
    await agent.request(methods.agent.session.close, { sessionId });
    await expect(say(agent, sessionId, 'list files')).rejects.toMatchObject({ code: -32002 });
    await agent.request(methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] });
    expect(await say(agent, sessionId, 'list files')).toEqual({ stopReason: 'end_turn' });
  });
});

test('changes mode and model, and rejects unknown ones', async () => {
  const folder = temporary('acp');
  await inEditor(temporary('data'), async ({ agent, questions }) => {
    const { sessionId } = await newSession(agent, folder);
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'plan' });
    await say(agent, sessionId, 'create a.txt with "1"');
    expect([existsSync(join(folder, 'a.txt')), questions.length]).toEqual([false, 0]);
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'ask-risky' });
    const refused = (work: Promise<unknown>) =>
      work.then(
        () => 'accepted',
        ({ code }: { code: number }) => code,
      );
    expect(await refused(agent.request(methods.agent.session.setMode, { sessionId, modeId: 'yolo' }))).toBe(
      -32602,
    );
    const option = { sessionId, configId: 'model', value: 'nobody:nothing' };
    expect(await refused(agent.request(methods.agent.session.setConfigOption, option))).toBe(-32602);
    expect(await refused(say(agent, 'no-such-session', 'hello'))).toBe(-32002);
    expect(await refused(newSession(agent, join(folder, 'missing')))).toBe(-32002);
    expect(await refused(newSession(agent, 'relative'))).toBe(-32602);
  });
});

test('tells every session of a folder that its mode changed', async () => {
  const folder = temporary('acp');
  await inEditor(temporary('data'), async ({ agent, updates }) => {
    const { sessionId } = await newSession(agent, folder);
    const other = await newSession(agent, folder);
    const elsewhere = await newSession(agent, temporary('acp'));
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'plan' });
    const modes = () => updates.filter(({ sessionUpdate }) => sessionUpdate === 'current_mode_update');
    const plan = { sessionUpdate: 'current_mode_update', currentModeId: 'plan' };
    await expect.poll(modes).toEqual([plan, plan]);
    expect([other, elsewhere].map(({ modes: shown }) => shown?.currentModeId)).toEqual([
      'ask-risky',
      'ask-risky',
    ]);
    const { modes: now } = await agent.request(methods.agent.session.load, {
      sessionId: other.sessionId,
      cwd: folder,
      mcpServers: [],
    });
    expect(now?.currentModeId).toBe('plan');
    await agent.request(methods.agent.session.setMode, { sessionId: other.sessionId, modeId: 'plan' });
    await say(agent, elsewhere.sessionId, 'help');
    expect(modes()).toEqual([plan, plan]);
  });
});

test('refuses a message that is too long, and continues', async () => {
  await inEditor(temporary('data'), async ({ agent, updates }) => {
    const { sessionId } = await newSession(agent, temporary('acp'));
    await expect(say(agent, sessionId, 'x'.repeat(2_000_001))).rejects.toMatchObject({
      code: -32602,
      message: 'The message is too long. It can have up to 2,000,000 characters. Attach the text as a file.',
    });
    expect(await say(agent, sessionId, 'help')).toEqual({ stopReason: 'end_turn' });
    expect(textOf(updates)).not.toBe('');
  });
});

test('cancels while it asks: nothing runs, and the session continues', async () => {
  const folder = temporary('acp');
  let cancel = () => Promise.resolve();
  await inEditor(
    temporary('data'),
    async ({ agent }) => {
      const { sessionId } = await newSession(agent, folder);
      cancel = () => agent.notify(methods.agent.session.cancel, { sessionId });
      expect(await say(agent, sessionId, 'create a.txt with "1"')).toEqual({ stopReason: 'cancelled' });
      expect(existsSync(join(folder, 'a.txt'))).toBe(false);
      expect(await say(agent, sessionId, 'list files')).toEqual({ stopReason: 'end_turn' });
    },
    async () => {
      await cancel();
      return null;
    },
  );
});

/** A session in `folder`, opened by the client that misbehaves. */
async function rawSession(child: ChildProcess, folder: string) {
  const raw = new RawClient(child);
  await raw.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const session = await raw.request('session/new', { cwd: folder, mcpServers: [] });
  return { raw, ...(session as { sessionId: string }) };
}

test('asks again what an editor that crashed had not answered', async () => {
  const folder = temporary('acp');
  const dataDir = temporary('data');
  const child = start(dataDir);
  const { raw, sessionId } = await rawSession(child, folder);
  raw.send({
    id: 77,
    method: 'session/prompt',
    params: { sessionId, prompt: [{ type: 'text', text: 'create a.txt with "1"' }] },
  });
  await raw.until((message) => message.method === 'session/request_permission');
  child.stdin?.destroy();
  child.stdout?.destroy();
  expect(await gone(child)).toBe(0);
  await inEditor(dataDir, async ({ agent, questions }) => {
    await agent.request(methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] });
    expect(await say(agent, sessionId, 'list files')).toEqual({ stopReason: 'end_turn' });
    expect(questions).toHaveLength(1);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('1');
  });
});

test('stops its commands when the editor ends it with SIGTERM, and the session can be loaded again', async () => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const folder = temporary('acp');
  const dataDir = temporary('data');
  const child = start(dataDir);
  const { raw, sessionId } = await rawSession(child, folder);
  const command = `sleep 4713.${process.pid}`;
  raw.send({
    id: 77,
    method: 'session/prompt',
    params: { sessionId, prompt: [{ type: 'text', text: `run ${command}` }] },
  });
  const { id } = await raw.until((message) => message.method === 'session/request_permission');
  raw.send({ id, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } });
  await expect.poll(() => running(command)).toBeGreaterThan(0);
  child.kill('SIGTERM');
  expect(await gone(child)).toBe(130);
  expect(running(command)).toBe(0);
  await inEditor(dataDir, async ({ agent, updates }) => {
    await agent.request(methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] });
    expect(await say(agent, sessionId, 'list files')).toEqual({ stopReason: 'end_turn' });
    expect(textOf(updates)).toContain('empty');
  });
});

test('ends the prompt that is cancelled while it asks about an older call, and continues', async () => {
  const folder = temporary('acp');
  const child = start(temporary('data'));
  const { raw, sessionId } = await rawSession(child, folder);
  const prompted = async (id: number, text: string, answer: object | null) => {
    raw.send({ id, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text }] } });
    if (answer !== null) {
      const asked = await raw.until(({ method }) => method === 'session/request_permission');
      raw.send({ id: asked.id, result: answer });
    }
    const { result, error } = await raw.until((message) => message.id === id);
    return result ?? error;
  };
  expect(await prompted(501, 'create a.txt with "1"', {})).toEqual({
    code: -32603,
    message: 'The editor answered a permission request without an outcome.',
  });
  expect(await prompted(502, 'list files', { outcome: { outcome: 'cancelled' } })).toEqual({
    stopReason: 'cancelled',
  });
  expect(await prompted(503, 'list files', null)).toEqual({ stopReason: 'end_turn' });
  child.stdin?.end();
  expect(await gone(child)).toBe(0);
});

test('answers a client that misbehaves with errors, and continues', async () => {
  const folder = temporary('acp');
  const child = start(temporary('data'));
  const raw = new RawClient(child);
  const codeOf = async (method: string, params: unknown) => {
    try {
      return await raw.request(method, params);
    } catch (error) {
      return (error as { code: number }).code;
    }
  };
  expect(await codeOf('session/new', { cwd: folder, mcpServers: [] })).toBe(-32600);
  raw.write('this is no JSON\n');
  raw.write('[]\n');
  raw.write('{"jsonrpc":"2.0","id":{"a":1},"method":"initialize"}\n');
  await raw.request('initialize', { protocolVersion: 99, clientCapabilities: { fs: 'everything' } });
  expect(await codeOf('no/such_method', {})).toBe(-32601);
  expect(await codeOf('session/new', { cwd: 7 })).toBe(-32602);
  expect(await codeOf('session/prompt', { sessionId: '../../etc', prompt: [] })).toBe(-32002);
  const { sessionId } = (await raw.request('session/new', { cwd: folder, mcpServers: [] })) as {
    sessionId: string;
  };
  expect(await codeOf('session/prompt', { sessionId, prompt: [] })).toBe(-32602);
  raw.write(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"unknown"}}\n`);
  raw.write(`{"jsonrpc":"2.0","id":12345,"result":{"outcome":"nobody asked"}}\n`);
  const prompt = { sessionId, prompt: [{ type: 'text', text: 'create a.txt with "1"' }] };
  raw.send({ id: 500, method: 'session/prompt', params: prompt });
  const asked = await raw.until((message) => message.method === 'session/request_permission');
  expect(await codeOf('session/prompt', prompt)).toBe(-32602);
  // An option that was not offered grants no permission.
  raw.send({ id: asked.id, result: { outcome: { outcome: 'selected', optionId: 'do_anything' } } });
  raw.write(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"${sessionId}"}}\n`);
  const ended = await raw.until((message) => message.id === 500);
  expect(ended.result).toEqual({ stopReason: 'cancelled' });
  expect(existsSync(join(folder, 'a.txt'))).toBe(false);
  child.stdin?.end();
  expect(await gone(child)).toBe(0);
});

interface RawMessage {
  id?: unknown;
  method?: string;
  result?: unknown;
  error?: { code: number; message: string };
}

/** A second client, written from the protocol's schema, that sends arbitrary messages. */
class RawClient {
  private readonly seen: RawMessage[] = [];
  private readonly waiting = new Set<() => void>();
  private nextId = 1;
  private rest = '';

  constructor(private readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.rest + text).split('\n');
      this.rest = lines.pop() ?? '';
      for (const line of lines) this.seen.push(JSON.parse(line) as RawMessage);
      for (const look of this.waiting) look();
    });
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** The first message that matches; each is returned once. */
  until(is: (message: RawMessage) => boolean): Promise<RawMessage> {
    return new Promise((resolve) => {
      const look = () => {
        const at = this.seen.findIndex(is);
        const [found] = at === -1 ? [] : this.seen.splice(at, 1);
        if (found === undefined) return;
        this.waiting.delete(look);
        resolve(found);
      };
      this.waiting.add(look);
      look();
    });
  }

  async request(method: string, params: unknown): Promise<unknown> {
    const id = this.nextId++;
    this.send({ id, method, params });
    const answer = await this.until((message) => message.id === id);
    if (answer.error) throw answer.error;
    return answer.result;
  }
}
