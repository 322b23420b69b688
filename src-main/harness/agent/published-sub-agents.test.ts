import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createDeepAgent,
  createSubAgentMiddleware,
  type SubAgent,
  type SubAgentMiddlewareOptions,
} from '../index';
import { Answering, go, promptOf, results, scripted, search, task } from './testing/scripted-agent';

describe('sub-agents of the published package', () => {
  const researcher: SubAgent = {
    name: 'research-agent',
    description: 'Used to research in depth.',
    systemPrompt: 'You are a great researcher.',
    tools: [search],
  };

  it('have their own prompt, tools and model, or are compiled agents; an unknown name gets an error result', async () => {
    const other = scripted({ deep: [{ calls: [{ name: 'internet_search', args: { query: 'q' } }] }] });
    const compiled = createAgent({ model: scripted({}), systemPrompt: 'Compiled.' });
    const model = scripted({
      go: [{ calls: [task('deep', 'research-agent'), task('plain', 'compiled'), task('x', 'nobody')] }],
    });
    const agent = createDeepAgent({
      model,
      subagents: [
        { ...researcher, model: other },
        { name: 'compiled', description: 'A graph.', runnable: compiled },
      ],
    });
    const { messages } = await agent.invoke(go());
    expect(results(messages)).toEqual([
      'task: deep done',
      'task: plain done',
      'task: Error: there is no sub-agent of type nobody; the types are general-purpose, research-agent, compiled.',
    ]);
    expect(promptOf(other.requests[0] ?? [])).toBe('You are a great researcher.');
    expect(results(other.requests[1] ?? [])).toEqual(['internet_search: results for q']);
  });

  it('report their structured response as JSON, whatever their last message says [H60]', async () => {
    const Answer = z.object({ findings: z.string() });
    const worker = new Answering({ findings: 'two' });
    const agent = createDeepAgent({
      model: scripted({ go: [{ calls: [task('look', 'analyzer')] }] }),
      subagents: [{ name: 'analyzer', description: 'Analyzes.', model: worker, responseFormat: Answer }],
    });
    expect(results((await agent.invoke(go())).messages)).toEqual(['task: {"findings":"two"}']);
  });

  it('continue the conversation in a fork, without the calls in progress [H47]', async () => {
    const worker = scripted({});
    const agent = createDeepAgent({
      model: scripted({ go: [{ calls: [task('one', 'fork'), task('two', 'fork')] }] }),
      systemPrompt: 'Parent.',
      subagents: [
        { name: 'fork', description: 'Forks.', mode: 'fork', systemPrompt: 'Fork.', model: worker },
      ],
    });
    await agent.invoke(go());
    // Its task comes after what tells it that it is the sub-agent.
    const seen = worker.requests.map((messages) =>
      messages.map((m) => `${m.type}: ${m.text.replace(/^\[You are now the sub-agent fork\..*\]\n\n/, '')}`),
    );
    expect(seen).toContainEqual(['system: Parent.\n\nFork.', 'human: go', 'human: one']);
    expect(seen).toContainEqual(['system: Parent.\n\nFork.', 'human: go', 'human: two']);
  });

  it('work in agents assembled by hand, through their own middleware', async () => {
    const model = scripted({ go: [{ calls: [task('deep', 'research-agent')] }] });
    const agent = createAgent({
      model,
      middleware: [
        createSubAgentMiddleware({
          defaultModel: scripted({}),
          defaultTools: [search],
          subagents: [researcher],
          generalPurposeAgent: false,
        }),
      ],
    });
    const { messages } = await agent.invoke(go());
    expect(results(messages)).toEqual(['task: deep done']);
  });
});

it('refuses a sub-agent on another server where only those of this process can run', () => {
  const remote = { name: 'far', description: 'Far away.', graphId: 'research' };
  const options = { defaultModel: scripted({}), subagents: [remote] } as unknown as SubAgentMiddlewareOptions;
  expect(() => createSubAgentMiddleware(options)).toThrow('The sub-agent far has a graphId');
});
