import type { AppSnapshot } from '@contract/app';
import { AppSnapshot as AppSchema, Project } from '@contract/app';
import { ThreadState as ThreadSchema, type ThreadState } from '@contract/conversation';
import type { z } from 'zod';
import { commandApproval, editApproval, NOW } from './sample-approvals';

const minutes = (count: number) => NOW - count * 60_000;

/** An existing project; a changed `folder` is its mount too. */
export const sampleProject = (change: Partial<z.input<typeof Project>> = {}): Project =>
  Project.parse({
    id: 'p1',
    name: 'my-api',
    folder: '/home/me/my-api',
    mount: change.folder ?? '/home/me/my-api',
    isSample: false,
    openedAt: 1,
    missing: false,
    ...change,
  });

/** An app with two projects and some threads, checked against the contract's schemas. */
export const sampleApp = (change: Record<string, unknown> = {}): AppSnapshot =>
  AppSchema.parse({
    version: '0.1.0',
    dataFolder: '/home/me/.config/Deepdesk',
    platform: 'linux',
    projects: [
      {
        id: 'p1',
        name: 'my-api',
        folder: '/home/me/my-api',
        mount: '/home/me/my-api',
        isSample: false,
        openedAt: NOW,
        missing: false,
      },
      {
        id: 'p2',
        name: 'sample-project',
        folder: '/home/me/.config/deepdesk/sample',
        mount: '/home/me/.config/deepdesk/sample',
        isSample: true,
        openedAt: NOW - 1,
        missing: false,
      },
      {
        id: 'p3',
        name: 'old-notes',
        folder: '/mnt/usb/old-notes',
        mount: '/mnt/usb/old-notes',
        isSample: false,
        openedAt: NOW - 2,
        missing: true,
      },
    ],
    threads: [
      {
        id: 't1',
        projectId: 'p1',
        title: 'Fix the failing test',
        updatedAt: minutes(0),
        status: 'waiting',
        waiting: 2,
      },
      {
        id: 't2',
        projectId: 'p1',
        title: 'Upgrade the build to the new bundler and remove what is unused',
        updatedAt: minutes(4),
        status: 'running',
        waiting: 0,
      },
      {
        id: 't3',
        projectId: 'p1',
        title: 'Explain the auth flow',
        updatedAt: minutes(190),
        status: 'idle',
        waiting: 0,
      },
      {
        id: 't4',
        projectId: 'p1',
        title: 'Port to Windows',
        updatedAt: minutes(60 * 30),
        status: 'failed',
        waiting: 0,
      },
      { id: 't5', projectId: 'p2', title: '', updatedAt: minutes(60 * 50), status: 'idle', waiting: 0 },
    ],
    settings: {
      theme: 'light',
      language: 'en',
      model: 'offline:guide',
      onboarded: true,
      spending: { thread: null, day: null },
      fallbacks: [],
    },
    models: {
      keychain: false,
      overrides: {},
      providers: [
        {
          id: 'offline',
          needsKey: false,
          key: 'none',
          baseUrl: null,
          needsBaseUrl: false,
          ready: true,
          models: [{ name: 'guide', label: 'Offline assistant' }],
        },
        {
          id: 'anthropic',
          needsKey: true,
          key: 'environment',
          keyVariable: 'ANTHROPIC_API_KEY',
          baseUrl: null,
          needsBaseUrl: false,
          ready: true,
          models: [{ name: 'claude-sonnet', label: 'Claude Sonnet', contextWindow: 200_000 }],
        },
        {
          id: 'openai',
          needsKey: true,
          key: 'none',
          keyVariable: 'OPENAI_API_KEY',
          baseUrl: null,
          needsBaseUrl: false,
          ready: false,
          models: [{ name: 'gpt', label: 'GPT' }],
        },
      ],
    },
    terminals: [
      {
        id: 'x1',
        kind: 'agent',
        projectId: 'p1',
        threadId: 't1',
        callId: 'c7',
        command: 'npm test',
        cwd: '/home/me/my-api',
        startedAt: minutes(2),
        endedAt: minutes(1),
        exitCode: 1,
        status: 'exited',
        cols: 100,
        rows: 24,
      },
    ],
    warnings: [],
    ...change,
  });

const answer = `The test fails because \`sum\` **subtracts**: \`sum(2, 2)\` gives 0. I propose the one-line fix:

\`\`\`ts
export function sum(a: number, b: number): number {
  return a + b; // was a - b
}
\`\`\`

What I looked at:

1. \`src/sum.ts\`, the function itself
2. the [documentation](https://example.com/docs) of \`node:test\`
   - its assertions
   - its exit status

| file | lines | state |
| --- | --- | --- |
| src/sum.ts | 14 | one wrong operator |
| test/sum.test.ts | 22 | right |
`;

