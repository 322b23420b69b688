import { uuid6 } from '@langchain/langgraph-checkpoint';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Db } from '../../../../base/sqlite/db';
import { at, checkpoint, metadata, recount } from '../../../../storage/testing/checkpoints';
import { temporaryDatabase } from '../../../../storage/testing/fixtures';
import { SqliteSaver } from './checkpointer';

const HOUR = 3_600_000;
let db: Db;
beforeEach(() => {
  db = temporaryDatabase();
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Puts a checkpoint with that value and a write of its task. The id comes from the current clock time. */
async function put(saver: SqliteSaver, value: string, parent?: string, source: 'loop' | 'input' = 'loop') {
  const one = { ...checkpoint({ messages: value }), id: uuid6(0) };
  await saver.put(at('t', '', parent), one, metadata({ source }), { messages: 1 });
  await saver.putWrites(at('t', '', one.id), [['messages', `then ${value}`]], 'task');
  return one.id;
}
const latest = async (saver: SqliteSaver) => {
  const tuple = await saver.getTuple(at('t'));
  return [tuple?.checkpoint.channel_values.messages, tuple?.pendingWrites?.map((write) => write[2])];
};
async function listed(saver: SqliteSaver, before?: string) {
  const values: unknown[] = [];
  for await (const { checkpoint: one } of saver.list(at('t'), before ? { before: at('t', '', before) } : {}))
    values.push(one.channel_values.messages);
  return values;
}

describe('checkpoints after the clock is set back', () => {
  it('stay in insertion order, and a thread continues from the last one', async () => {
    const saver = new SqliteSaver(db);
    const first = await put(saver, 'before');
    vi.setSystemTime(Date.now() - HOUR);
    const second = await put(saver, 'after', first);
    expect(second < first).toBe(true);
    expect(await latest(saver)).toEqual(['after', ['then after']]);
    expect(await listed(saver)).toEqual(['after', 'before']);
    expect(await listed(saver, second)).toEqual(['before']);
    // Another process reads them from the file alone.
    expect(await latest(new SqliteSaver(db))).toEqual(['after', ['then after']]);
  });

  it('keep their place when put again', async () => {
    const saver = new SqliteSaver(db);
    const one = { ...checkpoint({ messages: 'one' }), id: uuid6(0) };
    await saver.put(at('t'), one, metadata(), { messages: 1 });
    await put(saver, 'two', one.id);
    await saver.put(at('t'), one, metadata(), { messages: 1 });
    expect(await listed(saver)).toEqual(['two', 'one']);
  });

  it('are removed in insertion order with their writes, and turn starts stay', async () => {
    const saver = new SqliteSaver(db, { keep: 3 });
    let parent = await put(saver, 'first', undefined, 'input');
    for (const value of ['a', 'b', 'c']) parent = await put(saver, value, parent);
    vi.setSystemTime(Date.now() - HOUR);
    for (const value of ['d', 'e', 'f']) parent = await put(saver, value, parent);
    expect(await listed(saver)).toEqual(['f', 'e', 'd', 'first']);
    expect(await latest(saver)).toEqual(['f', ['then f']]);
    const texts = db.prepare<[], { text: string }>('SELECT text FROM checkpoint_writes').all();
    expect(texts.map(({ text }) => text.includes('first'))).not.toContain(true);
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });
});
