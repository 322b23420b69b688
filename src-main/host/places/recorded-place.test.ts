import { InMemoryStore } from '@langchain/langgraph-checkpoint';
import { expect, it } from 'vitest';
import type { PathChange } from '../../changes';
import { StoreBackend } from '../../harness/backends';
import { recordedPlace } from './recorded-place';

it('asks once about a deleted folder, not about each of its files', async () => {
  const backend = new StoreBackend({ store: new InMemoryStore(), namespace: ['notes'] });
  const files = Array.from({ length: 30 }, (_, n) => `/d/f${n + 10}`);
  for (const path of files) await backend.write(path, path);
  const asked: string[] = [];
  const fetched = backend.downloadFiles.bind(backend);
  backend.downloadFiles = (paths, options) => {
    asked.push(...paths);
    return fetched(paths, options);
  };
  const recorded: PathChange[] = [];
  const place = recordedPlace(backend, '/notes', {
    keep: async (bytes) => Buffer.from(bytes).toString(),
    begin: () => undefined,
    record: async (_callId, _tool, changes) => void recorded.push(...changes),
    report: (error) => {
      throw error;
    },
  });
  const author = { threadId: 't', callId: 'c' };
  expect((await place.delete?.('/d', { author }))?.error).toBeUndefined();
  expect(recorded.map(({ path, after }) => `${path} ${after.type}`)).toEqual(
    files.map((path) => `/notes${path} absent`),
  );
  // The folder before and after, and each file before.
  expect(asked).toHaveLength(files.length + 2);
});

it('does not record what somebody else changed when a call came too late', async () => {
  const backend = new StoreBackend({ store: new InMemoryStore(), namespace: ['notes'] });
  await backend.write('/a.md', 'old');
  const { version: expectedVersion = '' } = await backend.read('/a.md');
  const recorded: PathChange[][] = [];
  const place = recordedPlace(backend, '/notes', {
    keep: async (bytes) => Buffer.from(bytes).toString(),
    // After the state before the call was taken.
    begin: () => void backend.write('/a.md', 'theirs'),
    record: async (_callId, _tool, changes) => void recorded.push([...changes]),
    report: (error) => {
      throw error;
    },
  });
  const options = { author: { threadId: 't', callId: 'c' }, expectedVersion };
  expect((await place.write('/a.md', 'mine', options)).kind).toBe('stale');
  expect((await place.write('/a.md', 'mine', { ...options, createOnly: true })).kind).toBe('conflict');
  expect((await backend.read('/a.md')).content).toBe('theirs');
  expect(recorded).toEqual([[], []]);
});
