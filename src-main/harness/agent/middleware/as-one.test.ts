import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent, createMiddleware, tool } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ScriptedModel, type ScriptedStep } from '../testing/scripted-model';
import { asOne } from './as-one';

const config = { configurable: { thread_id: 't' } };
const look = tool(async () => 'seen', { name: 'look', description: 'Looks.', schema: z.object({}) });
const texts = (messages: readonly BaseMessage[]) => messages.map((message) => message.text);

function agentOf(layers: AgentMiddleware[], next: (messages: BaseMessage[]) => ScriptedStep) {
  const saver = new MemorySaver();
  const model = new ScriptedModel((messages) => next(messages));
  const agent = createAgent({ model, systemPrompt: 'Be.', middleware: asOne(layers), checkpointer: saver });
  const say = (text: string) => agent.invoke({ messages: [new HumanMessage(text)] }, config);
  const held = async () => (await agent.graph.getState(config)).values as { messages: BaseMessage[] };
  return { model, say, held };
}

describe('folded middleware', () => {
  it('saves messages that a hook adds before the model is asked, even if that fails', async () => {
    let queued = ['wait'];
    const steering = createMiddleware({
      name: 'steering',
      beforeModel: () => {
        const messages = queued.map((text) => new HumanMessage(text));
        queued = [];
        return messages.length === 0 ? undefined : { messages };
      },
    });
    const { say, held } = agentOf([steering], () => {
      throw new Error('no answer');
    });
    await expect(say('go')).rejects.toThrow('no answer');
    expect(texts((await held()).messages)).toEqual(['go', 'wait']);
  });

  it('calls the model through the object of a class', async () => {
    class Counting {
      readonly name = 'Counting';
      requests = 0;
      wrapModelCall(request: unknown, handler: (request: unknown) => unknown) {
        this.requests++;
        return handler(request);
      }
    }
    const counting = new Counting();
    await agentOf([counting as unknown as AgentMiddleware], () => ({ text: 'Done.' })).say('go');
    expect(counting.requests).toBe(1);
  });

  it('runs start-of-turn hooks once, not after results, and saves their updates with the answer', async () => {
    const asked: string[] = [];
    const noting = (name: string) =>
      createMiddleware({
        name,
        stateSchema: z.object({ [name]: z.string().optional() }),
        beforeAgent: (state: Record<string, unknown>) => {
          asked.push(name);
          return state[name] === undefined ? { [name]: 'noted' } : undefined;
        },
        tools: name === 'first' ? [look] : [],
      });
    const { model, say, held } = agentOf([noting('first'), noting('second')], (messages) =>
      messages.at(-1)?.getType() === 'human' ? { calls: [{ name: 'look', args: {} }] } : { text: 'Done.' },
    );
    await say('go');
    expect(asked).toEqual(['first', 'second']);
    expect(await held()).toMatchObject({ first: 'noted', second: 'noted' });
    expect(model.requests).toHaveLength(2);
  });

  it("keeps the outermost layer's answer and every layer's updates", async () => {
    const deciding = (name: string) =>
      createMiddleware({
        name,
        stateSchema: z.object({ [name]: z.string().optional() }),
        wrapModelCall: async (request, handler) => {
          await handler(request);
          return new Command({ update: { [name]: 'decided' } });
        },
      });
    const renaming = createMiddleware({
      name: 'renaming',
      wrapModelCall: async (request, handler) => {
        const answer = await handler(request);
        return new AIMessage({ id: 'own', content: `${answer.text} Really.` });
      },
    });
    const { say, held } = agentOf([renaming, deciding('one'), deciding('two')], () => ({ text: 'Done.' }));
    await say('go');
    const { messages, ...rest } = await held();
    expect(rest).toMatchObject({ one: 'decided', two: 'decided' });
    expect(messages.map(({ id, text }) => [id, text])).toEqual([
      [expect.any(String), 'go'],
      ['own', 'Done. Really.'],
    ]);
  });

  it('sends the prompt that a layer changed, and shows it to the inner layers', async () => {
    const seen: string[] = [];
    const adding = createMiddleware({
      name: 'adding',
      wrapModelCall: (request, handler) =>
        handler({ ...request, systemMessage: new SystemMessage(`${request.systemMessage.text} More.`) }),
    });
    const looking = createMiddleware({
      name: 'looking',
      wrapModelCall: (request, handler) => {
        seen.push(request.systemPrompt);
        return handler(request);
      },
    });
    const { model, say } = agentOf([adding, looking], () => ({ text: 'Done.' }));
    await say('go');
    expect(seen).toEqual(['Be. More.']);
    expect(texts(model.requests[0] ?? [])).toEqual(['Be. More.', 'go']);
  });
});
