import { MemoryEntry } from '@contract/app';
import { ProjectId } from '@contract/ids';
import { afterEach, expect, it, vi } from 'vitest';
import type { EditorAction } from './editor';

afterEach(() => localStorage.clear());

const projectId = ProjectId.parse('p1');
const base = {
  memory: MemoryEntry.parse({
    path: '/memories/style.md',
    size: 4,
    createdAt: 0,
    updatedAt: 7,
    writtenBy: { by: 'person' },
    excerpt: 'tabs',
  }),
  text: 'tabs',
};

/** As after a restart: modules start empty, and the browser's storage is kept. */
async function startAgain() {
  vi.resetModules();
  const [{ useOpenMemory }, { reduceEditor }] = await Promise.all([
    import('./use-memories'),
    import('./editor'),
  ]);
  const play = (...actions: EditorAction[]) =>
    useOpenMemory.setState(({ editor }) => ({ projectId, editor: actions.reduce(reduceEditor, editor) }));
  return { play, open: useOpenMemory.getState };
}

it('keeps what is typed into a memory across a restart, until it is left', async () => {
  const first = await startAgain();
  first.play(
    { type: 'opened', path: '/memories/style.md' },
    { type: 'loaded', open: base },
    { type: 'editStarted' },
    { type: 'typed', draft: 'spaces' },
  );
  const second = await startAgain();
  expect(second.open()).toMatchObject({
    projectId,
    editor: { phase: 'editing', path: '/memories/style.md', draft: 'spaces', base, saving: false },
  });
  second.play({ type: 'editStopped' });
  expect((await startAgain()).open()).toEqual({ editor: { phase: 'closed' }, projectId: null });
  expect(localStorage).toHaveLength(0);
});

it('keeps a new memory, and nothing that is only opened', async () => {
  const first = await startAgain();
  first.play({ type: 'createStarted', path: '' }, { type: 'pathTyped', path: 'a' });
  first.play({ type: 'typed', draft: 'half a sentence' });
  const second = await startAgain();
  expect(second.open().editor).toMatchObject({
    phase: 'editing',
    path: 'a',
    draft: 'half a sentence',
    base: null,
  });
  second.play({ type: 'typed', draft: '' });
  expect(localStorage).toHaveLength(0);
});

it('takes a kept value of another form for none', async () => {
  localStorage.setItem('deepdesk:memory:', '{"path":"a"');
  expect((await startAgain()).open().editor).toEqual({ phase: 'closed' });
});
