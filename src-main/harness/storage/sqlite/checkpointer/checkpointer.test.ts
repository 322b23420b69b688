import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { Send } from '@langchain/langgraph';
import {
  type BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointTuple,
  MemorySaver,
  uuid6,
} from '@langchain/langgraph-checkpoint';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../../base/sqlite/db';
import { at, checkpoint, metadata, plain, recount } from '../../../../storage/testing/checkpoints';
import { temporaryDatabase } from '../../../../storage/testing/fixtures';
import { SqliteSaver } from './checkpointer';

let db: Db;
beforeEach(() => {
  db = temporaryDatabase();
});

async function all(saver: BaseCheckpointSaver, threadId: string): Promise<unknown[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of saver.list({ configurable: { thread_id: threadId } })) tuples.push(tuple);
  return tuples
    .sort((a, b) => a.checkpoint.id.localeCompare(b.checkpoint.id))
    .map(({ pendingWrites, ...rest }) => plain({ ...rest, pendingWrites }));
}

describe('SqliteSaver compared to MemorySaver', () => {
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

  it.each(values)('returns the same: %s', async (_, value) => {
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
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
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

  it('keeps the first of ordinary writes and the last of special ones, in order', async () => {
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
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });

  it('lists by namespace, id, time, metadata and limit, and includes parents', async () => {
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
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });

  it('separates forks that gave a channel the same version', async () => {
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

  it('separates large texts with the same checksum, and stores each once', async () => {
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
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });

  it('stores a large string once as raw bytes if they can represent it', async () => {
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
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
    await saver.deleteThread('t');
    expect(db.prepare('SELECT count(*) AS n FROM pieces').get()).toEqual({ n: 0 });
  });

  it("writes a step's values once, and again if a write in the same transaction failed", async () => {
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
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
    const long = db
      .prepare<[], { n: number }>('SELECT count(*) AS n FROM pieces WHERE length(text) > 4000')
      .get();
    expect(long?.n).toBe(1);
  });

  it('does not delay a run to write its input, and throws a write error at the next step', async () => {
    const saver = new SqliteSaver(db);
    const rows = () => db.prepare('SELECT id FROM checkpoints').pluck().all();
    const input = checkpoint({ n: 1 }, 1);
    const started = await saver.put(at('t'), input, metadata({ source: 'input', step: -1 }), { n: 1 });
    const first = checkpoint({ n: 1, m: 2 }, 2);
    const config = await saver.put(started, first, metadata(), { m: 2 });
    expect(rows()).toEqual([input.id]);
    await saver.putWrites(config, [['m', 3]], 'task');
    expect(rows()).toEqual([input.id, first.id]);
    expect(await all(saver, 't')).toHaveLength(2);

    const again = checkpoint({ n: 2 }, 3);
    await saver.put(config, again, metadata({ source: 'input', step: 1 }), { n: 3 });
    db.exec("CREATE TRIGGER full BEFORE INSERT ON checkpoints BEGIN SELECT RAISE(ABORT, 'no space'); END");
    await expect(saver.putWrites(at('t', '', again.id), [['m', 4]], 'task')).rejects.toThrow('no space');
    db.exec('DROP TRIGGER full');
    await saver.put(config, again, metadata({ source: 'input', step: 1 }), { n: 3 });
    expect((await saver.getTuple(at('t')))?.checkpoint.channel_values).toEqual({ n: 2 });
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
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
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });
});
