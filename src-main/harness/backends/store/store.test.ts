import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { InMemoryStore, type Operation, type OperationResults } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import { temporaryDatabase } from '../../../storage/testing/fixtures';
import { SqliteStore } from '../../storage/sqlite/store/store';
import { describeBackend } from '../backend.contract';
import { byCodeUnit } from '../paths';
import type { IndexedStore, KeyPage, StoredChild, StoredKey } from './indexed-store';
import { StoreBackend } from './store';

/** A store with the optional lookups, on the same items. */
class IndexedMemoryStore extends InMemoryStore implements IndexedStore {
  readonly asked: string[] = [];

  private async all(namespace: string[], prefix: string, after = '') {
    const items = await this.search(namespace, { limit: 100_000 });
    return items
      .filter(
        (item) =>
          item.namespace.join('/') === namespace.join('/') && item.key.startsWith(prefix) && item.key > after,
      )
      .sort((a, b) => byCodeUnit(a.key, b.key));
  }

  async listKeys(namespace: string[], prefix: string, page: KeyPage = {}): Promise<StoredKey[]> {
    this.asked.push('listKeys');
    const items = await this.all(namespace, prefix, page.after);
    return items.slice(0, page.limit).map(({ key, value }) => ({
      key,
      size: Buffer.byteLength(value.content, value.encoding),
      modified_at: value.modified_at,
    }));
  }

  async listChildren(namespace: string[], directory: string, page: KeyPage = {}): Promise<StoredChild[]> {
    this.asked.push('listChildren');
    const children = new Map<string, StoredChild>();
    for (const { key, value } of await this.all(namespace, directory)) {
      const slash = key.indexOf('/', directory.length);
      const name = slash < 0 ? key : key.slice(0, slash + 1);
      const size = Buffer.byteLength(value.content);
      children.set(name, { key: name, isDirectory: slash >= 0, size, modified_at: value.modified_at });
    }
    return [...children.values()].filter(({ key }) => key > (page.after ?? '')).slice(0, page.limit);
  }

  async searchText(
    namespace: string[],
    literal: string,
    limit: number,
    options: { prefix?: string; after?: string } = {},
  ) {
    this.asked.push('searchText');
    const items = await this.all(namespace, options.prefix ?? '', options.after);
    return items.filter(({ value }) => String(value.content).includes(literal)).slice(0, limit);
  }
}

/** Counts the calls that reach the store. */
class CountingStore extends InMemoryStore {
  readonly batches: number[] = [];

  override batch<Op extends readonly Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    this.batches.push(operations.length);
    return super.batch(operations);
  }
}

const namespace = ['filesystem'];

describeBackend('StoreBackend on InMemoryStore', async () => ({
  backend: new StoreBackend({ store: new InMemoryStore(), namespace }),
}));
describeBackend('StoreBackend on an indexed store', async () => ({
  backend: new StoreBackend({ store: new IndexedMemoryStore(), namespace }),
}));

