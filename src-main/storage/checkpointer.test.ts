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
import {
  type BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  emptyCheckpoint,
  MemorySaver,
  uuid6,
} from '@langchain/langgraph-checkpoint';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SqliteSaver } from './checkpointer';
import type { Db } from './open';
import { temporaryDatabase } from './testing/fixtures';

let db: Db;
beforeEach(() => {
  db = temporaryDatabase();
});

const at = (threadId: string, ns = '', id?: string) => ({
  configurable: { thread_id: threadId, checkpoint_ns: ns, ...(id ? { checkpoint_id: id } : {}) },
});
const metadata = (
  changes: Partial<CheckpointMetadata> & Record<string, unknown> = {},
): CheckpointMetadata => ({
  source: 'loop',
  step: 0,
  parents: {},
  ...changes,
});
let clock = 0;
const checkpoint = (values: Record<string, unknown>, version = 1): Checkpoint => {
  clock += 1;
  return {
    ...emptyCheckpoint(),
    id: uuid6(clock),
    channel_values: values,
    channel_versions: Object.fromEntries(Object.keys(values).map((name) => [name, version])),
    versions_seen: { agent: { messages: version } },
  };
};

/** What is comparable of a tuple: message objects as what they would be written as. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');
async function all(saver: BaseCheckpointSaver, threadId: string): Promise<unknown[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of saver.list({ configurable: { thread_id: threadId } })) tuples.push(tuple);
  return tuples
    .sort((a, b) => a.checkpoint.id.localeCompare(b.checkpoint.id))
    .map(({ pendingWrites, ...rest }) => plain({ ...rest, pendingWrites }));
}

/** Every mark counted once more from the rows, and every piece that no row leads to. */
function recount(): { wrong: unknown[]; unreachable: unknown[] } {
  const texts = [
    ...db
      .prepare<[], { channels: string }>('SELECT channels FROM checkpoints')
      .all()
      .flatMap((row) => Object.values<string>(JSON.parse(row.channels))),
    ...db
      .prepare<[], { text: string }>('SELECT text FROM checkpoint_writes')
      .all()
      .map((row) => row.text),
    ...db
      .prepare<[], { text: string }>('SELECT text FROM pieces')
      .all()
      .map((row) => row.text),
  ];
  const counted = new Map<number, number>();
  for (const text of texts)
    for (const [, id] of text.matchAll(/\n(\d+)\n/g))
      counted.set(Number(id), (counted.get(Number(id)) ?? 0) + 1);
  const refs = db.prepare<[], { id: number; refs: number }>('SELECT id, refs FROM piece_refs').all();
  return {
    wrong: refs.filter(({ id, refs: kept }) => counted.get(id) !== kept),
    unreachable: db
      .prepare('SELECT id FROM pieces WHERE id NOT IN (SELECT id FROM piece_refs WHERE refs > 0)')
      .all(),
  };
}

