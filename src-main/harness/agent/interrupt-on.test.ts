import type { BaseMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { createDeepAgent } from '../index';
import { go, results, scripted, search, task, thread } from './testing/scripted-agent';

describe('interruptOn', () => {
  const calls = ['one', 'two', 'three'].map((query) => ({
    id: query,
    name: query === 'three' ? 'ls' : 'internet_search',
    args: query === 'three' ? { path: '/' } : { query },
  }));
  const setUp = () =>
    createDeepAgent({
      model: scripted({ go: [{ calls }] }),
      tools: [search],
      interruptOn: { internet_search: { allowedDecisions: ['approve', 'edit', 'reject'] }, ls: false },
      checkpointer: new MemorySaver(),
    });

  it('asks once in the published format; an approved call runs even if its sibling is rejected', async () => {
    const agent = setUp();
    const asked = (await agent.invoke(go(), thread)) as { __interrupt__?: { value: unknown }[] };
    expect(asked.__interrupt__?.map(({ value }) => value)).toEqual([
      {
        actionRequests: ['one', 'two'].map((query) => ({
          name: 'internet_search',
          args: { query },
          description: `Tool execution requires approval\n\nTool: internet_search\nArgs: {\n  "query": "${query}"\n}`,
        })),
        reviewConfigs: Array(2).fill({
          actionName: 'internet_search',
          allowedDecisions: ['approve', 'edit', 'reject'],
        }),
      },
    ]);
    const resume = {
      decisions: [
        { type: 'edit', editedAction: { name: 'internet_search', args: { query: 'better' } } },
        { type: 'reject' },
      ],
    };
    const { messages } = await agent.invoke(new Command({ resume }), thread);
    expect(results(messages)).toEqual([
      'internet_search: results for better',
      'internet_search: User rejected the tool call for `internet_search` with id two',
      'ls: No files found in /',
    ]);
  });

  it('runs nothing if decisions are missing or not allowed', async () => {
    const cases = [
      { decisions: [{ type: 'approve' }] },
      {},
      { decisions: Array(2).fill({ type: 'respond', message: 'x' }) },
    ];
    for (const resume of cases) {
      const agent = setUp();
      await agent.invoke(go(), thread);
      await expect(agent.invoke(new Command({ resume }), thread)).rejects.toThrow();
      const state = await agent.graph.getState(thread);
      expect(results((state.values as { messages: BaseMessage[] }).messages)).toEqual([]);
    }
  });
});

describe('permissions that prompt', () => {
  const secret = { operations: ['read' as const], paths: ['/private/**'], mode: 'interrupt' as const };
  const fileOf = (content: string) => ({ content, created_at: '', modified_at: '', mimeType: 'text/plain' });
  const files = { '/private/a': fileOf('hidden'), '/open': fileOf('seen') };
  const reads = ['/private/./a', '/open'].map((path) => ({
    id: path,
    name: 'read_file',
    args: { file_path: path },
  }));

  it('work like interruptOn: only calls that a rule matches prompt, and they run once approved', async () => {
    const agent = createDeepAgent({
      model: scripted({ go: [{ calls: reads }] }),
      permissions: [secret],
      checkpointer: new MemorySaver(),
    });
    const asked = (await agent.invoke({ ...go(), files }, thread)) as {
      __interrupt__?: { value: unknown }[];
    };
    expect(asked.__interrupt__?.map(({ value }) => value)).toEqual([
      {
        actionRequests: [
          {
            name: 'read_file',
            args: { file_path: '/private/./a' },
            description: 'A rule requires your approval: /private/**',
          },
        ],
        reviewConfigs: [
          { actionName: 'read_file', allowedDecisions: ['approve', 'edit', 'reject', 'respond'] },
        ],
      },
    ]);
    const { messages } = await agent.invoke(
      new Command({ resume: { decisions: [{ type: 'approve' }] } }),
      thread,
    );
    expect(results(messages)).toEqual(['read_file:      1\thidden', 'read_file:      1\tseen']);
  });

  it('apply to sub-agents too', async () => {
    const agent = createDeepAgent({
      model: scripted({
        go: [{ calls: [task('deep', 'general-purpose')] }],
        deep: [{ calls: reads.slice(0, 1) }],
      }),
      permissions: [secret],
      checkpointer: new MemorySaver(),
    });
    const asked = (await agent.invoke({ ...go(), files }, thread)) as {
      __interrupt__?: { value: unknown }[];
    };
    expect(asked.__interrupt__).toHaveLength(1);
    const { messages } = await agent.invoke(
      new Command({ resume: { decisions: [{ type: 'reject', message: 'Not that.' }] } }),
      thread,
    );
    expect(results(messages)).toEqual(['task: deep done']);
  });
});
