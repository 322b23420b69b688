import { MemoryEntry, Settings, ThreadSummary } from '@contract/app';
import type { McpServer, McpServers } from '@contract/mcp';
import { ok } from '@contract/result';
import { because } from '@contract/shared/reasons';
import { type FakeHost, fakeHost } from '../fake-host';
import { outcomeApproval, sampleApp, sampleThread } from '../samples';

const idle = {
  messages: [],
  approvals: [],
  queue: [],
  usage: { inputTokens: 0, outputTokens: 0, contextTokens: 0 },
  turn: { phase: 'idle' },
};
const offline = { id: 't1', projectId: 'p2', title: '', model: 'offline:guide', createdAt: 1, updatedAt: 1 };

/** A host for one preview of the window. */
export function previewHost(query: URLSearchParams): FakeHost {
  const scene = query.get('scene') ?? 'thread';
  const settings = {
    theme: query.get('theme') ?? 'light',
    language: query.get('language') ?? 'en',
    model: 'offline:guide',
    onboarded: scene !== 'first',
    spending: { thread: null, day: null },
    fallbacks: [],
  };
  const app = sampleApp({ settings });
  const file = (name: string, kind = 'file') => ({
    path: `/home/me/my-api/${name}`,
    name,
    kind,
    size: 1_200,
    modifiedAt: 1,
  });
  const code = Array.from(
    { length: 60 },
    (_, line) => `export const line${line} = ${line}; // a line of code`,
  );
  const answers: FakeHost['answers'] = {
    'files.list': ({ path }) => {
      const names = path.endsWith('my-api')
        ? [
            file('src', 'directory'),
            file('test', 'directory'),
            file('.gitignore'),
            file('package.json'),
            file('README.md'),
          ]
        : path.startsWith('/memories')
          ? [{ path: '/memories/test-command.md', name: 'test-command.md', kind: 'file', size: 20 }]
          : [];
      return ok({ entries: names as never, total: names.length, nextOffset: null });
    },
    'mcp.list': () => ok(servers),
    'files.read': ({ path }) =>
      ok({
        path,
        kind: 'text',
        mimeType: 'text/plain',
        size: 2_000,
        lines: code,
        offset: 0,
        totalLines: code.length,
        nextOffset: null,
      }),
    'memories.find': () =>
      ok({
        memories: [
          MemoryEntry.parse({
            path: '/memories/test-command.md',
            size: 20,
            createdAt: Date.now(),
            updatedAt: Date.now(),
            writtenBy: { by: 'agent', threadId: 't1', callId: 'c6' },
            excerpt: 'Run the tests with npm test',
          }),
        ],
        total: 1,
      }),
    'rehearsal.diff': () =>
      ok({
        kind: 'text',
        cut: false,
        hunks: [3, 40].map((line) => ({
          oldStart: line,
          oldLines: 3,
          newStart: line,
          newLines: 3,
          lines: [' export function sum(a, b) {', '-  return a - b;', '+  return a + b;', ' }'],
        })),
      }),
    'terminal.attach': () =>
      ok({
        terminal: app.terminals[0] as never,
        offset: 0,
        data: '$ npm test\r\n\u001b[31mnot ok 1\u001b[0m - adds two numbers\r\n  expected: 4\r\n  actual: 0\r\n',
      }),
    'terminal.detach': () => ok({}),
    'terminal.resize': () => ok({}),
    'terminal.ack': () => ok({}),
    'settings.change': (change) => {
      const next = Settings.parse({ ...app.settings, ...change });
      host.emitApp({ type: 'settings.changed', settings: next });
      return ok(next);
    },
    'thread.create': ({ projectId }) =>
      ok(ThreadSummary.parse({ id: 't1', projectId, title: '', updatedAt: 1, status: 'idle', waiting: 0 })),
  };
  const waiting = sampleThread();
  const thread =
    scene === 'first' || scene === 'empty'
      ? sampleThread({ ...idle, thread: offline })
      : scene === 'failed'
        ? sampleThread({
            approvals: [],
            queue: [],
            messages: [
              ...waiting.messages.slice(0, 1),
              {
                role: 'notice',
                id: 'n1',
                at: Date.now(),
                error: {
                  kind: 'bad_key',
                  message:
                    "Anthropic didn't accept the key. Nothing you wrote is lost. Enter another key, then try again.",
                  detail: '401 {"type":"authentication_error"}',
                },
                actions: ['key', 'retry'],
              },
            ],
            turn: { phase: 'failed', turnId: 'u1', error: { kind: 'bad_key', message: 'x' } },
          })
        : scene === 'running'
          ? sampleThread({
              approvals: [],
              messages: waiting.messages.map((message) =>
                message.role === 'agent' && message.id === 'm4'
                  ? {
                      ...message,
                      text: 'Now I run the tests again.',
                      calls: [
                        {
                          callId: 'c8',
                          name: 'execute',
                          display: 'command',
                          args: { command: 'npm test -- --watch=false' },
                          status: 'running',
                          startedAt: Date.now() - 12_000,
                          terminalId: 'x1',
                        },
                      ],
                    }
                  : message,
              ),
              turn: { phase: 'running', turnId: 'u1', startedAt: Date.now() },
            })
          : scene === 'outcome'
            ? sampleThread({ approvals: [outcomeApproval()] })
            : waiting;
  const shown =
    scene === 'first' || scene === 'empty'
      ? sampleApp({
          settings,
          projects: [app.projects[1]],
          threads: [{ id: 't1', projectId: 'p2', title: '', updatedAt: 1, status: 'idle', waiting: 0 }],
          terminals: [],
        })
      : app;
  const host = fakeHost(shown, [thread], answers);
  return host;
}

/** A server in each state that needs a person's action. */
const servers: McpServers = {
  problems: [],
  servers: [
    mcpServer({
      name: 'github',
      state: { phase: 'ready' },
      tools: [
        {
          name: 'github__search_issues',
          title: 'search_issues',
          description: 'Searches issues and pull requests.',
          saysReadOnly: true,
          saysDestructive: false,
        },
      ],
      leftOut: [{ name: 'odd', why: because('mcp_tool_schema') }],
    }),
    mcpServer({
      name: 'database',
      state: {
        phase: 'failed',
        why: [because('mcp_exited', { status: '1' })],
        lines: ['connecting to localhost:5432', 'connection refused'],
      },
    }),
    mcpServer({ name: 'mail', state: { phase: 'off' } }),
    mcpServer({ name: 'deploy', scope: 'project', state: { phase: 'consent' } }),
  ],
};

function mcpServer(more: Pick<McpServer, 'name' | 'state'> & Partial<McpServer>): McpServer {
  return {
    id: `${more.scope ?? 'person'}:${more.name}`,
    scope: 'person',
    source: '/home/me/my-api/.mcp.json',
    digest: more.name,
    setup: {
      transport: 'stdio',
      command: 'npx',
      args: ['-y', `@example/server-${more.name}`, '--token', '•••'],
      cwd: '',
      url: '',
      secrets: ['TOKEN'],
      variables: ['DEPLOY_TOKEN'],
      timeoutSeconds: 60,
      readable: 1,
    },
    tools: [],
    leftOut: [],
    account: null,
    ...more,
  };
}
