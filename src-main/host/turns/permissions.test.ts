import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { optional } from '../../contract/shared/optional';
import { because, type Reason } from '../../contract/shared/reasons';
import { createFilesystemMiddleware } from '../../harness/agent/middleware/filesystem';
import { memoryBackend } from '../../harness/agent/testing/memory-backend';
import { ScriptedModel, type ScriptedStep } from '../../harness/agent/testing/scripted-model';
import { CompositeBackend } from '../../harness/backends';
import type { BackendFactory } from '../../harness/backends/backend-factory';
import type { FilesystemPermission } from '../../harness/backends/policy/permissions';
import type { AnyBackend } from '../../harness/backends/published-protocol';
import { expectedWarnings } from '../../harness/backends/testing/expected-warnings';
import { state } from '../../harness/backends/testing/state';
import type { AgentObserver } from './agent-observer';
import { withHeldRules } from './run/sub-agent';
import { createThreadAgent, type ThreadAgentOptions } from './run/thread-agent';

const observer: AgentObserver = {
  modelStarted: () => undefined,
  modelDelta: () => undefined,
  modelEnded: () => undefined,
  modelFailed: () => undefined,
  approvalRequested: () => undefined,
  toolStarted: () => undefined,
  toolEnded: () => undefined,
  todosChanged: () => undefined,
};

const deny = (...paths: string[]): FilesystemPermission => ({
  operations: ['read', 'write'],
  paths,
  mode: 'deny',
});

type Calls = NonNullable<ScriptedStep['calls']>;

function setUp(
  backend: AnyBackend | BackendFactory,
  permissions: FilesystemPermission[],
  calls: Calls,
  more: Partial<ThreadAgentOptions> = {},
) {
  let at = 0;
  const agent = createThreadAgent({
    model: new ScriptedModel(() => {
      const call = calls[at++];
      return call === undefined ? { text: 'Done.' } : { calls: [call] };
    }),
    systemPrompt: 'You are under test.',
    backend,
    permissions,
    gate: { judge: async () => ({ verdict: 'allow', reason: [], outside: false }) },
    journal: {
      begin: () => undefined,
      finish: () => undefined,
      forget: () => undefined,
      isUnfinished: () => false,
      resultOf: () => undefined,
    },
    observer,
    isIncomplete: () => false,
    threadId: 't',
    checkpointer: new MemorySaver(),
    ...more,
  });
  const config = { configurable: { thread_id: 't' } };
  const run = async () => {
    const { messages } = await agent.graph.invoke({ messages: [new HumanMessage('go')] }, config);
    return messages
      .filter((m) => ToolMessage.isInstance(m))
      .map((m) => `${m.status ?? 'success'}: ${m.text}`);
  };
  const asked = async () =>
    (await agent.graph.getState(config)).tasks.flatMap((task) => task.interrupts).map((one) => one.value);
  return { run, asked };
}