/** A thread with an example of everything, and two pending calls. */
export const sampleThread = (change: Record<string, unknown> = {}): ThreadState =>
  ThreadSchema.parse({
    thread: {
      id: 't1',
      projectId: 'p1',
      title: 'Fix the failing test',
      model: 'anthropic:claude-sonnet',
      createdAt: minutes(9),
      updatedAt: NOW,
    },
    messages: [
      {
        role: 'user',
        id: 'm1',
        at: minutes(9),
        text: 'The test of sum fails. Find out why and fix it.\nDo not touch the test itself.',
      },
      {
        role: 'agent',
        id: 'm2',
        at: minutes(8),
        text: 'I look at the project first.',
        reasoning: 'The person wants the failing test fixed. First see what is there.',
        phase: 'done',
        calls: [
          {
            callId: 'c1',
            name: 'ls',
            display: 'list',
            args: { path: '/home/me/my-api' },
            status: 'done',
            durationMs: 6,
            result: 'src/\ntest/\npackage.json',
          },
          {
            callId: 'c2',
            name: 'read_file',
            display: 'read',
            args: { file_path: '/home/me/my-api/package.json' },
            status: 'done',
            durationMs: 4,
            result: '1\t{',
          },
          {
            callId: 'c3',
            name: 'read_file',
            display: 'read',
            args: { file_path: '/home/me/my-api/src/sum.ts', offset: 0, limit: 40 },
            status: 'done',
            durationMs: 12,
            result: '1\texport',
          },
          {
            callId: 'c4',
            name: 'grep',
            display: 'search',
            args: { pattern: 'sum(', path: '/home/me/my-api' },
            status: 'done',
            durationMs: 31,
            result: 'src/sum.ts:2',
          },
          {
            callId: 'c5',
            name: 'write_todos',
            display: 'plan',
            args: {
              todos: [
                { content: 'Run the tests', status: 'completed' },
                { content: 'Fix sum', status: 'in_progress' },
                { content: 'Run again', status: 'pending' },
              ],
            },
            status: 'done',
            durationMs: 2,
            result: 'Updated',
          },
          {
            callId: 'c6',
            name: 'write_file',
            display: 'write',
            args: { file_path: '/memories/test-command.md', content: 'npm test' },
            status: 'done',
            durationMs: 8,
            result: 'ok',
            memory: { path: '/memories/test-command.md', change: 'created', undone: false },
          },
          {
            callId: 'c7',
            name: 'execute',
            display: 'command',
            args: { command: 'npm test' },
            status: 'done',
            durationMs: 2_140,
            result: 'not ok 1 - adds two numbers\n  expected: 4\n  actual: 0',
            exitCode: 1,
            terminalId: 'x1',
          },
          {
            callId: 'ct',
            name: 'task',
            display: 'delegate',
            args: {
              description: 'Check that no other file subtracts by mistake',
              subagent_type: 'general-purpose',
            },
            status: 'done',
            durationMs: 5_300,
            result: 'None does.',
          },
          {
            callId: 'cx',
            name: 'delete',
            display: 'delete',
            args: { file_path: '/home/me/my-api/old.ts' },
            status: 'rejected',
            result: 'Rejected',
          },
        ],
      },
      {
        role: 'agent',
        id: 'm3',
        at: minutes(7),
        text: 'No other file does.',
        reasoning: '',
        phase: 'done',
        calls: [],
        parentCallId: 'ct',
      },
      {
        role: 'agent',
        id: 'm4',
        at: minutes(1),
        text: answer,
        reasoning: '',
        phase: 'done',
        calls: [
          { callId: 'c8', name: 'edit_file', display: 'edit', args: editApproval().args, status: 'waiting' },
          {
            callId: 'c9',
            name: 'execute',
            display: 'command',
            args: { command: 'npm test' },
            status: 'waiting',
          },
        ],
      },
    ],
    approvals: [editApproval(), commandApproval()],
    todos: [],
    queue: [{ id: 'q1', text: 'When it passes, write what you learnt into the notes', at: NOW }],
    usage: { inputTokens: 90_000, outputTokens: 3_000, contextTokens: 68_400 },
    turn: { phase: 'waiting', turnId: 'u1', startedAt: minutes(9) },
    seq: 40,
    ...change,
  });
