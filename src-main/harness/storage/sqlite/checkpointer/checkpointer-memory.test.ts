import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { Send } from '@langchain/langgraph';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../../base/sqlite/db';
import { at, checkpoint, metadata, plain } from '../../../../storage/testing/checkpoints';
import { temporaryDatabase } from '../../../../storage/testing/fixtures';
import { SqliteSaver } from './checkpointer';

let db: Db;
beforeEach(() => {
  db = temporaryDatabase();
});

describe('SqliteSaver with known objects', () => {
  it('notices a message changed in place', async () => {
    const saver = new SqliteSaver(db);
    const said = new AIMessage({ id: 'a', content: [{ type: 'text', text: 'before'.repeat(50) }] });
    const config = await saver.put(at('t'), checkpoint({ messages: [said] }, 1), metadata(), { messages: 1 });
    said.content = [{ type: 'text', text: 'after' }];
    await saver.put(config, checkpoint({ messages: [said] }, 2), metadata(), { messages: 2 });
    expect(JSON.stringify((await saver.getTuple(at('t')))?.checkpoint)).toContain('after');
    expect(JSON.stringify((await saver.getTuple(config))?.checkpoint)).toContain('before');
  });

  it("reads its last put from memory, but not later in-place changes or another process's put", async () => {
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
    // Ignores later changes to the list and to its items.
    messages.push(new HumanMessage('not put'));
    (first.messages as BaseMessage[]).pop();
    changed.content = 'after';
    expect((await read()).messages).toMatchObject([{ id: 'h' }, { content: 'before'.repeat(50) }]);
    await theirs.put(at('t'), checkpoint({ messages: [] }, 2), metadata(), { messages: 2 });
    expect(await read()).toEqual({ messages: [] });
  });

  it('checks the whole list once a turn, and its end in each step', async () => {
    const saver = new SqliteSaver(db);
    const messages = Array.from(
      { length: 40 },
      (_, index) => new AIMessage({ id: `m${index}`, content: `${index} before`.repeat(20) }),
    );
    const put = async (source: 'loop' | 'input', version: number, config = at('t')) =>
      saver.put(config, checkpoint({ messages: [...messages] }, version), metadata({ source }), {
        messages: version,
      });
    const held = async () => {
      // A run's input is written by the time it is read.
      await saver.getTuple(at('t'));
      return JSON.stringify((await new SqliteSaver(db).getTuple(at('t')))?.checkpoint);
    };
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

  it('keeps a value as it was when put, even if it changes during the write', async () => {
    const saver = new SqliteSaver(db);
    const files = { '/a': { content: 'one' } };
    const put = saver.put(at('t'), checkpoint({ files }), metadata(), { files: 1 });
    files['/a'].content = 'two';
    await put;
    expect((await saver.getTuple(at('t')))?.checkpoint.channel_values).toEqual({
      files: { '/a': { content: 'one' } },
    });
  });

  it('returns the same objects that it put or read before, in lists and in Sends', async () => {
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
    // Another process creates its own objects on its first read.
    const other = new SqliteSaver(db);
    const [first] = await read(other);
    expect(plain(first)).toEqual(plain(messages));
    const [again, sent] = await read(other);
    expect(again.every((message, n) => message !== messages[n] && message === sent[n])).toBe(true);
  });

  it('reads the stored value if the object was changed afterwards', async () => {
    const saver = new SqliteSaver(db);
    const message = new HumanMessage({ id: 'm', content: 'as it was put' });
    await saver.put(at('t'), checkpoint({ messages: [message] }), metadata(), { messages: 1 });
    message.content = 'changed in place';
    const tuple = await saver.getTuple(at('t'));
    expect(plain(tuple?.checkpoint.channel_values.messages)).toMatchObject([
      { kwargs: { content: 'as it was put' } },
    ]);
  });
});