describe('permissions in the harness', () => {
  it('answer a denied call with an error message [H36]', async () => {
    const backend = state();
    await backend.write('/secrets/k', 'hidden');
    await backend.write('/open', 'seen');
    const { run } = setUp(
      backend,
      [deny('/secrets/**')],
      [
        { name: 'read_file', args: { file_path: '/secrets/./k' } },
        { name: 'write_file', args: { file_path: '/secrets/new', content: 'x' } },
        { name: 'grep', args: { pattern: 'e', output_mode: 'files_with_matches' } },
        { name: 'delete', args: { file_path: '/secrets' } },
        { name: 'ls', args: { path: '/secrets' } },
      ],
    );
    expect(await run()).toEqual([
      'error: Error: permission denied for read on /secrets/k',
      'error: Error: permission denied for write on /secrets/new',
      'success: /open',
      'error: Error: permission denied for write on /secrets',
      'error: Error: permission denied for read on /secrets',
    ]);
    expect((await backend.read('/secrets/k')).content).toBe('hidden');
  });

  it('let sibling calls run, and delete no parent folder of a denied path [H37, H38]', async () => {
    const backend = state();
    await backend.write('/home/workspace/k', 'x');
    const { run } = setUp(
      backend,
      [{ operations: ['write'], paths: ['/home/*'] }, deny('/home/workspace/**')],
      [
        { name: 'write_file', args: { file_path: '/home/workspace2', content: 'x' } },
        { name: 'delete', args: { file_path: '/home' } },
      ],
    );
    expect(await run()).toEqual([
      expect.stringMatching(/^success: /),
      'error: Error: permission denied for write on /home (matches deny rule(s): /home/workspace/**)',
    ]);
  });

  it('apply to sub-agents unless they have their own [H39]', async () => {
    const read: Calls = [{ name: 'read_file', args: { file_path: '/secrets/k' } }];
    const seen: string[] = [];
    const worker = (name: string, permissions?: FilesystemPermission[]) => {
      let at = 0;
      return {
        name,
        description: name,
        systemPrompt: name,
        model: new ScriptedModel((messages) => {
          const last = messages.at(-1);
          if (at++ === 0) return { calls: read };
          seen.push(`${name}: ${last?.text.trim()}`);
          return { text: 'Done.' };
        }),
        ...optional({ permissions }),
      };
    };
    const backend = state();
    await backend.write('/secrets/k', 'hidden');
    const task = (type: string) => ({ name: 'task', args: { description: 'read', subagent_type: type } });
    const { run } = setUp(backend, [deny('/secrets/**')], [task('heir'), task('free')], {
      subagents: [worker('heir'), worker('free', [])],
    });
    await run();
    expect(seen).toEqual(['heir: Error: permission denied for read on /secrets/k', 'free: 1\thidden']);
  });

  it('hold beside a shell for a sub-agent without the tool for commands', async () => {
    const seen: string[] = [];
    let at = 0;
    const model = new ScriptedModel((messages) => {
      if (at++ === 0) return { calls: [{ name: 'read_file', args: { file_path: '/secrets/k' } }] };
      seen.push(messages.at(-1)?.text.trim() ?? '');
      return { text: 'Done.' };
    });
    const reader = { name: 'reader', description: 'r', systemPrompt: 'r', model, toolNames: ['read_file'] };
    const backend = memoryBackend(new Map([['/secrets/k', 'hidden']]), () => Promise.reject(new Error()));
    const { run } = setUp(
      backend,
      [],
      [{ name: 'task', args: { description: 'read', subagent_type: 'reader' } }],
      { subagents: [{ ...reader, permissions: [deny('/secrets/**')] }] },
    );
    await run();
    expect(seen).toEqual(['Error: permission denied for read on /secrets/k']);
  });

  it('leave an agent out whose commands they could not hold, with the line', () => {
    const backend = memoryBackend(new Map(), () => Promise.reject(new Error()));
    const file = { path: '/p/.deepdesk/agents/a.md', permissionsLine: 4 };
    const agent = (name: string, more: object) => ({
      name,
      description: 'd',
      systemPrompt: 's',
      file,
      ...more,
    });
    const permissions = [deny('/secrets/**')];
    const told: Reason[] = [];
    const held = withHeldRules(
      [
        agent('all', { permissions }),
        agent('commands', { permissions, toolNames: ['execute'] }),
        agent('files', { permissions, toolNames: ['read_file'] }),
        agent('free', {}),
      ],
      backend,
      (why) => told.push(why),
    );
    expect(held.map(({ name }) => name)).toEqual(['files', 'free']);
    const why = because('agent_permissions_with_commands', { line: 4 });
    expect(told).toEqual([1, 2].map(() => because('agent_left_out', { path: file.path, why })));
  });

  it('ask first if a rule says so, also for paths below a search', async () => {
    const rule: FilesystemPermission = { operations: ['read'], paths: ['/private/**'], mode: 'interrupt' };
    for (const [call, asks] of [
      [{ name: 'read_file', args: { file_path: '/private/./a' } }, true],
      [{ name: 'grep', args: { pattern: 'x' } }, true],
      [{ name: 'glob', args: { pattern: '*', path: '/public' } }, false],
      [{ name: 'write_file', args: { file_path: '/private/a', content: 'x' } }, false],
    ] as const) {
      const { run, asked } = setUp(state(), [rule], [call]);
      await run();
      expect([call.name, (await asked()).length]).toEqual([call.name, asks ? 1 : 0]);
    }
  });

  it('name only the rule that matches a file to be deleted, and ask nothing without a match', async () => {
    const rules: FilesystemPermission = {
      operations: ['write'],
      paths: ['/**/.env', '/**/hooks/**', '/work/notes/*.md'],
      mode: 'interrupt',
    };
    const backend = state();
    for (const path of ['/work/a.ts', '/work/notes/b.md', '/work/sub/c.ts']) await backend.write(path, 'x');
    const asksFor = async (path: string) => {
      const { run, asked } = setUp(backend, [rules], [{ name: 'delete', args: { file_path: path } }]);
      await run();
      return (await asked()).map(({ question }) => question.reason);
    };
    expect(await asksFor('/work/a.ts')).toEqual([]);
    expect(await asksFor('/work/notes/b.md')).toEqual([
      [because('rule_asks', { rules: '/work/notes/*.md' })],
    ]);
    // A folder may contain paths that any of them match.
    expect(await asksFor('/work/sub')).toEqual([[because('rule_asks', { rules: '/**/.env, /**/hooks/**' })]]);
  });

  it("are refused beside commands unless those cannot reach the rules' paths", async () => {
    const shell = () =>
      memoryBackend(new Map(), async () => ({ output: 'ran', exitCode: 0, truncated: false }));
    const make = (backend: AnyBackend | BackendFactory, paths: string, tools?: ['read_file']) => () =>
      createFilesystemMiddleware({
        backend,
        permissions: [deny(paths)],
        ...optional({ tools }),
      });
    expect(make(shell(), '/a')).toThrow('Filesystem permissions cannot be used with a backend');
    expect(make(shell(), '/a', ['read_file'])).not.toThrow();
    expect(make(new CompositeBackend(shell(), { '/m/': state() }), '/m/**')).not.toThrow();
    expect(make(new CompositeBackend(shell(), { '/m/': state() }), '/m2/**')).toThrow();
  });

  it('refuse commands of a backend that a factory creates during the call [H40]', async () => {
    expectedWarnings();
    const ran: string[] = [];
    const shell = memoryBackend(new Map(), async (command) => {
      ran.push(command);
      return { output: 'ran', exitCode: 0, truncated: false };
    });
    const { run } = setUp(() => shell, [deny('/a')], [{ name: 'execute', args: { command: 'cat /a' } }]);
    expect((await run())[0]).toContain('error: Error: commands are not allowed here');
    expect(ran).toEqual([]);
  });
});
