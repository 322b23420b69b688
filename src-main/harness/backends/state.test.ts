import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { describeBackend } from './backend.contract';
import type { FileData, FilesUpdate } from './protocol';
import { fileDataReducer } from './protocol';
import { StateBackend, type StateFiles } from './state';

const held = (
  files: Record<string, FileData> = {},
): StateFiles & { files: () => Record<string, FileData> } => {
  let current = files;
  return {
    files: () => current,
    read: () => current,
    send: (update) => {
      current = fileDataReducer(current, update);
    },
  };
};

describeBackend('StateBackend', async () => ({ backend: new StateBackend({ files: held() }) }));

const v2 = (content: string): FileData => ({
  content,
  mimeType: 'text/plain',
  created_at: '2026-01-01T00:00:00.000Z',
  modified_at: '2026-01-01T00:00:00.000Z',
});

describe('the reducer of files', () => {
  it('deletes by null, even in the first update, and does not change its arguments [H14]', () => {
    const current = { '/a': v2('a'), '/b': v2('b') };
    expect(fileDataReducer(current, { '/a': null, '/c': v2('c') })).toEqual({ '/b': v2('b'), '/c': v2('c') });
    expect(fileDataReducer(undefined, { '/a': null, '/c': v2('c') })).toEqual({ '/c': v2('c') });
    expect(fileDataReducer(current, undefined)).toEqual(current);
    expect(Object.keys(current)).toEqual(['/a', '/b']);
  });

  it('accepts a path named like a member of every object', () => {
    expect(Object.keys(fileDataReducer({}, { __proto__x: v2('a'), '/constructor': v2('b') }))).toHaveLength(
      2,
    );
  });
});

describe('StateBackend', () => {
  it('reads the older format, and writes it on request [H15]', async () => {
    const old: FileData = { content: ['one', 'two'], created_at: 'then', modified_at: 'then' };
    const files = held({ '/old.txt': old });
    expect((await new StateBackend({ files }).read('/old.txt')).content).toBe('one\ntwo');
    const v1 = new StateBackend({ files, fileFormat: 'v1' });
    await v1.edit('/old.txt', 'two', 'three');
    expect(files.files()['/old.txt']).toMatchObject({ content: ['one', 'three'], created_at: 'then' });
    expect((await v1.write('/p.png', 'AAEC')).kind).toBe('unsupported');
  });

  it('reads bytes that a checkpoint turned into an object of numbers [H58]', async () => {
    const bytes: unknown = JSON.parse(
      JSON.stringify({ ...v2(''), content: new Uint8Array([1, 2]), mimeType: 'image/png' }),
    );
    const files = held({ '/p.png': bytes as FileData });
    expect((await new StateBackend({ files }).read('/p.png')).content).toEqual(new Uint8Array([1, 2]));
  });

  it('has files that were put under another form of their path, as the published package keeps them', async () => {
    const files = held({
      'a.txt': v2('one'),
      '/d//b.txt': v2('one'),
      './c.txt': v2('hidden'),
      '/c.txt': v2('one'),
    });
    const backend = new StateBackend({ files });
    expect((await backend.ls('/')).files?.map(({ path }) => path)).toEqual(['/a.txt', '/c.txt', '/d/']);
    expect((await backend.glob('**')).files?.map(({ path }) => path)).toEqual([
      '/a.txt',
      '/c.txt',
      '/d/b.txt',
    ]);
    expect((await backend.grep('one')).matches?.map(({ path }) => path)).toEqual([
      '/a.txt',
      '/c.txt',
      '/d/b.txt',
    ]);
    expect((await backend.read('a.txt')).content).toBe('one');
    await backend.edit('/a.txt', 'one', 'two');
    await backend.write('/d/b.txt', 'two');
    expect(Object.keys(files.read()).sort()).toEqual(['./c.txt', '/c.txt', '/d//b.txt', 'a.txt']);
    expect([files.read()['a.txt']?.content, files.read()['/d//b.txt']?.content]).toEqual(['two', 'two']);
    expect(await backend.write('/d/b.txt/e', 'x')).toMatchObject({ kind: 'special' });
    for (const path of ['/a.txt', '/c.txt', '/d']) await backend.delete(path);
    expect(files.read()).toEqual({});
  });

  it('reports that it is outside a run', async () => {
    await expect(new StateBackend().read('/a.txt')).rejects.toThrow('outside a LangGraph run');
  });

  it('keeps files in the state of a graph, visible within the step and to later turns of that thread only', async () => {
    const backend = new StateBackend();
    const seen: unknown[] = [];
    const State = Annotation.Root({
      files: Annotation<Record<string, FileData>, FilesUpdate>({
        reducer: fileDataReducer,
        default: () => ({}),
      }),
      turn: Annotation<number>(),
    });
    const graph = new StateGraph(State)
      .addNode('work', async (state) => {
        if (state.turn === 1) {
          await backend.write('/a.txt', 'one');
          await backend.edit('/a.txt', 'one', 'two');
          await backend.write('/gone.txt', 'x');
          await backend.delete('/gone.txt');
        }
        seen.push(
          (await backend.ls('/')).files?.map((file) => file.path),
          (await backend.read('/a.txt')).content,
        );
        return {};
      })
      .addEdge(START, 'work')
      .addEdge('work', END)
      .compile({ checkpointer: new MemorySaver() });
    const thread = (thread_id: string) => ({ configurable: { thread_id } });
    await graph.invoke({ turn: 1 }, thread('t1'));
    await graph.invoke({ turn: 2 }, thread('t1'));
    await graph.invoke({ turn: 2 }, thread('t2'));
    expect(seen).toEqual([['/a.txt'], 'two', ['/a.txt'], 'two', [], undefined]);
    const { files } = (await graph.getState(thread('t1'))).values as typeof State.State;
    expect(Object.keys(files)).toEqual(['/a.txt']);
  });
});
