// Runs the same program on the published package and on ours.

import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { type BaseCheckpointSaver, Command, MemorySaver } from '@langchain/langgraph';
import * as published from 'deepagents';
import { createMiddleware } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { optional } from '../../../contract/shared/optional';
import * as ours from '../../index';
import { ScriptedModel } from '../testing/scripted-model';
import { withCalls } from '../with-arguments';

type Library = typeof published;
const mine = ours as unknown as Library;
const both: [string, Library][] = [
  ['the published package', published],
  ['ours', mine],
];
const thread = { configurable: { thread_id: 't' } };
const go = { messages: [new HumanMessage('go')] };

const ran: string[] = [];
const echo = (name: string) =>
  tool(
    async ({ text }: { text: string }) => {
      ran.push(`${name} ${text}`);
      return `${name} says ${text}`;
    },
    { name, description: name, schema: z.object({ text: z.string() }) },
  );
const tools = [echo('say'), echo('shout')];

type InterruptOn = NonNullable<Parameters<Library['createDeepAgent']>[0]>['interruptOn'];

function agentOf(
  library: Library,
  { saver = new MemorySaver(), interruptOn = { say: true } as InterruptOn, content = '' as unknown } = {},
) {
  ran.length = 0;
  const model = new ScriptedModel((messages) =>
    messages.some((message) => ToolMessage.isInstance(message))
      ? { text: 'Done.' }
      : { calls: [{ id: 'call', name: 'say', args: { text: 'hello' } }] },
  );
  if (content !== '') {
    const generate = model._generate.bind(model);
    model._generate = async (messages: BaseMessage[]) => {
      const answer = await generate(messages);
      const [generation] = answer.generations;
      if (generation !== undefined && (generation.message as AIMessage).tool_calls?.length)
        Object.assign(generation.message, content);
      return answer;
    };
  }
  return library.createDeepAgent({
    model,
    tools,
    checkpointer: saver as BaseCheckpointSaver,
    ...optional({ interruptOn }),
  });
}

const resumeWith = (...decisions: object[]) => new Command({ resume: { decisions } });
const edit = (name: string, text: string) => ({ type: 'edit', editedAction: { name, args: { text } } });
const callsIn = (messages: readonly BaseMessage[]) =>
  messages.flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []));
const questionOf = (state: object) =>
  (state as { __interrupt__?: { value: unknown }[] }).__interrupt__?.map(({ value }) => value);

