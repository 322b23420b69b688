// Options that cannot work, and options that the published package accepts.
import { tool } from '@langchain/core/tools';
import { InMemoryStore, MemorySaver } from '@langchain/langgraph';
import * as published from 'deepagents';
import { createMiddleware } from 'langchain';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { deepAgentHost } from '../acp/deep-agent';
import * as ours from '../index';
import { createSandbox } from '../sandbox';
import { go, helper, steps } from './testing/published';
import { checkToolNames, knownTools } from './tool-names';

const own = tool(async () => '', { name: 'deploy', description: 'Deploys.', schema: z.object({}) });
const backend = new ours.StateBackend();
const agent = (options: object) => () => ours.createDeepAgent({ model: steps(), ...options } as never);
const sub = (more: object) => agent({ subagents: [helper(steps(), more)] });
const rule = (more: object) => agent({ permissions: [{ operations: ['read'], paths: ['/a'], ...more }] });

const UNKNOWN = 'UNKNOWN_OPTION';
const INVALID = 'INVALID_OPTION';
const TOOL = 'UNKNOWN_TOOL';

it.each<[string, () => unknown, string, string]>([
  [
    'an unknown option',
    agent({ subAgents: [] }),
    UNKNOWN,
    'createDeepAgent does not have the option subAgents. It has: model, ',
  ],
  ['options that are none', () => ours.createDeepAgent('x' as never), INVALID, 'got "x"'],
  ['an empty name of a model', agent({ model: '' }), INVALID, 'createDeepAgent: model is "".'],
  ['no model', agent({ model: null }), INVALID, 'createDeepAgent: model is null.'],
  ['names in place of tools', agent({ tools: ['ls'] }), INVALID, 'tools[0] is "ls".'],
  ['one tool', agent({ tools: own }), INVALID, 'It must be a list of tools.'],
  [
    'a misspelled part of the prompt',
    agent({ systemPrompt: { prefx: 'a' } }),
    INVALID,
    'systemPrompt does not have the option prefx.',
  ],
  [
    'middleware that was not created',
    agent({ middleware: [() => 1] }),
    INVALID,
    'middleware[0] is a function.',
  ],
  [
    'a class as checkpointer',
    agent({ checkpointer: MemorySaver }),
    INVALID,
    'checkpointer is the class MemorySaver.',
  ],
  ['a path as backend', agent({ backend: '/tmp' }), INVALID, 'backend is "/tmp".'],
  [
    'one memory file',
    agent({ memory: '/AGENTS.md' }),
    INVALID,
    'memory is "/AGENTS.md". It must be a list of paths.',
  ],
  [
    'one skills folder',
    agent({ skills: '/skills' }),
    INVALID,
    'skills is "/skills". It must be a list of paths.',
  ],
  ['a list as interruptOn', agent({ interruptOn: ['ls'] }), INVALID, 'interruptOn is a list.'],
  [
    'another word than true',
    agent({ interruptOn: { ls: 'yes' } }),
    INVALID,
    'interruptOn.ls is "yes". It must be true, false or a configuration.',
  ],
  [
    'a misspelled setting',
    agent({ interruptOn: { ls: { allow: [] } } }),
    INVALID,
    'interruptOn.ls does not have the option allow.',
  ],
  [
    'a misspelled tool',
    agent({ interruptOn: { wirte_file: true } }),
    TOOL,
    'createDeepAgent: interruptOn names wirte_file, and there is no such tool. There are: ls, ',
  ],
  [
    'a misspelled mode',
    rule({ mode: 'denied' }),
    INVALID,
    'permissions[0].mode is "denied". It must be "allow", "deny" or "interrupt".',
  ],
  [
    'a misspelled operation',
    rule({ operations: ['execute'] }),
    INVALID,
    'permissions[0].operations[0] is "execute".',
  ],
  [
    'a rule with another field',
    rule({ action: 'deny' }),
    INVALID,
    'permissions[0] does not have the option action.',
  ],
  ['a sub-agent without a name', sub({ name: undefined }), INVALID, 'subagents[0].name is missing.'],
  [
    'a sub-agent with another field',
    sub({ prompt: 'p' }),
    INVALID,
    'subagents[0] does not have the option prompt. It has: name, ',
  ],
  [
    'a sub-agent with a misspelled tool',
    sub({ toolNames: ['raed_file'] }),
    TOOL,
    'The sub-agent helper: toolNames names raed_file',
  ],
  [
    'a sub-agent that asks about no tool',
    sub({ interruptOn: { x: true } }),
    TOOL,
    'The sub-agent helper: interruptOn names x',
  ],
  [
    'a runnable with tools',
    agent({ subagents: [{ name: 'a', description: '', runnable: steps(), tools: [] }] }),
    INVALID,
    'subagents[0] does not have the option tools.',
  ],
  [
    'a server without an address',
    agent({ subagents: [{ name: 'a', description: '', graphId: 'g', url: 'x' }] }),
    INVALID,
    'subagents[0].url is "x".',
  ],
  [
    'a middleware without its backend',
    () => ours.createSkillsMiddleware({ sources: [] } as never),
    INVALID,
    'createSkillsMiddleware needs the option backend.',
  ],
  [
    'a misspelled file tool',
    () => ours.createFilesystemMiddleware({ tools: ['read'] } as never),
    INVALID,
    'createFilesystemMiddleware: tools[0] is "read".',
  ],
  [
    'an option of middleware with a wrong type',
    () => ours.createSummarizationMiddleware({ backend, tool: 1 } as never),
    INVALID,
    'tool is 1. It must be true or false.',
  ],
  [
    'an unknown option of a backend',
    () => new ours.FilesystemBackend({ root: '/a' } as never),
    UNKNOWN,
    'FilesystemBackend does not have the option root. It has: rootDir, ',
  ],
  ['a wrong timeout', () => new ours.LocalShellBackend({ timeout: Number.NaN }), INVALID, 'timeout is NaN.'],
  [
    'a store that is none',
    () => new ours.StoreBackend({ store: {} } as never),
    INVALID,
    'store is an object.',
  ],
  [
    'a route without a backend',
    () => new ours.CompositeBackend(backend, { '/a/': undefined, '/b/': null } as never),
    INVALID,
    'routes./b/ is null.',
  ],
  [
    'a text as excluded tools',
    () => ours.createHarnessProfile({ excludedTools: 'ls' } as never),
    INVALID,
    'excludedTools is "ls". It must be a list of names.',
  ],
  [
    'a misspelled field of a profile',
    () => ours.createHarnessProfile({ excludedTool: ['ls'] } as never),
    UNKNOWN,
    'createHarnessProfile does not have the option excludedTool.',
  ],
  [
    'a sandbox without its limits',
    () => createSandbox({ folder: '/a' } as never),
    INVALID,
    'createSandbox needs the option found, home, own, temporary, isSecret, hosts.',
  ],
  [
    'a host without an agent',
    () => deepAgentHost({} as never),
    INVALID,
    'deepAgentHost needs the option info, createAgent.',
  ],
])('refuses %s', (_what, make, code, message) => {
  expect(make).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', code, message: expect.stringContaining(message) }),
  );
});

