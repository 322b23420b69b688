import { AIMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { Send } from '@langchain/langgraph';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../../base/sqlite/db';
import { at, checkpoint, metadata, plain, recount } from '../../../../storage/testing/checkpoints';
import { temporaryDatabase } from '../../../../storage/testing/fixtures';
import { SqliteSaver } from './checkpointer';

let db: Db;
beforeEach(() => {
  db = temporaryDatabase();
});

const messagesNamed = (name: string, count: number) =>
  Array.from(
    { length: count },
    (_, index) => new AIMessage({ id: `${name}${index}`, content: `${name} ${index} `.repeat(20) }),
  );
const filesNamed = (name: string, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`/${name}/${index}`, { content: `${index} `.repeat(60) }]),
  );

interface State {
  messages: unknown[];
  files: Record<string, unknown>;
  versions: Record<string, string>;
}

/** Edits as a reducer may make them: each returns new lists and records with the same items. */
const EDITS: [string, (state: State) => Partial<State>][] = [
  ['an item at the end', ({ messages }) => ({ messages: [...messages, ...messagesNamed('end', 1)] })],
  ['many at the end', ({ messages }) => ({ messages: [...messages, ...messagesNamed('more', 70)] })],
  ['an item at the start', ({ messages }) => ({ messages: [...messagesNamed('start', 1), ...messages] })],
  ['one replaced', ({ messages }) => ({ messages: messages.with(40, messagesNamed('other', 1)[0]) })],
  ['one removed', ({ messages }) => ({ messages: messages.toSpliced(33, 1) })],
  ['two swapped', ({ messages: all }) => ({ messages: all.with(2, all[3]).with(3, all[2]) })],
  ['the beginning alone', ({ messages }) => ({ messages: messages.slice(0, 50) })],
  ['nothing left', () => ({ messages: [] })],
  ['a file more', ({ files }) => ({ files: { ...files, '/new': { content: 'x'.repeat(99) } } })],
  ['a file first', ({ files }) => ({ files: { '/first': { content: 'y'.repeat(99) }, ...files } })],
  [
    'a file renamed in its place',
    ({ files }) => ({
      files: Object.fromEntries(
        Object.entries(files).map(([path, file], index) => [index === 5 ? '/renamed' : path, file]),
      ),
    }),
  ],
  [
    'a file changed in its place',
    ({ files }) => ({ files: { ...files, '/f/5': { content: 'z'.repeat(99) } } }),
  ],
  [
    'a file with its fields in another order',
    ({ files }) => ({
      files: { ...files, '/f/5': { mimeType: 'text/plain', ...(files['/f/5'] as object) } },
    }),
  ],
  [
    'a short value changed',
    ({ versions }) => ({ versions: { ...versions, [Object.keys(versions)[3] ?? '']: 'changed' } }),
  ],
  ['a record in the place of a list', ({ messages }) => ({ messages: { ...messages } as never })],
];

/** Puts a state as a graph does: in channels, and in a Send that carries all of it. */
async function put(saver: SqliteSaver, state: State, version: number, config: RunnableConfig) {
  const values = { ...state, tasks: [new Send('tools', { ...state })] };
  const versions = Object.fromEntries(Object.keys(values).map((name) => [name, version]));
  return saver.put(config, checkpoint(values, version), metadata({ source: 'loop' }), versions);
}

/** Includes the order of keys. */
async function expectStored(state: State): Promise<void> {
  const tasks = [{ node: 'tools', args: state }];
  const expected = plain({ ...state, tasks });
  const there = await stored();
  expect(there).toEqual(expected);
  expect(JSON.stringify(there)).toBe(JSON.stringify(expected));
}

const stored = async () =>
  plain((await new SqliteSaver(db).getTuple(at('t')))?.checkpoint.channel_values) as object;

describe('SqliteSaver with lists and records of many items', () => {
  const whole = (): State => ({
    messages: messagesNamed('m', 150),
    files: filesNamed('f', 100),
    versions: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`/f/${index}`, `v${index}`])),
  });

  it.each(EDITS)('stores %s', async (_, edit) => {
    const saver = new SqliteSaver(db);
    const before = whole();
    let config = await put(saver, before, 1, at('t'));
    config = await put(saver, { ...before }, 2, config);
    const after = { ...before, ...edit(before) };
    config = await put(saver, after, 3, config);
    await expectStored(after);
    // As it was, and as it is: neither is taken for the other.
    config = await put(saver, before, 4, config);
    await expectStored(before);
    await put(saver, after, 5, config);
    await expectStored(after);
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });

  it('stores more than a thousand items, one more at a time', async () => {
    const saver = new SqliteSaver(db);
    const messages = messagesNamed('m', 1_020);
    let config: RunnableConfig = at('t');
    for (let count = 1_000; count <= 1_120; count += 8) {
      const shown = [...messages, ...messagesNamed('n', 100)].slice(0, count);
      const values = { messages: shown };
      config = await saver.put(config, checkpoint(values, count), metadata({ source: 'loop' }), {
        messages: count,
      });
      expect(((await stored()) as State).messages).toEqual(plain(shown));
    }
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });

  it('stores a list that grew in place between a write and the checkpoint', async () => {
    const saver = new SqliteSaver(db);
    const state = whole();
    const config = await put(saver, state, 1, at('t'));
    const tasks = [new Send('tools', state)];
    const args = tasks[0]?.args as State;
    const writing = saver.putWrites(config, [['tasks', tasks]], 'task');
    args.messages.push(...messagesNamed('n', 1));
    args.files['/new'] = { content: 'x'.repeat(99) };
    const versions = { tasks: 2 };
    const after = { tasks };
    await Promise.all([
      writing,
      saver.put(config, checkpoint(after, 2), metadata({ source: 'loop' }), versions),
    ]);
    expect(await stored()).toEqual(plain({ tasks: [{ node: 'tools', args }] }));
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });

  it('stores them again after another process deleted the thread', async () => {
    const saver = new SqliteSaver(db);
    const state = whole();
    await put(saver, state, 1, at('t'));
    await new SqliteSaver(db).deleteThread('t');
    const config = await put(saver, state, 2, at('t'));
    await put(saver, { ...state, messages: [...state.messages, ...messagesNamed('n', 1)] }, 3, config);
    expect(((await stored()) as State).messages).toHaveLength(151);
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });

  it('forgets what a failed write stored', async () => {
    const saver = new SqliteSaver(db);
    const state = whole();
    const config = await put(saver, state, 1, at('t'));
    db.exec("CREATE TRIGGER no BEFORE INSERT ON checkpoints BEGIN SELECT raise(ABORT, 'no'); END");
    const longer = { ...state, messages: [...state.messages, ...messagesNamed('n', 40)] };
    await expect(put(saver, longer, 2, config)).rejects.toThrow('no');
    db.exec('DROP TRIGGER no');
    await put(saver, longer, 3, config);
    expect(((await stored()) as State).messages).toEqual(plain(longer.messages));
    expect(recount(db)).toEqual({ wrong: [], unreachable: [] });
  });
});