describe('StoreBackend', () => {
  it('lists more items than a page of the store holds [H11]', async () => {
    for (const store of [new InMemoryStore(), new IndexedMemoryStore()]) {
      const backend = new StoreBackend({ store, namespace });
      const value = { content: 'needle', created_at: 'then', modified_at: 'then' };
      await store.batch(Array.from({ length: 2_345 }, (_, n) => ({ namespace, key: `/d/${n}.txt`, value })));
      expect((await backend.ls('/d')).total).toBe(2_345);
      expect((await backend.glob('*.txt')).files).toHaveLength(2_345);
      expect((await backend.grep('needle')).matches).toHaveLength(2_345);
      expect((await backend.grep('needle', '/', null, 2_000)).truncated).toBe(true);
    }
  });

  it('uses the index of a store that has one', async () => {
    const store = new IndexedMemoryStore();
    const backend = new StoreBackend({ store, namespace });
    await backend.write('/a.txt', 'x');
    store.asked.length = 0;
    await backend.ls('/');
    await backend.glob('*');
    await backend.grep('x');
    expect(store.asked).toEqual(['listChildren', 'listKeys', 'searchText']);
  });

  it('deletes a subtree in a single batch [H10]', async () => {
    const store = new CountingStore();
    const backend = new StoreBackend({ store, namespace });
    for (const path of ['/d/a', '/d/b', '/d/e/c', '/x']) await backend.write(path, 'x');
    store.batches.length = 0;
    await backend.delete('/d');
    expect(store.batches.filter((size) => size > 1)).toEqual([3]);
    expect((await backend.ls('/')).files?.map((file) => file.path)).toEqual(['/x']);
  });

  it('sees nothing in namespaces below or beside its own', async () => {
    const store = new InMemoryStore();
    const of = (...components: string[]) => new StoreBackend({ store, namespace: components });
    await of('a').write('/x.txt', 'mine');
    await of('a', 'b').write('/y.txt', 'below');
    await of('ab').write('/z.txt', 'beside');
    expect((await of('a').ls('/')).files?.map((file) => file.path)).toEqual(['/x.txt']);
    expect((await of('a').glob('**/*')).files?.map((file) => file.path)).toEqual(['/x.txt']);
    expect((await of('a').grep('e')).matches?.map((match) => match.path)).toEqual(['/x.txt']);
    expect((await of('a').delete('/y.txt')).kind).toBe('not_found');
  });

  it('stops an upload when it is canceled', async () => {
    const backend = new StoreBackend({ store: new InMemoryStore(), namespace });
    const stop = new AbortController();
    const files: [string, Uint8Array][] = [['/a.txt', new Uint8Array([1])]];
    Object.defineProperty(files, 1, {
      get: () => {
        stop.abort(new Error('stopped'));
        return ['/b.txt', new Uint8Array([2])];
      },
    });
    await expect(backend.uploadFiles(files, { signal: stop.signal })).rejects.toThrow('stopped');
    expect((await backend.ls('/')).files?.map((file) => file.path)).toEqual(['/a.txt']);
  });

  it('checks each component of a namespace [H12]', async () => {
    const ls = async (...components: unknown[]) =>
      new StoreBackend({ store: new InMemoryStore(), namespace: components as string[] }).ls('/');
    expect((await ls('user@x.com', 'a:b', '~1+2.3_-')).error).toBeUndefined();
    await expect(ls()).rejects.toThrow('Namespace array must not be empty.');
    await expect(ls('a', '')).rejects.toThrow('Namespace component at index 1 must not be empty.');
    await expect(ls(3)).rejects.toThrow('Namespace component at index 0 must be a string, got number.');
    for (const bad of ['*', 'a b', 'a/b'])
      await expect(ls(bad)).rejects.toThrow(
        `Namespace component at index 0 contains disallowed characters: "${bad}".`,
      );
  });

  it('records the author, and keeps bytes as base64 in a store that keeps JSON', async () => {
    const store = new SqliteStore(temporaryDatabase());
    const backend = new StoreBackend({ store, namespace });
    await backend.write('/a.txt', 'x', { author: { threadId: 't1', callId: 'c1' } });
    await backend.uploadFiles([['/b.dat', new Uint8Array([0, 1])]]);
    expect((await store.get(namespace, '/a.txt'))?.value).toEqual({
      content: 'x',
      mimeType: 'text/plain',
      created_at: expect.any(String),
      modified_at: expect.any(String),
      written_by: { by: 'agent', threadId: 't1', callId: 'c1' },
    });
    expect((await store.get(namespace, '/b.dat'))?.value).toMatchObject({
      content: 'AAE=',
      encoding: 'base64',
    });
    const memory = new InMemoryStore();
    const bytes = new Uint8Array([0, 1]);
    await new StoreBackend({ store: memory, namespace }).uploadFiles([['/b.dat', bytes]]);
    expect((await memory.get(namespace, '/b.dat'))?.value.content).toEqual(bytes);
  });

  it('reads lines of the older format and skips items that are not files [H15]', async () => {
    const store = new InMemoryStore();
    await store.put(namespace, '/old.txt', {
      content: ['one', 'two'],
      created_at: 'then',
      modified_at: 'then',
    });
    await store.put(namespace, '/bytes.png', { content: { 0: 1, 1: 2 }, mimeType: 'image/png' });
    await store.put(namespace, '/odd', { something: true });
    const backend = new StoreBackend({ store, namespace });
    expect((await backend.read('/old.txt', 1)).content).toBe('two');
    expect((await backend.read('/bytes.png')).content).toEqual(new Uint8Array([1, 2]));
    expect((await backend.ls('/')).files?.map((file) => file.path)).toEqual(['/bytes.png', '/old.txt']);
    expect((await backend.read('/odd')).kind).toBe('not_found');
  });

  it.each([
    ['Query read timeout', true],
    ['Connection terminated due to connection timeout', false],
  ])('says after “%s” whether a change may have been stored', async (message, isUnknown) => {
    class Unheard extends InMemoryStore {
      override async batch<Op extends readonly Operation[]>(operations: Op): Promise<OperationResults<Op>> {
        if (operations.some((one) => 'value' in one)) throw new Error(message);
        return super.batch(operations);
      }
    }
    const { kind, error } = await new StoreBackend({ store: new Unheard(), namespace }).write('/a.txt', 'x');
    expect([kind, error?.includes('It is not known whether the change was stored')]).toEqual([
      'storage',
      isUnknown,
    ]);
  });

  it('rejects a memory that is too large [P128]', async () => {
    const backend = new StoreBackend({ store: new InMemoryStore(), namespace });
    expect((await backend.write('/a.txt', 'x'.repeat(10 * 1024 * 1024))).kind).toBe('too_large');
  });

  it('uses the store and namespace of the run that calls it', async () => {
    const store = new InMemoryStore();
    const backend = new StoreBackend({
      namespace: ({ configurable }) => ['users', String(configurable.user)],
    });
    const graph = new StateGraph(Annotation.Root({ done: Annotation<boolean>() }))
      .addNode('work', async () => {
        await backend.write('/a.txt', 'x');
        return { done: true };
      })
      .addEdge(START, 'work')
      .addEdge('work', END)
      .compile({ store });
    await graph.invoke({ done: false }, { configurable: { user: 'ann' } });
    expect((await store.get(['users', 'ann'], '/a.txt'))?.value.content).toBe('x');
    await expect(new StoreBackend().ls('/')).rejects.toThrow('Store is required but not available');
  });
});
