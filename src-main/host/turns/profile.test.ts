import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { type AgentMiddleware, createMiddleware } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createGate } from '../../approvals/gate';
import { BUILT_IN_TOOLS } from '../../harness/agent/built-in-tools';
import { ProfileError, toolNames, withProfile } from '../../harness/agent/profile';
import { memoryBackend } from '../../harness/agent/testing/memory-backend';
import { ScriptedModel } from '../../harness/agent/testing/scripted-model';
import { createDeepAgent } from './thread-agent';

const named = (name: string, description = name) =>
  tool(() => name, { name, description, schema: z.object({}) });
const layer = (name: string, ...tools: ReturnType<typeof named>[]): AgentMiddleware =>
  createMiddleware({ name, tools });

describe('a profile', () => {
  it('H50 takes a tool away last, whoever brought it, and under its other name for nobody else', () => {
    const own = named('ls', 'A tool of the person.');
    const layers = [layer('files', named('ls'), named('glob')), layer('extra', own, named('other'))];
    expect(toolNames(withProfile(layers, { excludedTools: ['ls'] }))).toEqual(['glob', 'other']);
    expect(toolNames(layers)).toEqual(['ls', 'glob', 'ls', 'other']);
  });

  it('describes a tool anew without changing it for anybody else', async () => {
    const ls = named('ls');
    const [changed] = withProfile([layer('files', ls)], { toolDescriptions: { ls: 'Look around.' } });
    const [again] = changed?.tools ?? [];
    expect([again?.description, ls.description]).toEqual(['Look around.', 'ls']);
    expect(await (again as typeof ls).invoke({})).toBe('ls');
  });

  it('is refused where it names a tool that nobody has', () => {
    const layers = [layer('files', named('ls'))];
    expect(() => withProfile(layers, { excludedTools: ['sl'] })).toThrow(ProfileError);
    expect(() => withProfile(layers, { toolDescriptions: { sl: '' } })).toThrow('There is no tool named sl');
    expect(toolNames(withProfile(layers, { excludedTools: ['task'] }, ['task']))).toEqual(['ls']);
  });
});

class Offered extends ScriptedModel {
  constructor(private readonly names: string[]) {
    super(() => ({ text: 'Done.' }));
  }
  override bindTools(tools: readonly unknown[] = []): this {
    this.names.push(...tools.map((one) => (one as { name: string }).name));
    return this;
  }
}

it('knows the harness’s own tools by name', async () => {
  const offered: string[] = [];
  const nothing = () => {};
  const backend = memoryBackend(new Map(), async () => ({ output: '', exitCode: 0, truncated: false }));
  const make = (excludedTools: string[]) =>
    createDeepAgent({
      model: new Offered(offered),
      systemPrompt: '',
      backend,
      gate: createGate({ places: { folder: '/', memories: '/memories' }, backend, timeoutSeconds: 5 }),
      journal: {
        begin: nothing,
        forget: () => undefined,
        isUnfinished: () => false,
        finish: nothing,
        resultOf: () => undefined,
      },
      observer: {
        modelStarted: nothing,
        modelDelta: nothing,
        modelEnded: nothing,
        modelFailed: nothing,
        approvalRequested: nothing,
        toolStarted: nothing,
        toolEnded: nothing,
        todosChanged: nothing,
      },
      isIncomplete: () => false,
      threadId: 't',
      context: {},
      profileOf: () => ({ excludedTools }),
    });
  await make([]).invoke({ messages: [new HumanMessage('go')] });
  const jobs = ['list_jobs', 'job_output', 'stop_job'];
  const names = BUILT_IN_TOOLS.map(({ name }) => name);
  expect(offered.toSorted()).toEqual(names.filter((name) => !jobs.includes(name)).toSorted());
  // Also those that a backend does not offer, as jobs here: what is excluded is not there.
  offered.length = 0;
  await make(names).invoke({ messages: [new HumanMessage('go')] });
  expect(offered).toEqual([]);
  expect(() => make(['no_such_tool'])).toThrow(ProfileError);
});