describe('SqliteSaver beside MemorySaver', () => {
  const values: [string, unknown][] = [
    [
      'messages',
      [
        new HumanMessage({ id: 'h', content: 'hi' }),
        new AIMessage({
          id: 'a',
          content: 'x'.repeat(5_000),
          tool_calls: [{ id: 'c', name: 'f', args: { text: '"\\'.repeat(900) } }],
        }),
      ],
    ],
    [
      'files',
      {
        '/a b': { content: 'é\n\u2028\ud83d\ude00', mimeType: 'text/plain' },
        '/"q\\': { content: '', n: null },
      },
    ],
    ['an empty list and record', [[], {}]],
    ['an empty list', []],
    ['an empty record', {}],
    ['bytes in a list', [new Uint8Array([7]), 'x']],
    ['absent things', [undefined, null, { gone: undefined, kept: 1 }]],
    ['a record of undefined', { a: undefined, b: [undefined] }],
    ['sets and maps', { set: new Set([1, 'b']), map: new Map([['k', { v: 1 }]]) }],
    ['an error and a pattern', [new Error('oh'), /a+/gi]],
    ['numbers as keys', { 2: 'b', 1: 'a', x: 'c' }],
    ['functions', { f: () => 1, list: [() => 1], n: 1 }],
    ['what looks like a serialized thing', { lc: 2, type: 'undefined' }],
    ['a lone surrogate', '\ud800 and \n newline'],
    ['a long string', `${'line "quoted" \\ \n'.repeat(1_000)}`],
    ['a long list of small things', Array.from({ length: 5_000 }, (_, index) => index)],
    [
      'a long record',
      Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [
          `/file-${index}`,
          { content: `text ${index} `.repeat(20) },
        ]),
      ),
    ],
    [
      'sends',
      [
        new Send('tools', {
          messages: [new HumanMessage({ id: 'h', content: 'y'.repeat(3_000) })],
          call: { id: 1 },
        }),
      ],
    ],
    ['a send', new Send('tools', 'plain')],
    ['null', null],
    ['dates', [new Date(0)]],
  ];

  it.each(values)('gives back the same: %s', async (_, value) => {
    const savers = [new MemorySaver(), new SqliteSaver(db)];
    const one = checkpoint({ value, other: 1 });
    const answers: (CheckpointTuple | undefined)[] = [];
    for (const saver of savers) {
      const config = await saver.put(at('t'), one, metadata(), { value: 1, other: 1 });
      await saver.putWrites(
        config,
        [
          ['value', value],
          ['value', value],
        ],
        'task',
      );
      answers.push(await saver.getTuple(at('t')));
    }
    expect(answers[1]).toEqual(answers[0]);
    // In the same order too.
    const text = (answer: CheckpointTuple | undefined) => JSON.stringify(answer?.checkpoint.channel_values);
    expect(text(answers[1]) === text(answers[0])).toBe(true);
    expect(recount()).toEqual({ wrong: [], unreachable: [] });
  });

  it('keeps bytes, which MemorySaver cannot read back from a write', async () => {
    const saver = new SqliteSaver(db);
    const bytes = new Uint8Array([0, 255]);
    const config = await saver.put(at('t'), checkpoint({ bytes }), metadata(), { bytes: 1 });
    await saver.putWrites(config, [['bytes', bytes]], 'task');
    const tuple = await saver.getTuple(at('t'));
    expect([tuple?.checkpoint.channel_values, tuple?.pendingWrites]).toEqual([
      { bytes },
      [['task', 'bytes', bytes]],
    ]);
  });

  it('keeps the first of ordinary writes and the last of special ones, in the order they came', async () => {
    const answers: unknown[] = [];
    for (const saver of [new MemorySaver(), new SqliteSaver(db)]) {
      const config = await saver.put(at('t'), { ...checkpoint({ a: 1 }), id: uuid6(1) }, metadata(), {
        a: 1,
      });
      await saver.putWrites(
        config,
        [
          ['a', 'first'],
          ['__interrupt__', 'one'],
          ['b', 'second'],
        ],
        'task 2',
      );
      await saver.putWrites(
        config,
        [
          ['a', 'again'],
          ['__interrupt__', 'two'],
          ['b', 'again'],
          ['c', 'new'],
        ],
        'task 2',
      );
      await saver.putWrites(
        config,
        [
          ['__resume__', ['yes']],
          ['__error__', { message: 'oh' }],
        ],
        'task 1',
      );
      answers.push((await saver.getTuple(config))?.pendingWrites);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(recount()).toEqual({ wrong: [], unreachable: [] });
  });

  it('lists by namespace, id, time, metadata and number, and knows parents', async () => {
    const savers = [new MemorySaver(), new SqliteSaver(db)];
    const chain = Array.from({ length: 5 }, (_, step) =>
      checkpoint({ n: step, same: 'x'.repeat(200) }, step + 1),
    );
    const inner = checkpoint({ n: 'inner' });
    const answers: unknown[] = [];
    for (const saver of savers) {
      let config: Awaited<ReturnType<typeof saver.put>> = at('t');
      for (const [step, one] of chain.entries())
        config = await saver.put(config, one, metadata({ step, even: step % 2 === 0 }), { n: step + 1 });
      await saver.put(at('t', 'sub|x:1'), inner, metadata({ parents: { '': chain[4]?.id ?? '' } }), { n: 1 });
      await saver.put(at('other'), checkpoint({ n: 0 }), metadata(), { n: 1 });
      const list = async (config: object, options?: Parameters<typeof saver.list>[1]) => {
        const found: CheckpointTuple[] = [];
        for await (const tuple of saver.list(config, options)) found.push(tuple);
        return found;
      };
      answers.push([
        await list(at('t')),
        await list(at('t', 'sub|x:1')),
        await list(at('t', '', chain[2]?.id)),
        await list(at('t'), { before: at('t', '', chain[2]?.id ?? '') }),
        await list(at('t'), { filter: { even: true }, limit: 2 }),
        await list(at('t'), { limit: 0 }),
        await saver.getTuple(at('t', '', chain[1]?.id)),
        await saver.getTuple(at('t', '', 'unknown')),
        await saver.getTuple(at('nobody')),
        (await saver.getTuple(at('t', 'sub|x:1')))?.checkpoint,
      ]);
      await saver.deleteThread('t');
      answers.push([
        await list(at('t')),
        await saver.getTuple(at('t')),
        (await saver.getTuple(at('other')))?.checkpoint.channel_values,
      ]);
    }
    expect(answers.slice(2)).toEqual(answers.slice(0, 2));
    expect(recount()).toEqual({ wrong: [], unreachable: [] });
  });

  it('keeps forks apart that gave a channel the same version', async () => {
    const saver = new SqliteSaver(db);
    const root = await saver.put(at('t'), checkpoint({ n: 'root', kept: 'k' }, 1), metadata(), {
      n: 1,
      kept: 1,
    });
    const versions = { n: 2, kept: 1 };
    const left = await saver.put(
      root,
      { ...checkpoint({ n: 'left', kept: 'k' }), channel_versions: versions },
      metadata(),
      { n: 2 },
    );
    const right = await saver.put(
      root,
      { ...checkpoint({ n: 'right', kept: 'k' }), channel_versions: versions },
      metadata(),
      { n: 2 },
    );
    expect((await saver.getTuple(left))?.checkpoint.channel_values).toEqual({ n: 'left', kept: 'k' });
    expect((await saver.getTuple(right))?.checkpoint.channel_values).toEqual({ n: 'right', kept: 'k' });
  });

  it('notices a message that was changed in place', async () => {
    const saver = new SqliteSaver(db);
    const said = new AIMessage({ id: 'a', content: [{ type: 'text', text: 'before'.repeat(50) }] });
    const config = await saver.put(at('t'), checkpoint({ messages: [said] }, 1), metadata(), { messages: 1 });
    said.content = [{ type: 'text', text: 'after' }];
    await saver.put(config, checkpoint({ messages: [said] }, 2), metadata(), { messages: 2 });
    expect(JSON.stringify((await saver.getTuple(at('t')))?.checkpoint)).toContain('after');
    expect(JSON.stringify((await saver.getTuple(config))?.checkpoint)).toContain('before');
  });

  it('reads from memory what it put last, but not what was changed in place since, nor what another process put', async () => {
    const [mine, theirs] = [new SqliteSaver(db), new SqliteSaver(db)];
    const said = new HumanMessage({ id: 'h', content: 'same'.repeat(50) });
    const changed = new AIMessage({ id: 'a', content: 'before'.repeat(50) });
    const files = { '/a': { content: 'x'.repeat(200) } };
    const messages = [said, changed];
    await mine.put(at('t'), checkpoint({ messages, files }), metadata(), { messages: 1, files: 1 });
    const read = async () => (await mine.getTuple(at('t')))?.checkpoint.channel_values ?? {};
    const first = await read();
    expect(first).toEqual({ messages, files });
    expect([first.messages, first.files]).not.toContain(messages);
    expect((first.messages as BaseMessage[])[0]).toBe(said);
    // Neither the list nor an item that is changed afterwards counts.
    messages.push(new HumanMessage('not put'));
    (first.messages as BaseMessage[]).pop();
    changed.content = 'after';
    expect((await read()).messages).toMatchObject([{ id: 'h' }, { content: 'before'.repeat(50) }]);
    await theirs.put(at('t'), checkpoint({ messages: [] }, 2), metadata(), { messages: 2 });
    expect(await read()).toEqual({ messages: [] });
  });

  it('keeps large texts apart that have the same checksum, and stores each once', async () => {
    const saver = new SqliteSaver(db);
    const start = 'x'.repeat(300_000);
    // Names with the same CRC-32.
    const [plumless, buckeroo] = [`plumless${start}`, `buckeroo${start}`];
    const contents = [plumless, buckeroo, plumless];
    const files = Object.fromEntries(contents.map((content, index) => [`/${index}`, { content }]));
    await saver.put(at('t'), checkpoint({ files }), metadata(), { files: 1 });
    expect((await new SqliteSaver(db).getTuple(at('t')))?.checkpoint.channel_values).toEqual({ files });
    const large = db.prepare('SELECT count(*) AS n FROM pieces WHERE length(bytes) > 200000').get();
    expect(large).toEqual({ n: 2 });
    expect(recount()).toEqual({ wrong: [], unreachable: [] });
  });

  it('keeps a large string as its own bytes where they can say it, once for all that hold it', async () => {
    const saver = new SqliteSaver(db);
    const large = `"é😀\\\n12\n\u0000 ${'x'.repeat(300_000)}`;
    const half = `\ud83d${large}`;
    const said = new AIMessage({
      id: 'a',
      content: large,
      tool_calls: [{ id: 'c', name: 'write_file', args: { file_path: '/f', content: large } }],
    });
    const values = {
      messages: [said],
      files: { '/f': { content: large }, '/half': { content: half } },
      alone: large,
    };
    const config = await saver.put(at('t'), checkpoint(values), metadata(), {
      messages: 1,
      files: 1,
      alone: 1,
    });
    await saver.putWrites(config, [['alone', large]], 'task');
    const read = await new SqliteSaver(db).getTuple(at('t'));
    expect(read?.checkpoint.channel_values).toEqual(values);
    expect(read?.pendingWrites).toEqual([['task', 'alone', large]]);
    const kept = db
      .prepare('SELECT sum(length(bytes)) AS bytes, sum(length(text) > 200000) AS asJson FROM pieces')
      .get();
    expect(kept).toEqual({ bytes: Buffer.byteLength(large), asJson: 1 });
    expect(recount()).toEqual({ wrong: [], unreachable: [] });
    await saver.deleteThread('t');
    expect(db.prepare('SELECT count(*) AS n FROM pieces').get()).toEqual({ n: 0 });
  });

  it('looks at all of a list once a turn, and at its end in each step', async () => {
    const saver = new SqliteSaver(db);
    const messages = Array.from(
      { length: 40 },
      (_, index) => new AIMessage({ id: `m${index}`, content: `${index} before`.repeat(20) }),
    );
    const put = async (source: 'loop' | 'input', version: number, config = at('t')) =>
      saver.put(config, checkpoint({ messages: [...messages] }, version), metadata({ source }), {
        messages: version,
      });
    const held = async () => JSON.stringify((await new SqliteSaver(db).getTuple(at('t')))?.checkpoint);
    await put('input', 1);
    for (const index of [0, 39]) {
      const message = messages[index];
      if (message) message.content = `${index} after`;
    }
    await put('loop', 2);
    expect([await held()].map((text) => [text.includes('0 after'), text.includes('39 after')])).toEqual([
      [false, true],
    ]);
    await put('input', 3);
    expect(await held()).toContain('"0 after"');
  });

  it('keeps what a value was when it was put, though it changes while that is under way', async () => {
    const saver = new SqliteSaver(db);
    const files = { '/a': { content: 'one' } };
    const put = saver.put(at('t'), checkpoint({ files }), metadata(), { files: 1 });
    files['/a'].content = 'two';
    await put;
    expect((await saver.getTuple(at('t')))?.checkpoint.channel_values).toEqual({
      files: { '/a': { content: 'one' } },
    });
  });

  it('reads what it put or read before as those same objects, in a list and in what a Send carries', async () => {
    const saver = new SqliteSaver(db);
    const messages = Array.from(
      { length: 100 },
      (_, n) => new HumanMessage({ id: `m${n}`, content: `text ${n}` }),
    );
    const config = await saver.put(at('t'), checkpoint({ messages }), metadata(), { messages: 1 });
    await saver.putWrites(config, [['__tasks__', new Send('tool', { messages, count: 3 })]], 'task');
    const read = async (from: SqliteSaver) => {
      const tuple = await from.getTuple(at('t'));
      const send = tuple?.pendingWrites?.[0]?.[2] as Send<string, { messages: BaseMessage[]; count: number }>;
      expect(send.node).toBe('tool');
      expect(send.args.count).toBe(3);
      return [tuple?.checkpoint.channel_values.messages as BaseMessage[], send.args.messages] as const;
    };
    for (const list of await read(saver)) {
      expect(list).not.toBe(messages);
      expect(list.every((message, n) => message === messages[n])).toBe(true);
    }
    // Another process makes its own at its first reading.
    const other = new SqliteSaver(db);
    const [first] = await read(other);
    expect(plain(first)).toEqual(plain(messages));
    const [again, sent] = await read(other);
    expect(again.every((message, n) => message !== messages[n] && message === sent[n])).toBe(true);
  });

  it('reads what was put where the object has been changed since', async () => {
    const saver = new SqliteSaver(db);
    const message = new HumanMessage({ id: 'm', content: 'as it was put' });
    await saver.put(at('t'), checkpoint({ messages: [message] }), metadata(), { messages: 1 });
    message.content = 'changed in place';
    const tuple = await saver.getTuple(at('t'));
    expect(plain(tuple?.checkpoint.channel_values.messages)).toMatchObject([
      { kwargs: { content: 'as it was put' } },
    ]);
  });

  it('writes a step’s own values once, and again where what was written with them failed', async () => {
    const saver = new SqliteSaver(db);
    const config = await saver.put(at('t'), checkpoint({ n: 1 }, 1), metadata(), { n: 1 });
    const files = { '/a': { content: 'x'.repeat(5_000) } };
    const write = saver.putWrites(config, [['files', files]], 'task');
    const next = checkpoint({ n: 1, files }, 2);
    const broken = { ...checkpoint({ files }, 2), id: null as unknown };
    const put = saver.put(config, broken as Checkpoint, metadata(), { files: 2 });
    expect((await Promise.allSettled([write, put])).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
    ]);
    await saver.put(config, next, metadata(), { files: 2 });
    expect((await saver.getTuple(config))?.pendingWrites).toEqual([['task', 'files', files]]);
    expect((await saver.getTuple(at('t')))?.checkpoint.channel_values).toEqual({ n: 1, files });
    expect(recount()).toEqual({ wrong: [], unreachable: [] });
    const long = db
      .prepare<[], { n: number }>('SELECT count(*) AS n FROM pieces WHERE length(text) > 4000')
      .get();
    expect(long?.n).toBe(1);
  });

  it('replaces a checkpoint that is put again', async () => {
    const saver = new SqliteSaver(db);
    const one = checkpoint({ n: 'x'.repeat(500) });
    await saver.put(at('t'), one, metadata(), { n: 1 });
    await saver.put(at('t'), { ...one, channel_values: { n: 'y'.repeat(500) } }, metadata({ step: 3 }), {
      n: 2,
    });
    expect(await all(saver, 't')).toEqual([
      expect.objectContaining({
        metadata: metadata({ step: 3 }),
        checkpoint: expect.objectContaining({ channel_values: { n: 'y'.repeat(500) } }),
      }),
    ]);
    expect(recount()).toEqual({ wrong: [], unreachable: [] });
  });
});

