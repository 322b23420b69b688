import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { InMemoryStore } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createDeepAgent } from '../agent/create-deep-agent';
import { ScriptedModel } from '../agent/testing/scripted-model';
import { namespaces, StoreBackend } from './index';
import { type Namespace, resolveNamespace } from './namespace';
import type { RunContext } from './run-context';

const context = (configurable: Record<string, unknown>, assistantId?: string): RunContext => ({
  configurable,
  metadata: {},
  assistantId,
});

/** Returns the namespaces that a graph node's files are written to. */
async function writtenTo(namespace: Namespace | undefined, config: object): Promise<string[][]> {
  const store = new InMemoryStore();
  const backend = new StoreBackend(namespace === undefined ? {} : { namespace });
  await new StateGraph(Annotation.Root({ done: Annotation<boolean>() }))
    .addNode('work', async () => {
      await backend.write('/a.txt', 'x');
      return { done: true };
    })
    .addEdge(START, 'work')
    .addEdge('work', END)
    .compile({ store })
    .invoke({ done: false }, config);
  return store.listNamespaces();
}

describe('namespaces', () => {
  it('exist for each user, project, assistant and thread', async () => {
    const configurable = { user_id: 'ann@x.com', project_id: 'p1', thread_id: 't1', assistant_id: 'a1' };
    const of = (namespace: Namespace) => writtenTo(namespace, { configurable });
    expect(await of(namespaces.user)).toEqual([['users', 'ann@x.com', 'filesystem']]);
    expect(await of(namespaces.project)).toEqual([['projects', 'p1', 'filesystem']]);
    expect(await of(namespaces.assistant)).toEqual([['assistants', 'a1', 'filesystem']]);
    expect(await of(namespaces.thread)).toEqual([['threads', 't1', 'filesystem']]);
    expect(namespaces.user(context({ langgraph_auth_user_id: 'bob' }))).toEqual([
      'users',
      'bob',
      'filesystem',
    ]);
  });

  it('can be made from the context of a run, even during a tool call', async () => {
    const store = new InMemoryStore();
    const agent = createDeepAgent({
      model: new ScriptedModel((messages) =>
        messages.some((message) => message.getType() === 'tool')
          ? { text: 'Done.' }
          : { calls: [{ name: 'write_file', args: { file_path: '/a', content: 'x' } }] },
      ),
      store,
      contextSchema: z.object({ user: z.string() }),
      backend: new StoreBackend({ namespace: ({ context }) => [(context as { user: string }).user] }),
    });
    const messages = [{ role: 'user', content: 'Go.' }];
    for (const user of ['ann', 'ben']) await agent.invoke({ messages }, { context: { user } });
    expect((await store.listNamespaces()).sort()).toEqual([['ann'], ['ben']]);
  });

  it("default to the assistant's, else to the shared one", async () => {
    expect(await writtenTo(undefined, {})).toEqual([['filesystem']]);
    expect(await writtenTo(undefined, { metadata: { assistant_id: 'a1' } })).toEqual([['a1', 'filesystem']]);
  });

  it('reject a run without the id', async () => {
    for (const [name, namespace] of Object.entries(namespaces))
      expect(() => namespace(context({}))).toThrow(
        `namespaces.${name}: the run has no configurable.${name}_id. Pass { configurable: { ${name}_id } } to invoke or stream.`,
      );
    await expect(writtenTo(namespaces.user, {})).rejects.toThrow('the run has no configurable.user_id');
    expect(() => namespaces.user(context({ user_id: null }))).toThrow('the run has no configurable.user_id');
  });

  it('accept ids with punctuation of addresses, but reject empty ids, patterns and paths [H12]', () => {
    const user = (user_id: unknown) => namespaces.user(context({ user_id }));
    for (const id of ['user@x.com', 'a:b', '~1+2.3_-']) expect(user(id)[1]).toBe(id);
    expect(() => user('')).toThrow('Namespace component at index 1 must not be empty.');
    expect(() => user(7)).toThrow('Namespace component at index 1 must be a string, got number.');
    for (const bad of ['*', 'a b', 'a/b', '..\\x', 'ü', 'a\n', '%'])
      expect(() => user(bad)).toThrow(
        `Namespace component at index 1 contains disallowed characters: "${bad}".`,
      );
    expect(() => resolveNamespace([])).toThrow('Namespace array must not be empty.');
    const later = async () => ['a'];
    expect(() => resolveNamespace(later as never)).toThrow(
      'A namespace must be an array of strings, got a promise.',
    );
    expect(() => resolveNamespace((() => 'a') as never)).toThrow('got string.');
    expect(() => resolveNamespace(() => ['a', '*'])).toThrow(
      'at index 1 contains disallowed characters: "*".',
    );
  });
});
