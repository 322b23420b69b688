import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Send } from '@langchain/langgraph';
import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph-checkpoint';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Db } from '../../../../base/sqlite/db';
import { processorTime } from '../../../../base/testing/processor-time';
import { at, checkpoint, metadata, plain, recount } from '../../../../storage/testing/checkpoints';
import { temporaryDatabase } from '../../../../storage/testing/fixtures';
import { SqliteSaver } from './checkpointer';

let db: Db;
beforeEach(() => {
  db = temporaryDatabase();
});

describe('pruning', () => {
  it('keeps the latest, the range of delta channels, and only the sub-graph runs of those', async () => {
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
    // The snapshot of step 3 is needed, and the one before it is kept as a margin.
    expect(root).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(rows.filter((row) => row.ns.startsWith('tools')).map((row) => row.ns)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9].map((n) => `tools:${n}`),
    );
    expect(rows.filter((row) => row.ns === 'lasting').length).toBe(3);
    expect(db.prepare('SELECT count(*) AS n FROM checkpoint_writes').get()).toEqual({ n: 8 });
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });

  it.each([
    ['a message', [new HumanMessage({ id: 'h', content: 'x'.repeat(300) })]],
    ['a group of small things', Array.from({ length: 40 }, (_, n) => `a short one, number ${n}`)],
  ])('copes with checkpoints that another process pruned: %s', async (_, said) => {
    const [mine, theirs] = [new SqliteSaver(db, { keep: 1 }), new SqliteSaver(db, { keep: 1 })];
    let config = await mine.put(at('t'), checkpoint({ messages: said }, 1), metadata(), { messages: 1 });
    // Put again, now that its place in the pieces is known.
    config = await mine.put(config, checkpoint({ messages: [...said, 1] }, 2), metadata(), { messages: 2 });
    config = await theirs.put(config, checkpoint({ messages: [] }, 3), metadata(), { messages: 3 });
    await mine.put(config, checkpoint({ messages: [...said, 2] }, 4), metadata(), { messages: 4 });
    const values = (await mine.getTuple(at('t')))?.checkpoint.channel_values;
    expect(plain(values)).toEqual(plain({ messages: [...said, 2] }));
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });
});

describe('task writes of a step', () => {
  const count = () => db.prepare('SELECT count(*) AS n FROM checkpoint_writes').get();
  const write: [string, unknown][] = [
    ['n', 'x'.repeat(200)],
    ['__interrupt__', 'asked'],
  ];

  it('are not stored next to the checkpoint that includes them, except for interrupts', async () => {
    const saver = new SqliteSaver(db);
    const config = await saver.put(at('t'), checkpoint({ n: 1 }, 1), metadata(), { n: 1 });
    const next = checkpoint({ n: 'x'.repeat(200) }, 2);
    await Promise.all([
      saver.putWrites(config, write, 'task'),
      saver.put(config, next, metadata(), { n: 2 }),
    ]);
    expect((await saver.getTuple(config))?.pendingWrites).toEqual([['task', '__interrupt__', 'asked']]);
    expect((await saver.getTuple(at('t')))?.checkpoint.channel_values).toEqual({ n: 'x'.repeat(200) });
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });

  it('are stored if no checkpoint includes them yet, or only as differences', async () => {
    const saver = new SqliteSaver(db);
    const config = await saver.put(at('t'), checkpoint({ n: 1 }, 1), metadata(), { n: 1 });
    await saver.putWrites(config, write, 'alone');
    expect(count()).toEqual({ n: 2 });
    await Promise.all([
      saver.putWrites(config, write, 'task'),
      saver.put(config, checkpoint({}, 2), metadata({ counters_since_delta_snapshot: { n: [1, 1] } }), {}),
    ]);
    expect(count()).toEqual({ n: 4 });
    const [elsewhere, other] = [checkpoint({ n: 2 }, 2), checkpoint({ n: 3 }, 2)];
    await Promise.all([
      saver.putWrites(config, write, 'of another'),
      saver.put(at('t', 'inner'), elsewhere, metadata(), { n: 2 }),
      saver.put(at('other'), other, metadata(), { n: 2 }),
    ]);
    expect(count()).toEqual({ n: 6 });
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });
});

describe('a step', { timeout: 60_000 }, () => {
  /** 200 steps that each add a file and a 20 KB message. */
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
      const began = processorTime();
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
      times.push(processorTime() - began);
    }
    return { input: 200 * size, times };
  };

  it("does not write a Send's copies again", async () => {
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

  it('does not confuse a copy with an object of another kind', async () => {
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

  it('costs what changed: it stores little more than the input, and the last step is as fast as the first', async () => {
    const { input, times } = await run(new SqliteSaver(db));
    db.pragma('wal_checkpoint(TRUNCATE)');
    const pages = Number(db.pragma('page_count', { simple: true })) * 4096;
    const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
    const [early, late] = [median(times.slice(10, 50)), median(times.slice(-40))];
    expect(pages).toBeLessThan(1.2 * input + 200 * 2_048);
    expect(late).toBeLessThan(5 * early + 10);
  });
});