it.each<[string, object]>([
  [
    'null for what is not set',
    {
      tools: null,
      subagents: null,
      interruptOn: null,
      memory: null,
      skills: null,
      store: null,
      responseFormat: null,
    },
  ],
  ['conditions in middleware', { middleware: [false] }],
  [
    'empty lists',
    { tools: [], middleware: [], subagents: [], memory: [], skills: [], permissions: [], interruptOn: {} },
  ],
  ['a checkpointer and a store', { checkpointer: new MemorySaver(), store: new InMemoryStore() }],
  [
    'names of tools that no backend here has',
    { interruptOn: { execute: true, task: false, nothing: false } },
  ],
  [
    'the tools of a sub-agent',
    { interruptOn: { deploy: true }, subagents: [helper(steps(), { tools: [own] })] },
  ],
  ['tools that a provider runs', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
])('accepts %s', (_what, options) => {
  expect(agent(options)).not.toThrow();
});

it.each<[string, object]>([
  [
    'tools',
    { tools: [own], interruptOn: { deploy: { allowedDecisions: ['approve'], description: 'Sure?' } } },
  ],
  ['prompts', { systemPrompt: { prefix: 'a', base: null, suffix: 'b' } }],
  ['a factory', { backend: () => backend }],
  ['rules', { permissions: [{ operations: ['read', 'write'], paths: [], mode: 'deny' }] }],
])('accepts %s as the published package does', (_what, options) => {
  for (const { createDeepAgent } of [published, ours as unknown as typeof published])
    expect(() => createDeepAgent({ model: steps(), ...options } as never)).not.toThrow();
});

it('only warns of a tool that middleware could still add', () => {
  const adding = createMiddleware({
    name: 'adding',
    wrapModelCall: (request, handler) => handler(request),
  });
  const warned: string[] = [];
  checkToolNames('interruptOn', ['ls', 'from_mcp'], knownTools([own], [adding]), (text) => warned.push(text));
  expect(warned).toEqual([
    expect.stringContaining('interruptOn names from_mcp, and there is no such tool yet.'),
  ]);
  expect(warned[0]).toContain('deploy');
});

it('takes null in a sub-agent for not set', async () => {
  const model = steps();
  const spec = {
    systemPrompt: null,
    toolNames: null,
    tools: null,
    skills: null,
    permissions: null,
    mode: null,
  };
  const made = ours.createDeepAgent({
    model: steps({ calls: [{ name: 'task', args: { description: 'x', subagent_type: 'helper' } }] }),
    subagents: [helper(model, spec) as never],
  });
  const offered: unknown[] = [];
  model.bindTools = (tools = []) => {
    offered.push(...tools.map((one) => (one as { name: string }).name));
    return model;
  };
  await made.invoke(go);
  expect(model.requests).toHaveLength(1);
  expect(offered).toContain('write_file');
});

it('limits a sub-agent to toolNames also if middleware adds tools to a request', async () => {
  const adding = createMiddleware({
    name: 'adding',
    wrapModelCall: (request, handler) => handler({ ...request, tools: [...request.tools, own] }),
    wrapToolCall: (request, handler) => handler({ ...request, tool: own }),
  });
  const model = steps({ calls: [{ name: 'deploy', args: {} }] });
  const offered: unknown[] = [];
  model.bindTools = (tools = []) => {
    offered.push(...tools.map((one) => (one as { name: string }).name));
    return model;
  };
  const made = ours.createDeepAgent({
    model: steps({ calls: [{ name: 'task', args: { description: 'x', subagent_type: 'helper' } }] }),
    subagents: [helper(model, { toolNames: ['ls'], middleware: [adding] })],
  });
  await made.invoke({ messages: [{ role: 'user', content: 'go' }] });
  expect(new Set(offered)).toEqual(new Set(['ls']));
  expect(model.requests[1]?.at(-1)?.text).toBe('Error: deploy is not available.');
});