describe.each(both)('questions of %s', (_name, library) => {
  it('describe the call with its arguments', async () => {
    const argsSchema = { type: 'object' };
    const agent = agentOf(library, { interruptOn: { say: { allowedDecisions: ['approve'], argsSchema } } });
    expect(questionOf(await agent.invoke(go, thread))).toEqual([
      {
        actionRequests: [
          {
            name: 'say',
            args: { text: 'hello' },
            description: 'Tool execution requires approval\n\nTool: say\nArgs: {\n  "text": "hello"\n}',
          },
        ],
        reviewConfigs: [{ actionName: 'say', allowedDecisions: ['approve'], argsSchema }],
      },
    ]);
  });

  it('are not asked if `when` says so, which gets the call, the state and the runtime', async () => {
    const seen: unknown[] = [];
    const when = ({ toolCall, state, runtime }: { toolCall: object; state: object; runtime: unknown }) => {
      seen.push([toolCall, Object.keys(state).includes('messages'), typeof runtime]);
      return false;
    };
    const agent = agentOf(library, { interruptOn: { say: { allowedDecisions: ['approve'], when } } });
    expect(questionOf(await agent.invoke(go, thread))).toBeUndefined();
    expect(ran).toEqual(['say hello']);
    expect(seen[0]).toEqual([
      expect.objectContaining({ name: 'say', args: { text: 'hello' } }),
      true,
      'object',
    ]);
  });

  it('are refused before a run if nobody could decide them', () => {
    for (const allowedDecisions of [[], ['aprove']])
      expect(() =>
        agentOf(mine, {
          interruptOn: { say: { allowedDecisions } } as unknown as InterruptOn,
        }),
      ).toThrow(
        /^createDeepAgent: interruptOn\.say\.allowedDecisions is .*: give one or more of approve, edit, reject, respond\.$/,
      );
  });

  it('take a valid decision after a wrong one', async () => {
    const agent = agentOf(mine);
    await agent.invoke(go, thread);
    const approve = { type: 'approve' };
    const answers = [
      'yes',
      { decisions: [] },
      { decisions: [{ type: 'aprove' }] },
      { decisions: [approve, approve] },
    ];
    for (const resume of answers)
      await expect(agent.invoke(new Command({ resume }), thread)).rejects.toThrow(/decision/);
    expect(ran).toEqual([]);
    const { messages } = await agent.invoke(resumeWith(approve), thread);
    expect(ran).toEqual(['say hello']);
    expect(messages.at(-1)?.getType()).toBe('ai');
  });

  it('keep the edited call in the history', async () => {
    const agent = agentOf(library);
    await agent.invoke(go, thread);
    const { messages } = await agent.invoke(resumeWith(edit('say', 'goodbye')), thread);
    expect(ran).toEqual(['say goodbye']);
    expect(callsIn(messages)).toEqual([expect.objectContaining({ name: 'say', args: { text: 'goodbye' } })]);
    expect(messages.map((message) => message.getType())).toEqual(['human', 'ai', 'tool', 'ai']);
  });

  it('run the tool that an edit names', async () => {
    const agent = agentOf(library);
    await agent.invoke(go, thread);
    const { messages } = await agent.invoke(resumeWith(edit('shout', 'HEY')), thread);
    expect(ran).toEqual(['shout HEY']);
    expect(callsIn(messages)).toEqual([expect.objectContaining({ id: 'call', name: 'shout' })]);
    expect(messages.find((message) => ToolMessage.isInstance(message))?.text).toBe('shout says HEY');
  });

  it.each([
    ['the same id', 'call_0', []],
    ['no ids', '', []],
    // It replaces the one that gives ids.
    ['the same id, by themselves', 'call_0', [createMiddleware({ name: 'patchToolCallsMiddleware' })]],
  ])('are decided about one by one if the calls have %s', async (_ids, id, middleware) => {
    ran.length = 0;
    const model = new ScriptedModel((messages) =>
      messages.some((message) => ToolMessage.isInstance(message))
        ? { text: 'Done.' }
        : { calls: ['one', 'two', 'three'].map((text) => ({ id, name: 'say', args: { text } })) },
    );
    const agent = ours.createDeepAgent({
      model,
      tools,
      middleware,
      checkpointer: new MemorySaver(),
      interruptOn: { say: true },
    });
    await agent.invoke(go, thread);
    const decisions = [{ type: 'reject', message: 'No.' }, edit('say', '2'), { type: 'approve' }];
    const { messages } = await agent.invoke(resumeWith(...decisions), thread);
    expect(ran).toEqual(['say 2', 'say three']);
    const results = messages.filter((message) => ToolMessage.isInstance(message));
    expect(results.map(({ text }) => text)).toEqual(['No.', 'say says 2', 'say says three']);
    expect(results.map((result) => result.tool_call_id)).toEqual(callsIn(messages).map((call) => call.id));
    expect(new Set(results.map((result) => result.tool_call_id)).size).toBe(3);
  });

  it('answer a rejected call and run nothing', async () => {
    const agent = agentOf(library);
    await agent.invoke(go, thread);
    const { messages } = await agent.invoke(resumeWith({ type: 'reject' }), thread);
    expect(ran).toEqual([]);
    const answer = messages.find((message) => ToolMessage.isInstance(message));
    expect(answer).toMatchObject({
      status: 'error',
      text: 'User rejected the tool call for `say` with id call',
    });
  });
});

