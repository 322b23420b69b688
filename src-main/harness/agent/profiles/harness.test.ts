import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { createMiddleware, initChatModel } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createDeepAgent,
  createHarnessProfile,
  getHarnessProfile,
  parseHarnessProfileConfig,
  registerHarnessProfile,
  serializeProfile,
} from '../..';
import { ProfileError } from '../profile';
import { ScriptedModel, type ScriptedStep } from '../testing/scripted-model';
import { profileOfModel } from './registry';

/** A model that reports its name, as LangChain's classes do. */
class Named extends ScriptedModel {
  readonly offered: { name: string; description?: string }[][] = [];
  constructor(
    readonly model: string,
    next: (messages: unknown[]) => ScriptedStep = () => ({ text: 'Done.' }),
  ) {
    super(next);
  }
  override bindTools(tools: readonly unknown[] = []): this {
    this.offered.push(tools.map((one) => one as { name: string; description?: string }));
    return this;
  }
  get system() {
    return this.requests[0]?.[0]?.type === 'system' ? this.requests[0][0].text : '';
  }
  get names() {
    return this.offered[0]?.map(({ name }) => name) ?? [];
  }
}

const go = { messages: [new HumanMessage('go')] };
const echo = tool(() => 'echo', { name: 'echo', description: 'Says it again.', schema: z.object({}) });

describe('a harness profile', () => {
  it('merges provider, model and repeated registrations', () => {
    registerHarnessProfile('one', { systemPromptSuffix: 'Be brief.', excludedTools: ['glob'] });
    registerHarnessProfile('one:a', { baseSystemPrompt: 'You are A.', excludedTools: ['grep'] });
    registerHarnessProfile('one:a', { toolDescriptionOverrides: { ls: 'Look.' } });
    const found = getHarnessProfile('one:a');
    expect(found && serializeProfile(found)).toEqual({
      baseSystemPrompt: 'You are A.',
      systemPromptSuffix: 'Be brief.',
      toolDescriptionOverrides: { ls: 'Look.' },
      excludedTools: ['glob', 'grep'],
    });
    expect(getHarnessProfile('one:b')?.excludedTools).toEqual(new Set(['glob']));
    expect(getHarnessProfile('two')).toBeUndefined();
    expect(getHarnessProfile('one:a:b')).toBeUndefined();
  });

  it('is found for what LangChain makes of the name of a model', async () => {
    registerHarnessProfile('ollama', { systemPromptSuffix: 'Be brief.' });
    registerHarnessProfile('ollama:by-name', { excludedTools: ['glob'] });
    const { systemPromptSuffix, excludedTools } = profileOfModel(await initChatModel('ollama:by-name'));
    expect([systemPromptSuffix, excludedTools]).toEqual(['Be brief.', new Set(['glob'])]);
    expect(profileOfModel(await initChatModel('ollama:other')).systemPromptSuffix).toBe('Be brief.');
  });

  it('is refused for an invalid key, and if it excludes what an agent needs', () => {
    for (const key of ['', 'a:', ':b', 'a:b:c'])
      expect(() => registerHarnessProfile(key, {})).toThrow('A profile is for');
    expect(() => createHarnessProfile({ excludedMiddleware: ['FilesystemMiddleware'] })).toThrow(
      'cannot be left out',
    );
    expect(() => parseHarnessProfileConfig({ excludedTool: ['x'] })).toThrow();
    expect(() => parseHarnessProfileConfig(JSON.parse('{"__proto__": {"a": 1}}'))).toThrow('is refused');
  });

  it('of a model has the lists of its provider, merged', () => {
    const [one, two] = ['one', 'two'].map((name) => createMiddleware({ name }));
    registerHarnessProfile('listed', { extraMiddleware: one === undefined ? [] : [one] });
    registerHarnessProfile('listed:m', { extraMiddleware: two === undefined ? [] : [two] });
    expect(getHarnessProfile('listed:m')?.extraMiddleware).toEqual([one, two]);
  });

  it('changes the prompt, tools and middleware of an agent with that model', async () => {
    registerHarnessProfile('shape:m', {
      baseSystemPrompt: 'The base.',
      systemPromptSuffix: 'The suffix.',
      toolDescriptionOverrides: { ls: 'Look around.', echo: 'Repeat.' },
      excludedTools: ['glob', 'execute'],
      extraMiddleware: () => [
        createMiddleware({
          name: 'extra',
          tools: [tool(() => 'x', { name: 'extra', description: 'x', schema: z.object({}) })],
        }),
      ],
      generalPurposeSubagent: { enabled: false },
    });
    const model = new Named('shape:m');
    await createDeepAgent({ model, tools: [echo], systemPrompt: 'Mine.' }).invoke(go);
    expect(model.system).toBe('Mine.\n\nThe base.\n\nThe suffix.');
    expect(model.names).toEqual(expect.arrayContaining(['ls', 'grep', 'echo', 'extra']));
    expect(model.names).not.toContain('glob');
    const described = Object.fromEntries((model.offered[0] ?? []).map((one) => [one.name, one.description]));
    expect([described.ls, described.echo, echo.description]).toEqual([
      'Look around.',
      'Repeat.',
      'Says it again.',
    ]);
    expect(described.task).not.toContain('general-purpose');
  });

  it('excludes a tool even if custom middleware adds it, and reports a call of it [H50]', async () => {
    registerHarnessProfile('away:m', { excludedTools: ['echo'] });
    const model = new Named('away:m', (messages) =>
      ToolMessage.isInstance(messages.at(-1)) ? { text: 'Done.' } : { calls: [{ name: 'echo', args: {} }] },
    );
    const own = createMiddleware({ name: 'own', tools: [echo] });
    const answer = await createDeepAgent({ model, middleware: [own] }).invoke(go);
    const messages: BaseMessage[] = answer.messages;
    expect(model.names).not.toContain('echo');
    expect(messages.filter((one) => ToolMessage.isInstance(one)).map((one) => one.text)).toEqual([
      'Error: echo is not available.',
    ]);
  });

  it('applies to each sub-agent by its own model', async () => {
    registerHarnessProfile('sub:m', { systemPromptSuffix: 'Short words.', excludedTools: ['grep'] });
    const model = new Named('main:m', (messages) =>
      ToolMessage.isInstance(messages.at(-1))
        ? { text: 'Done.' }
        : { calls: [{ name: 'task', args: { description: 'look', subagent_type: 'looker' } }] },
    );
    const worker = new Named('sub:m', () => ({ text: 'Looked.' }));
    const looker = { name: 'looker', description: 'Looks.', systemPrompt: 'You look.', model: worker };
    const { messages } = await createDeepAgent({ model, subagents: [looker] }).invoke(go);
    expect(AIMessage.isInstance(messages.at(-1))).toBe(true);
    expect(worker.system).toBe('You look.\n\nShort words.');
    expect([worker.names.includes('grep'), model.names.includes('grep')]).toEqual([false, true]);
  });

  it('is refused if it excludes what does not exist', () => {
    registerHarnessProfile('wrong:m', { excludedTools: ['no_such_tool'] });
    registerHarnessProfile('wrong:n', { excludedMiddleware: ['noSuchMiddleware'] });
    expect(() => createDeepAgent({ model: new Named('wrong:m') })).toThrow(ProfileError);
    expect(() => createDeepAgent({ model: new Named('wrong:n') })).toThrow('no middleware named');
  });
});
