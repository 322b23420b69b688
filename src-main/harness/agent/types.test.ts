// The compiler checks these (`npm run check -- types`): each program has the same types with both packages.
import type { BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { type Annotation, InMemoryStore, MemorySaver, StateSchema } from '@langchain/langgraph';
import * as published from 'deepagents';
import { createAgent, createMiddleware, providerStrategy, toolStrategy } from 'langchain';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import * as ours from '../index';
import { ScriptedModel } from './testing/scripted-model';

const Answer = z.object({ city: z.string(), degrees: z.number() });
type Answer = z.infer<typeof Answer>;

const research = createMiddleware({
  name: 'research',
  stateSchema: z.object({ research: z.string().default('') }),
});
const counter = createMiddleware({
  name: 'counter',
  stateSchema: z.object({ count: z.number().default(0) }),
});
const search = tool(async ({ query }) => query, {
  name: 'search',
  description: 'Searches',
  schema: z.object({ query: z.string() }),
});
const model = new ScriptedModel(() => ({ text: 'Done.' }));
const go = { messages: [{ role: 'user' as const, content: 'go' }] };
/** Only compiled. */
const compiled = (_program: () => unknown) => undefined;

describe('createSummarizationMiddleware', () => {
  it('takes the name of a model', () => {
    compiled(() => {
      const trigger = { type: 'tokens', value: 1_000 } as const;
      const options = { model: 'openai:gpt-5.4', trigger };
      ours.createSummarizationMiddleware({ ...options, backend: new ours.StateBackend() });
      published.createSummarizationMiddleware({ ...options, backend: new published.StateBackend() });
    });
  });
});

describe('createDeepAgent', () => {
  it('has the answer in the type of its state', () => {
    compiled(async () => {
      const tools = toolStrategy(Answer);
      const byTools = await ours.createDeepAgent({ model, responseFormat: tools }).invoke(go);
      const theirs = await published.createDeepAgent({ model, responseFormat: tools }).invoke(go);
      expectTypeOf(byTools.structuredResponse).toEqualTypeOf<Answer>();
      expectTypeOf(theirs.structuredResponse).toEqualTypeOf<Answer>();
      const responseFormat = providerStrategy(Answer);
      const here = await ours.createDeepAgent({ model, responseFormat }).invoke(go);
      const there = await published.createDeepAgent({ model, responseFormat }).invoke(go);
      expectTypeOf(here.structuredResponse).toEqualTypeOf<Answer>();
      expectTypeOf(there.structuredResponse).toEqualTypeOf<Answer>();
      // The published types refuse a schema, though its documentation shows one.
      const schema = await ours.createDeepAgent({ model, responseFormat: Answer }).invoke(go);
      expectTypeOf(schema.structuredResponse).toEqualTypeOf<Answer>();
      const json = { type: 'object', properties: {} } as const;
      const any = await ours.createDeepAgent({ model, responseFormat: json }).invoke(go);
      expectTypeOf(any.structuredResponse).toEqualTypeOf<Record<string, unknown>>();
    });
  });

  it('has no answer in the type of its state without a response format', () => {
    compiled(async () => {
      const here = await ours.createDeepAgent({ model }).invoke(go);
      const there = await published.createDeepAgent({ model }).invoke(go);
      expectTypeOf(here).not.toHaveProperty('structuredResponse');
      expectTypeOf(there).not.toHaveProperty('structuredResponse');
      expectTypeOf(here.messages).toEqualTypeOf<BaseMessage[]>();
      expectTypeOf(there.messages).toEqualTypeOf<BaseMessage[]>();
    });
  });

  it('merges the states of its schema, middleware and sub-agents', () => {
    compiled(async () => {
      const subagents = [
        { name: 'counter', description: 'Counts', systemPrompt: 'Count.', middleware: [counter] },
      ] as const;
      const stateSchema = z.object({ author: z.string().default('me') });
      const here = await ours
        .createDeepAgent({ model, middleware: [research], subagents, stateSchema })
        .invoke({ ...go, author: 'you' });
      const there = await published
        .createDeepAgent({ model, middleware: [research], subagents, stateSchema })
        .invoke({ ...go, author: 'you' });
      for (const state of [here, there]) {
        expectTypeOf(state.research).toEqualTypeOf<string>();
        expectTypeOf(state.count).toEqualTypeOf<number>();
        expectTypeOf(state.author).toEqualTypeOf<string>();
      }
      expectTypeOf(here.files).toExtend<Record<string, ours.FileData> | undefined>();
      // @ts-expect-error: nothing adds it
      here.unknown;
      // @ts-expect-error: nothing adds it
      there.unknown;
      // @ts-expect-error: the wrong type
      void ours.createDeepAgent({ model, stateSchema }).invoke({ ...go, author: 1 });
      // @ts-expect-error: the wrong type
      void published.createDeepAgent({ model, stateSchema }).invoke({ ...go, author: 1 });
    });
  });

  it('takes a StateSchema', () => {
    compiled(async () => {
      const stateSchema = new StateSchema({ author: z.string().default('me') });
      const here = await ours.createDeepAgent({ model, stateSchema }).invoke(go);
      const there = await published.createDeepAgent({ model, stateSchema }).invoke(go);
      expectTypeOf(here.author).toEqualTypeOf<string>();
      expectTypeOf(there.author).toEqualTypeOf<string>();
    });
  });

  it('has the skills in the type of its state if it has skills', () => {
    compiled(async () => {
      const here = await ours.createDeepAgent({ model, skills: ['/skills/'] }).invoke(go);
      const there = await published.createDeepAgent({ model, skills: ['/skills/'] }).invoke(go);
      expectTypeOf(here).toHaveProperty('skillsMetadata');
      expectTypeOf(there).toHaveProperty('skillsMetadata');
      const none = await ours.createDeepAgent({ model, skills: [] }).invoke(go);
      expectTypeOf(none).not.toHaveProperty('skillsMetadata');
    });
  });

  it('requires the context of its schema', () => {
    compiled(() => {
      const contextSchema = z.object({ user: z.string() });
      const here = ours.createDeepAgent({ model, contextSchema });
      const there = published.createDeepAgent({ model, contextSchema });
      void here.invoke(go, { context: { user: 'anna' } });
      void there.invoke(go, { context: { user: 'anna' } });
      // @ts-expect-error: the wrong type
      void here.invoke(go, { context: { user: 1 } });
      // @ts-expect-error: the wrong type
      void there.invoke(go, { context: { user: 1 } });
    });
  });

  it('tells sub-agents apart by name', () => {
    const runnable = createAgent({ model, tools: [search], middleware: [counter] });
    const subagents = [
      { name: 'first', description: 'd', systemPrompt: 'p', middleware: [research] },
      { name: 'second', description: 'd', runnable },
    ] as const;
    const here = ours.createDeepAgent({ model, subagents });
    const there = published.createDeepAgent({ model, subagents });
    type Here = typeof here;
    type There = typeof there;
    expectTypeOf<ours.InferDeepAgentSubagents<Here>>().toEqualTypeOf<
      published.InferDeepAgentSubagents<There>
    >();
    expectTypeOf<ours.InferSubagentByName<Here, 'first'>['middleware']>().toEqualTypeOf<
      readonly [typeof research]
    >();
    expectTypeOf<ours.InferSubagentByName<Here, 'none'>>().toBeNever();
    type Second = ours.InferSubagentByName<Here, 'second'>;
    expectTypeOf<ours.InferSubagentReactAgentType<Second>>().toEqualTypeOf<typeof runnable>();
    type First = ours.InferSubagentReactAgentType<ours.InferSubagentByName<Here, 'first'>>;
    expectTypeOf<Awaited<ReturnType<First['invoke']>>['research']>().toEqualTypeOf<string>();
    compiled(async () => {
      const run = await here.streamEvents(go, { version: 'v3' });
      for await (const one of run.subagents) {
        expectTypeOf(one.name).toEqualTypeOf<'first' | 'second'>();
        if (one.name === 'second') expectTypeOf((await one.output).count).toEqualTypeOf<number>();
      }
      const same = await there.streamEvents(go, { version: 'v3' });
      for await (const one of same.subagents) {
        expectTypeOf(one.name).toEqualTypeOf<'first' | 'second'>();
        if (one.name === 'second') expectTypeOf((await one.output).count).toEqualTypeOf<number>();
      }
    });
  });

  it('is an agent of LangChain, and a sub-agent of another', () => {
    compiled(() => {
      const agent = ours.createDeepAgent({
        model,
        tools: [search],
        middleware: [research],
        checkpointer: new MemorySaver(),
        store: new InMemoryStore(),
        name: 'lead',
      });
      const there: published.CompiledSubAgent = { name: 'lead', description: 'd', runnable: agent };
      const spec: ours.CompiledSubAgent = { name: 'lead', description: 'd', runnable: agent };
      const plain: ours.AnySubAgent[] = [spec];
      void published.createDeepAgent({ model, subagents: [there] });
      return ours.createDeepAgent({ model, subagents: plain });
    });
  });
});

describe('the types of an agent', () => {
  it('are those of the published package', () => {
    const middleware = [research, counter] as const;
    type Middleware = typeof middleware;
    expectTypeOf<ours.MergedDeepAgentState<Middleware, readonly []>>().toEqualTypeOf<
      published.MergedDeepAgentState<Middleware, readonly []>
    >();
    type Subagents = readonly [{ name: 'a'; description: 'd'; systemPrompt: 'p'; middleware: Middleware }];
    expectTypeOf<ours.FlattenSubAgentMiddleware<Subagents>>().toEqualTypeOf<Middleware>();
    expectTypeOf<published.FlattenSubAgentMiddleware<Subagents>>().toEqualTypeOf<Middleware>();
    expectTypeOf<ours.InferSubAgentMiddlewareStates<Subagents>>().toEqualTypeOf<
      published.InferSubAgentMiddlewareStates<Subagents>
    >();
    type Config = ours.DeepAgentTypeConfig<Answer, undefined, ReturnType<typeof Annotation.Root>>;
    expectTypeOf<ours.InferDeepAgentType<Config, 'Response'>>().toEqualTypeOf<Answer>();
    expectTypeOf<ours.InferDeepAgentType<ours.DeepAgent<Config>, 'Response'>>().toEqualTypeOf<Answer>();
    expectTypeOf<ours.DefaultDeepAgentTypeConfig['State']>().toEqualTypeOf<undefined>();
  });
});
