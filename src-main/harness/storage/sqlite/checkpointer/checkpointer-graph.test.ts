import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import {
  Annotation,
  Command,
  interrupt,
  messagesStateReducer,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph-checkpoint';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../../base/sqlite/db';
import { plain, recount } from '../../../../storage/testing/checkpoints';
import { temporaryDatabase } from '../../../../storage/testing/fixtures';
import { SqliteSaver } from './checkpointer';

let db: Db;
beforeEach(() => {
  db = temporaryDatabase();
});

const State = Annotation.Root({
  messages: Annotation<BaseMessage[]>({ reducer: messagesStateReducer, default: () => [] }),
  files: Annotation<Record<string, { content: string }>>({
    reducer: (a, b) => ({ ...a, ...b }),
    default: () => ({}),
  }),
});

/** Fans out to tools with Send, one of which interrupts. A sub-graph with its own state answers. */
function graph(checkpointer: BaseCheckpointSaver) {
  const inner = new StateGraph(State)
    .addNode('think', () => ({ messages: [new AIMessage({ id: 'inner', content: 'thought '.repeat(300) })] }))
    .addNode('ask', () => ({ files: { '/inner': { content: String(interrupt('inner?')) } } }))
    .addEdge(START, 'think')
    .addEdge('think', 'ask')
    .compile();
  return new StateGraph(State)
    .addNode('model', () => ({ messages: [new AIMessage({ id: 'm1', content: 'two calls' })] }))
    .addNode('tool', (input: { name: string }) => {
      const answer = input.name === 'b' ? String(interrupt({ question: input.name })) : 'no need';
      return {
        messages: [
          new ToolMessage({
            id: `r-${input.name}`,
            tool_call_id: input.name,
            content: `${answer} ${'z'.repeat(2_000)}`,
          }),
        ],
        files: { [`/${input.name}`]: { content: 'z'.repeat(2_000) } },
      };
    })
    .addNode('inner', inner)
    .addEdge(START, 'model')
    .addConditionalEdges(
      'model',
      (state) => ['a', 'b', 'c'].map((name) => new Send('tool', { ...state, name })),
      ['tool'],
    )
    .addEdge('tool', 'inner')
    .compile({ checkpointer });
}

describe('a graph with parallel calls, interrupts and a sub-graph', () => {
  const play = async (savers: () => BaseCheckpointSaver) => {
    const config = { configurable: { thread_id: 't' } };
    const steps: unknown[] = [];
    const inputs: Parameters<ReturnType<typeof graph>['invoke']>[0][] = [
      { messages: [new HumanMessage({ id: 'h', content: 'go' })] },
      new Command({ resume: 'yes' }),
      new Command({ resume: 'inner yes' }),
      { messages: [new HumanMessage({ id: 'h2', content: 'again' })] },
    ];
    for (const input of inputs) {
      const app = graph(savers());
      await app.invoke(input, config);
      const state = await app.getState(config, { subgraphs: true });
      steps.push(
        plain({
          values: state.values,
          next: state.next,
          step: state.metadata?.step,
          tasks: state.tasks.map((task) => [task.name, task.interrupts.map((one) => one.value)]),
        }),
      );
    }
    return steps;
  };

  it('runs the same as in memory, even if every turn starts from the file alone', async () => {
    const memory = new MemorySaver();
    const kept = new SqliteSaver(db);
    const inMemory = await play(() => memory);
    expect(await play(() => kept)).toEqual(inMemory);
    db.prepare('UPDATE saved_threads SET thread_id = ?').run('earlier');
    expect(await play(() => new SqliteSaver(db))).toEqual(inMemory);
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });

  it('runs the same if only the latest checkpoint is kept', async () => {
    const memory = new MemorySaver();
    const inMemory = await play(() => memory);
    expect(await play(() => new SqliteSaver(db, { keep: 1 }))).toEqual(inMemory);
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });
});

it.each([
  ['in the state', { files: { '/rows': { content: 'x', rows: 1n } } }],
  [
    'in a message',
    { messages: [new ToolMessage({ content: 'x', tool_call_id: 'c', artifact: { rows: 1n } })] },
  ],
])(
  'fails a step with a value that cannot be written, %s, and the thread stays usable',
  async (_where, odd) => {
    let update: object = odd;
    const app = new StateGraph(State)
      .addNode('first', () => ({ messages: [new AIMessage({ id: 'm1', content: 'one' })] }))
      .addNode('second', () => update)
      .addEdge(START, 'first')
      .addEdge('first', 'second')
      .compile({ checkpointer: new SqliteSaver(db) });
    const config = { configurable: { thread_id: 't' } };
    const run = app.invoke({ messages: [new HumanMessage({ id: 'h1', content: 'go' })] }, config);
    await expect(run).rejects.toThrow('a checkpoint cannot hold this value: TypeError: Do not know how to');
    expect((await app.getState(config)).next).toEqual(['second']);
    update = { files: { '/rows': { content: '1' } } };
    const { files } = await app.invoke(null, config);
    expect(files).toEqual({ '/rows': { content: '1' } });
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  },
);