describe("an edit of a provider's own form of a call", () => {
  it('is in the history, too', async () => {
    const args = { text: 'hello' };
    const json = JSON.stringify(args);
    const agent = agentOf(mine, {
      content: {
        content: [
          { type: 'text', text: 'I say it.' },
          { type: 'tool_use', id: 'call', name: 'say', input: args },
        ],
        additional_kwargs: { tool_calls: [{ id: 'call', function: { name: 'say', arguments: json } }] },
        response_metadata: {
          output: [
            { type: 'function_call', call_id: 'call', name: 'say', arguments: json },
            { type: 'message' },
          ],
        },
      },
    });
    await agent.invoke(go, thread);
    const { messages } = await agent.invoke(resumeWith(edit('shout', 'HEY')), thread);
    const after = '{"text":"HEY"}';
    expect(messages[1]).toMatchObject({
      content: [{ type: 'text' }, { type: 'tool_use', id: 'call', name: 'shout', input: { text: 'HEY' } }],
      additional_kwargs: { tool_calls: [{ id: 'call', function: { name: 'shout', arguments: after } }] },
      response_metadata: {
        output: [
          { type: 'function_call', call_id: 'call', name: 'shout', arguments: after },
          { type: 'message' },
        ],
      },
    });
  });

  it("leaves what is not a call's JSON as it is", () => {
    const kwargs = {
      tool_calls: [{ id: 'a', type: 'function' as const, function: { name: 'say', arguments: '{' } }],
    };
    const message = new AIMessage({ content: '', additional_kwargs: kwargs });
    expect(withCalls(message, () => ({ args: {} })).additional_kwargs).toEqual(kwargs);
  });
});

const pairs = both.flatMap(([askedBy, asker]) =>
  both.map(([resumedBy, resumer]) => ({ askedBy, asker, resumedBy, resumer })),
);

describe.each(pairs)('a thread that waits at a question of $askedBy, in $resumedBy', ({ asker, resumer }) => {
  it.each([
    [{ type: 'approve' }, ['say hello'], 'say says hello'],
    [edit('say', 'goodbye'), ['say goodbye'], 'say says goodbye'],
    [{ type: 'reject', message: 'No.' }, [], 'No.'],
  ])('continues after %j', async (decision, runs, answer) => {
    const saver = new MemorySaver();
    expect(questionOf(await agentOf(asker, { saver }).invoke(go, thread))).toHaveLength(1);
    const agent = agentOf(resumer, { saver });
    expect((await agent.graph.getState(thread)).tasks.flatMap((task) => task.interrupts)).toHaveLength(1);
    const { messages } = await agent.invoke(resumeWith(decision), thread);
    expect(ran).toEqual(runs);
    expect(messages.find((message) => ToolMessage.isInstance(message))?.text).toBe(answer);
    expect(messages.at(-1)?.text).toBe('Done.');
    expect((await agent.graph.getState(thread)).next).toEqual([]);
  });
});

describe('a call that reaches the tools before anyone was asked', () => {
  const decide = (type: string, more: object = {}) =>
    new Command({ resume: { decisions: [{ type, ...more }] } }) as never;
  const results = ({ messages }: { messages: BaseMessage[] }) =>
    messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);

  it('is asked about if the setting came after the answer of the model', async () => {
    const saver = new MemorySaver();
    const before = agentOf(mine, { saver, interruptOn: {} });
    await before.graph.invoke(go as never, { ...thread, interruptBefore: ['tools'] });
    const after = agentOf(mine, { saver });
    const asked = await after.invoke(null as never, thread);
    expect(asked).toMatchObject({
      __interrupt__: [
        {
          value: {
            actionRequests: [{ name: 'say', args: { text: 'hello' } }],
            reviewConfigs: [{ allowedDecisions: ['approve', 'reject', 'respond'] }],
          },
        },
      ],
    });
    expect(ran).toEqual([]);
    const editedAction = { name: 'say', args: { text: 'bye' } };
    await expect(after.invoke(decide('edit', { editedAction }), thread)).rejects.toThrow('is not allowed');
    expect(results(await after.invoke(decide('approve'), thread))).toEqual(['say says hello']);
    expect(ran).toEqual(['say hello']);
  });

  it('is asked about if a hook jumps to the tools', async () => {
    const call = { name: 'say', args: { text: 'hook' }, id: 'hook', type: 'tool_call' as const };
    const jump = createMiddleware({
      name: 'jump',
      beforeAgent: {
        canJumpTo: ['tools'],
        hook: () => ({ jumpTo: 'tools', messages: [new AIMessage({ content: '', tool_calls: [call] })] }),
      },
    });
    const agent = ours.createDeepAgent({
      model: new ScriptedModel(() => ({ text: 'Done.' })),
      tools,
      middleware: [jump],
      checkpointer: new MemorySaver(),
      interruptOn: { say: true },
    });
    ran.length = 0;
    await agent.invoke(go, thread);
    expect(ran).toEqual([]);
    const state = await agent.invoke(decide('reject', { message: 'Not now.' }), thread);
    expect([results(state), ran]).toEqual([['Not now.'], []]);
  });
});