const State = Annotation.Root({
  messages: Annotation<BaseMessage[]>({ reducer: messagesStateReducer, default: () => [] }),
  files: Annotation<Record<string, { content: string }>>({
    reducer: (a, b) => ({ ...a, ...b }),
    default: () => ({}),
  }),
});

/** Fans out to tools by Send, one of which asks; a sub-graph with state of its own answers. */
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

  it('goes the same way as in memory, also when every turn starts from the file alone', async () => {
    const memory = new MemorySaver();
    const kept = new SqliteSaver(db);
    const inMemory = await play(() => memory);
    expect(await play(() => kept)).toEqual(inMemory);
    db.prepare('UPDATE saved_threads SET thread_id = ?').run('earlier');
    expect(await play(() => new SqliteSaver(db))).toEqual(inMemory);
    expect(recount()).toEqual({ wrong: [], unreachable: [] });
  });

  it('goes the same way when only the latest checkpoint is kept', async () => {
    const memory = new MemorySaver();
    const inMemory = await play(() => memory);
    expect(await play(() => new SqliteSaver(db, { keep: 1 }))).toEqual(inMemory);
    expect(recount()).toEqual({ wrong: [], unreachable: [] });
  });
});

describe('pruning', () => {
  it('keeps the latest, what delta channels reach back to, and sub-graph runs of those only', async () => {
    const saver = new SqliteSaver(db, { keep: 3 });
    let config: Awaited<ReturnType<typeof saver.put>> = at('t');
    const ids: string[] = [];
    for (let step = 0; step < 10; step += 1) {
      const one = checkpoint({ n: `${step} ${'x'.repeat(2_000)}` }, step + 1);
      config = await saver.put(
        config,
        one,
        metadata({ step, ...(step >= 3 ? { counters_since_delta_snapshot: { files: [1, step - 3] } } : {}) }),
        { n: step + 1 },
      );
      await saver.putWrites(config, [['n', `write ${step} ${'x'.repeat(2_000)}`]], 'task');
      await saver.put(
        at('t', `tools:${step}`),
        checkpoint({ n: step }),
        metadata({ parents: { '': one.id } }),
        { n: 1 },
      );
      await saver.put(at('t', 'lasting'), checkpoint({ n: step }), metadata({ parents: { '': one.id } }), {
        n: 1,
      });
      ids.push(one.id);
    }
    const rows = db
      .prepare<[], { ns: string; id: string }>('SELECT ns, id FROM checkpoints ORDER BY id')
      .all();
    const root = rows.filter((row) => row.ns === '').map((row) => ids.indexOf(row.id));
    // The snapshot of step 3 is needed, and one before it is kept to be sure.
    expect(root).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(rows.filter((row) => row.ns.startsWith('tools')).map((row) => row.ns)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9].map((n) => `tools:${n}`),
    );
    expect(rows.filter((row) => row.ns === 'lasting').length).toBe(3);
    expect(db.prepare('SELECT count(*) AS n FROM checkpoint_writes').get()).toEqual({ n: 8 });
    expect(recount()).toEqual({ wrong: [], unreachable: [] });
  });

  it.each([
    ['a message', [new HumanMessage({ id: 'h', content: 'x'.repeat(300) })]],
    ['a group of small things', Array.from({ length: 40 }, (_, n) => `a short one, number ${n}`)],
  ])('does not trip over what another process has pruned: %s', async (_, said) => {
    const [mine, theirs] = [new SqliteSaver(db, { keep: 1 }), new SqliteSaver(db, { keep: 1 })];
    let config = await mine.put(at('t'), checkpoint({ messages: said }, 1), metadata(), { messages: 1 });
    // Again, now that it is known where it stands.
    config = await mine.put(config, checkpoint({ messages: [...said, 1] }, 2), metadata(), { messages: 2 });
    config = await theirs.put(config, checkpoint({ messages: [] }, 3), metadata(), { messages: 3 });
    await mine.put(config, checkpoint({ messages: [...said, 2] }, 4), metadata(), { messages: 4 });
    const values = (await mine.getTuple(at('t')))?.checkpoint.channel_values;
    expect(plain(values)).toEqual(plain({ messages: [...said, 2] }));
    expect(recount()).toEqual({ wrong: [], unreachable: [] });
  });
});

