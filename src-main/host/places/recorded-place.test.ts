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
