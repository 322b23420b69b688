import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientApp, type McpServer, methods } from '@agentclientprotocol/sdk';
import { startAnthropic } from './providers/anthropic';
import { inTurn } from './providers/script';
import { expect, test } from './support/app';
import { gone, inEditor, newSession, say, statesOf, temporary, textOf } from './support/editor';

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
