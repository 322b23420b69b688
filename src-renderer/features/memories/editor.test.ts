import { MemoryEntry } from '@contract/app';
import { expect, it } from 'vitest';
import { type Editor, type EditorAction, isTooLong, memoryPath, reduceEditor } from './editor';

const at = (updatedAt: number, text: string) => ({
  memory: MemoryEntry.parse({
    path: '/memories/a.md',
    size: text.length,
    createdAt: 0,
    updatedAt,
    writtenBy: { by: 'person' },
    excerpt: text,
  }),
  text,
});
const play = (...actions: EditorAction[]): Editor =>
  actions.reduce<Editor>(reduceEditor, { phase: 'closed' });
const editingA: EditorAction[] = [
  { type: 'opened', path: '/memories/a.md' },
  { type: 'loaded', open: at(1, 'old') },
  { type: 'editStarted' },
  { type: 'typed', draft: 'mine' },
  { type: 'saveStarted' },
];
const conflict: EditorAction = { type: 'conflictFound', theirs: at(2, 'theirs') };

it('keeps the draft when the agent writes, and bases the next save on what the agent wrote', () => {
  expect(play(...editingA, conflict, { type: 'mineKept' })).toEqual({
    phase: 'editing',
    base: at(2, 'theirs'),
    path: '/memories/a.md',
    draft: 'mine',
    saving: false,
    changedMeanwhile: false,
    error: null,
  });
});

it('continues with the existing memory when a new one gets the same name', () => {
  const state = play(
    { type: 'createStarted', path: '' },
    { type: 'pathTyped', path: 'a' },
    { type: 'saveStarted' },
    conflict,
    { type: 'mineKept' },
  );
  expect(state).toMatchObject({ phase: 'editing', path: '/memories/a.md', base: at(2, 'theirs') });
});

it('goes back to a new memory whose name is taken, to choose another', () => {
  const state = play(
    { type: 'createStarted', path: '' },
    { type: 'pathTyped', path: 'a' },
    { type: 'typed', draft: 'mine' },
    { type: 'saveStarted' },
    conflict,
    { type: 'otherNameWanted' },
  );
  expect(state).toMatchObject({ phase: 'editing', path: 'a', base: null, draft: 'mine' });
});

it("shows the agent's text when the user accepts it", () => {
  expect(play(...editingA, conflict, { type: 'theirsTaken' })).toEqual({
    phase: 'reading',
    open: at(2, 'theirs'),
  });
});

it('offers to re-create a memory that was deleted during the edit', () => {
  const deleted: EditorAction = { type: 'conflictFound', theirs: null };
  expect(play(...editingA, deleted, { type: 'mineKept' })).toMatchObject({
    phase: 'editing',
    base: null,
    draft: 'mine',
  });
  expect(play(...editingA, deleted, { type: 'theirsTaken' })).toEqual({ phase: 'closed' });
});

it('never lets a late response replace a draft', () => {
  const state = play(...editingA.slice(0, 4), { type: 'loaded', open: at(3, 'late') });
  expect(state).toMatchObject({ phase: 'editing', draft: 'mine' });
});

it('goes on editing what was typed while it saved', () => {
  const state = play(
    ...editingA,
    { type: 'typed', draft: 'mine and more' },
    { type: 'saved', open: at(2, 'mine') },
  );
  expect(state).toMatchObject({
    phase: 'editing',
    base: at(2, 'mine'),
    draft: 'mine and more',
    saving: false,
  });
  expect(play(...editingA, { type: 'saved', open: at(2, 'mine') })).toMatchObject({ phase: 'reading' });
});

it.each<EditorAction>([
  { type: 'saved', open: at(2, 'mine') },
  { type: 'saveFailed', error: { kind: 'storage', message: 'The disk is full.' } },
  conflict,
])('leaves the next draft alone when the save of one that was left is answered: $type', (answer) => {
  const next = play(...editingA, { type: 'editStopped' }, { type: 'createStarted', path: '' });
  expect(reduceEditor(next, answer)).toBe(next);
});

it('marks that the memory changed during the edit, but not for its own save', () => {
  const changed: EditorAction = { type: 'changedOutside', path: '/memories/a.md' };
  expect(play(...editingA.slice(0, 4), changed)).toMatchObject({ changedMeanwhile: true });
  expect(play(...editingA, changed)).toMatchObject({ changedMeanwhile: false });
});

it('makes a path from a name and refuses invalid names', () => {
  expect(['style', 'team/style.txt', '/memories/x', '', 'a//b', '../x', 'a\nb'].map(memoryPath)).toEqual([
    '/memories/style.md',
    '/memories/team/style.txt',
    '/memories/x.md',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it('has names that fit into a path, in bytes', () => {
  expect(
    ['n'.repeat(252), '名'.repeat(84), 'n'.repeat(253), '名'.repeat(85), 'a/'.repeat(2_000)].map(isTooLong),
  ).toEqual([false, false, true, true, true]);
  expect(memoryPath('n'.repeat(252))).toBe(`/memories/${'n'.repeat(252)}.md`);
  expect(memoryPath('n'.repeat(253))).toBeUndefined();
});