describe('the cost of a step', { timeout: 60_000 }, () => {
  /** 200 steps that each add a file and a message of 20 KB. */
  const run = async (saver: SqliteSaver) => {
    const size = 20_000;
    const random = (seed: number) =>
      Array.from({ length: size / 10 }, (_, index) =>
        Math.sin(seed * 7919 + index)
          .toString(36)
          .slice(-10)
          .padStart(10, '0'),
      ).join('');
    let config: Awaited<ReturnType<typeof saver.put>> = at('t');
    let files: Record<string, unknown> = {};
    const messages: BaseMessage[] = [];
    const times: number[] = [];
    for (let step = 0; step < 200; step += 1) {
      const content = random(step);
      files = {
        ...files,
        [`/f${step}`]: { content, mimeType: 'text/plain', created_at: 'now', modified_at: 'now' },
      };
      messages.push(new ToolMessage({ id: `m${step}`, tool_call_id: `c${step}`, content: `Wrote ${step}` }));
      const began = performance.now();
      await saver.putWrites(
        config.configurable?.checkpoint_id ? config : at('t', '', 'none'),
        [
          ['files', { [`/f${step}`]: files[`/f${step}`] }],
          ['messages', [messages.at(-1)]],
        ],
        'task',
      );
      config = await saver.put(
        config,
        checkpoint({ files, messages: [...messages] }, step + 1),
        metadata({ step }),
        { files: step + 1, messages: step + 1 },
      );
      times.push(performance.now() - began);
    }
    return { input: 200 * size, times };
  };

  it('is not to write again what a Send hands on as a copy', async () => {
    const saver = new SqliteSaver(db);
    const files = Object.fromEntries(
      ['/a', '/b'].map((path) => [
        path,
        {
          content: path.repeat(2_000),
          mimeType: 'text/plain',
          created_at: '2026-01-01',
          modified_at: '2026-01-02',
        },
      ]),
    );
    const config = await saver.put(at('t'), checkpoint({ files }), metadata(), { files: 1 });
    const dumped = vi.spyOn(saver.serde, 'dumpsTyped');
    const changed = { ...files, '/b': { ...files['/b'], content: 'other' } };

    await saver.putWrites(config, [['__pregel_tasks', new Send('tools', { files })]], 'one');
    const sizes = await Promise.all(dumped.mock.results.map(async (call) => (await call.value)[1].length));
    await saver.putWrites(config, [['__pregel_tasks', new Send('tools', { files: changed })]], 'two');

    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100);
    const tuple = await saver.getTuple(config);
    expect(tuple?.pendingWrites?.map(([task, , sent]) => [task, plain(sent)])).toEqual([
      ['one', { node: 'tools', args: { files } }],
      ['two', { node: 'tools', args: { files: changed } }],
    ]);
  });

  it('does not take an object for a copy of one of another kind', async () => {
    const message = new HumanMessage({ id: 'm', content: 'x'.repeat(2_000) });
    const look = async (saver: BaseCheckpointSaver) => {
      const config = await saver.put(at('t'), checkpoint({ named: { one: message } }), metadata(), {
        named: 1,
      });
      await saver.putWrites(config, [['named', { one: { ...message } }]], 'plain');
      return (await saver.getTuple(config))?.pendingWrites?.map((write) => plain(write[2]));
    };
    expect(await look(new SqliteSaver(db))).toEqual(await look(new MemorySaver()));
  });

  it('is what changed: little more than the input is stored, and the last step is as quick as the first', async () => {
    const { input, times } = await run(new SqliteSaver(db));
    db.pragma('wal_checkpoint(TRUNCATE)');
    const pages = Number(db.pragma('page_count', { simple: true })) * 4096;
    const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
    const [early, late] = [median(times.slice(10, 50)), median(times.slice(-40))];
    expect(pages).toBeLessThan(1.2 * input + 200 * 2_048);
    expect(late).toBeLessThan(5 * early + 10);
  });
});
