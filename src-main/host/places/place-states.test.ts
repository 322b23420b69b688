import { createHash } from 'node:crypto';
import { InMemoryStore } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import type { FileState } from '../../contract/changes';
import type { BackendProtocol } from '../../harness';
import { StoreBackend } from '../../harness/backends';
import { ABSENT, applyIn } from './place-states';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const file = (text: string): FileState => ({
  type: 'file',
  hash: hashOf(text),
  size: text.length,
  mode: 0o644,
});
const contents = {
  keep: async (bytes: Uint8Array) => hashOf(Buffer.from(bytes).toString()),
  get: async () => Buffer.from('before'),
};

/** A place with a file, or none, that somebody changes right after its content was fetched. */
async function place(
  now: string | null,
  change: (backend: BackendProtocol) => Promise<unknown> = async () => {},
) {
  const backend = new StoreBackend({ store: new InMemoryStore(), namespace: ['place'] });
  if (now !== null) await backend.write('/a', now);
  const fetch = backend.downloadFiles.bind(backend);
  backend.downloadFiles = async (paths, options) => {
    const got = await fetch(paths, options);
    await change(backend);
    return got;
  };
  const text = async () => (await backend.read('/a')).content ?? null;
  return { backend, text };
}

describe('an undo in a place', () => {
  it('brings back a content, a deleted file, and no file', async () => {
    const { backend, text } = await place('after');
    const step = { before: file('after'), after: file('before') };
    expect(await applyIn(backend, '/a', step, contents)).toEqual({ outcome: 'done' });
    expect(await text()).toBe('before');
    expect(await applyIn(backend, '/a', step, contents)).toEqual({ outcome: 'already' });
    const added = { before: file('before'), after: ABSENT };
    expect(await applyIn(backend, '/a', added, contents)).toEqual({ outcome: 'done' });
    expect(await text()).toBeNull();
    const removed = { before: ABSENT, after: file('before') };
    expect(await applyIn(backend, '/a', removed, contents)).toEqual({ outcome: 'done' });
    expect(await text()).toBe('before');
  });

  it.each([
    ['a content', 'after', { before: file('after'), after: file('before') }],
    ['no file', 'after', { before: file('after'), after: ABSENT }],
    ['a deleted file', null, { before: ABSENT, after: file('before') }],
  ])('leaves what somebody writes while it brings back %s', async (_what, now, step) => {
    const { backend, text } = await place(now, (at) => at.write('/a', 'somebody else'));
    expect(await applyIn(backend, '/a', step, contents)).toEqual({ outcome: 'changed' });
    expect(await text()).toBe('somebody else');
  });

  it('leaves a folder that somebody made in the place of a file, with everything in it', async () => {
    const { backend } = await place(null);
    await backend.write('/a/theirs', 'text');
    const step = { before: { type: 'dir', mode: 0o644 } as const, after: ABSENT };
    expect(await applyIn(backend, '/a', step, contents)).toMatchObject({ outcome: 'failed' });
    expect((await backend.read('/a/theirs')).content).toBe('text');
  });
});
