import { MemoryEntry, ThreadSummary } from '@contract/app';
import { ProjectId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { onIntent, usePort } from '../../link';
import { giveElementsSize } from '../../testing/layout';
import { panelHost } from '../../testing/panel-host';
import { MemoriesPanel } from './memories-panel';
import { useOpenMemory } from './use-memories';

/** A store with one memory that the agent writes to while the person edits it. */
function open() {
  let saved = { text: 'tabs', updatedAt: 1 };
  const memory = () =>
    MemoryEntry.parse({
      path: '/memories/style.md',
      size: 4,
      createdAt: 0,
      updatedAt: saved.updatedAt,
      writtenBy: { by: 'agent', threadId: null, callId: null },
      excerpt: saved.text,
    });
  const host = panelHost(
    {},
    {
      'memories.find': () => ok({ memories: [memory()], total: 1 }),
      'memories.read': () => ok({ memory: memory(), text: saved.text }),
      'memories.write': ({ text, expectedUpdatedAt }) => {
        if (expectedUpdatedAt !== saved.updatedAt)
          return fail('stale', 'external', { text: 'It was changed in the meantime.' });
        saved = { text, updatedAt: saved.updatedAt + 1 };
        return ok({ memory: memory() });
      },
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? <MemoriesPanel projectId={projectId} onOpenThread={() => {}} /> : null;
  render(<Gate />);
  return {
    agentWrites: (text: string) => {
      saved = { text, updatedAt: saved.updatedAt + 1 };
    },
    saved: () => saved.text,
    emit: host.emit,
  };
}

const projectId = ProjectId.parse('p1');
giveElementsSize();
let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
  useOpenMemory.setState(useOpenMemory.getInitialState(), true);
});
const click = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const editTo = async (text: string) => {
  fireEvent.click(await screen.findByText('style.md'));
  await click('Edit');
  fireEvent.change(screen.getByLabelText('Text'), { target: { value: text } });
};

it('never overwrites what the agent wrote without asking', async () => {
  const store = open();
  await editTo('spaces');
  store.agentWrites('tabs, four wide');
  await click('Save');
  expect(await screen.findByText('tabs, four wide')).toBeTruthy();
  expect(store.saved()).toBe('tabs, four wide');
  await click('Keep mine');
  await click('Save');
  await screen.findByRole('button', { name: 'Edit' });
  expect(store.saved()).toBe('spaces');
});

it('says that the name of a new memory is taken, and leads back to it', async () => {
  const store = open();
  await click('New memory');
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'style' } });
  fireEvent.change(screen.getByLabelText('Text'), { target: { value: 'mine' } });
  screen.getByRole('button', { name: 'Save' }).focus();
  await click('Save');
  await screen.findByRole('heading', { name: 'This name is taken' });
  // What had the focus is gone.
  expect(document.activeElement?.textContent).toBe('Keep mine');
  await click('Use another name');
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'style');
  expect(screen.getByLabelText('Text')).toHaveProperty('value', 'mine');
  expect(store.saved()).toBe('tabs');
});

it('gives the focus to the next memory, or to the button for a new one, after one was deleted', async () => {
  let names = ['a', 'b'];
  const memory = (name: string) =>
    MemoryEntry.parse({
      ...{ path: `/memories/${name}.md`, size: 1, createdAt: 0, updatedAt: 1, excerpt: 'x' },
      writtenBy: { by: 'person', threadId: null, callId: null },
    });
  const host = panelHost(
    {},
    {
      'memories.find': () => ok({ memories: names.map(memory), total: names.length }),
      'memories.read': () => ok({ memory: memory(names[0] ?? ''), text: 'x' }),
      'memories.delete': ({ path }) => {
        names = names.filter((name) => !path.endsWith(`/${name}.md`));
        setTimeout(() => host.emit({ type: 'memories.changed', paths: [path] }));
        return ok({});
      },
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? <MemoriesPanel projectId={projectId} onOpenThread={() => {}} /> : null;
  render(<Gate />);
  const remove = async (name: string) => {
    fireEvent.click(await screen.findByText(name));
    (await screen.findByRole('button', { name: 'Delete' })).focus();
    const asked = host.asked('memories.find').length;
    await click('Delete');
    await waitFor(() => expect(host.asked('memories.find').length).toBeGreaterThan(asked));
  };
  await remove('a.md');
  await waitFor(() => expect(document.activeElement?.textContent).toContain('b.md'));
  await remove('b.md');
  await screen.findByText(/What the agent learns/);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('New memory'));
});

it("takes the agent's version and discards the draft when the user says so", async () => {
  const store = open();
  await editTo('spaces');
  store.agentWrites('tabs, four wide');
  await click('Save');
  await click('Take theirs');
  expect(await screen.findByText('tabs, four wide')).toBeTruthy();
  expect(store.saved()).toBe('tabs, four wide');
});

it('restores an abandoned draft', async () => {
  let undo = () => {};
  const ended = onIntent((intent) => {
    if (intent.type === 'toast') undo = intent.undo ?? undo;
  });
  open();
  await editTo('spaces');
  await click('Cancel');
  expect(await screen.findByText('tabs')).toBeTruthy();
  act(() => undo());
  expect(await screen.findByDisplayValue('spaces')).toBeTruthy();
  ended();
});

it('reloads the open memory when it is one of several imported ones', async () => {
  const store = open();
  fireEvent.click(await screen.findByText('style.md'));
  await screen.findByText('tabs');
  store.agentWrites('imported');
  store.emit({
    type: 'memories.changed',
    paths: ['/memories/first.md', '/memories/style.md'],
    projectId,
  });
  expect(await screen.findByText('imported')).toBeTruthy();
});

it('keeps a draft while the panel is closed', async () => {
  const first = open();
  await editTo('spaces');
  cleanup();
  stop();
  open();
  expect(await screen.findByDisplayValue('spaces')).toBeTruthy();
  expect(first.saved()).toBe('tabs');
});

it('compares versions, and restores one', async () => {
  const asked: number[] = [];
  const host = panelHost(
    {},
    {
      'memories.find': () => ok({ memories: [doubtful], total: 12_000 }),
      'memories.read': () => ok({ memory: doubtful, text: '# now' }),
      'memories.versions': () =>
        ok({
          versions: [
            { version: 2, at: 2, writtenBy: { by: 'person' }, size: 5 },
            { version: 1, at: 1, writtenBy: null, size: 3 },
          ],
        }),
      'memories.compare': ({ from, to }) =>
        ok({
          hunks: [
            {
              oldStart: 1,
              oldLines: 1,
              newStart: 1,
              newLines: 1,
              lines: [`-v${from}`, `+v${to}`, '\\ No newline at end of file'],
            },
          ],
          text: '',
        }),
      'memories.restoreVersion': ({ version }) => {
        asked.push(version);
        return ok({ memory: doubtful });
      },
      'memories.confirm': ({ expectedUpdatedAt }) => {
        asked.push(-expectedUpdatedAt);
        return ok({ memory: doubtful });
      },
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? <MemoriesPanel projectId={projectId} onOpenThread={() => {}} /> : null;
  render(<Gate />);
  expect(await screen.findByText('12,000 memories')).toBeDefined();
  fireEvent.click(await screen.findByText('doubtful.md'));
  await click('Confirm');
  await click('View as text');
  expect(await screen.findByText('# now')).toBeDefined();
  await click('History');
  expect(await screen.findByText('v2')).toBeDefined();
  expect(screen.queryByText(/newline/i)).toBeNull();
  fireEvent.click(await screen.findByRole('button', { name: /^Version 1/ }));
  await click('Restore this version');
  await screen.findByRole('article', { name: 'doubtful.md' });
  expect(asked).toEqual([-7, 1]);
});

it('says that a folder has nothing to import, and offers no import', async () => {
  const host = panelHost(
    {},
    {
      'memories.find': () => ok({ memories: [], total: 0 }),
      'memories.previewImport': () => ok({ importId: 'i', entries: [] }),
      'memories.dropImport': () => ok({}),
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? <MemoriesPanel projectId={projectId} onOpenThread={() => {}} /> : null;
  render(<Gate />);
  fireEvent.keyDown(await screen.findByRole('button', { name: 'More actions' }), { key: 'Enter' });
  fireEvent.click(await screen.findByRole('menuitem', { name: /Import Markdown folder/ }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('No memories found in this folder.');
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
});

it('says what a new memory is missing, and shows all memories again if none matches', async () => {
  const host = panelHost(
    {},
    {
      'memories.find': ({ filter }) =>
        ok(
          filter.query === undefined || filter.query === 'N(ow DOUBT'
            ? { memories: [{ ...doubtful, excerpt: 'it is n(ow or never' }], total: 1 }
            : { memories: [], total: 0 },
        ),
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? <MemoriesPanel projectId={projectId} onOpenThread={() => {}} /> : null;
  render(<Gate />);
  fireEvent.change(await screen.findByRole('searchbox'), { target: { value: 'nothing like this' } });
  await click('Show all memories');
  expect(await screen.findByText('doubtful.md')).toBeTruthy();
  // Matches are highlighted in the name and in the line, in their original case.
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'N(ow DOUBT' } });
  await screen.findByText('n(ow');
  expect([...document.querySelectorAll('mark')].map((one) => one.textContent)).toEqual(['doubt', 'n(ow']);
  await click('New memory');
  await click('Save');
  expect(await screen.findByText('Enter a name first.')).toBeTruthy();
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: '../x' } });
  expect(await screen.findByText(/^This name isn't valid/)).toBeTruthy();
});

it('filters by named threads, even if two have the same name', async () => {
  const thread = (id: string, title: string) =>
    ThreadSummary.parse({ id, projectId: 'p1', title, updatedAt: 1, status: 'idle', waiting: 0 });
  const threads = [thread('t1', 'Fix it'), thread('t2', ''), thread('t3', 'Fix it')];
  const host = panelHost({ threads }, { 'memories.find': () => ok({ memories: [doubtful], total: 1 }) });
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? <MemoriesPanel projectId={projectId} onOpenThread={() => {}} /> : null;
  render(<Gate />);
  fireEvent.keyDown(await screen.findByRole('button', { name: 'Filter memories' }), { key: 'Enter' });
  const names = (await screen.findAllByRole('menuitemcheckbox')).map(({ textContent }) => textContent);
  expect(names.filter((name) => name === 'Fix it')).toHaveLength(2);
  expect(names).not.toContain('');
  fireEvent.click((await screen.findAllByRole('menuitemcheckbox', { name: 'Fix it' }))[1] as HTMLElement);
  expect(await screen.findByRole('button', { name: 'Remove the filter Fix it' })).toBeTruthy();
});

it('lists what is for everywhere with a badge, and moves a memory there and back', async () => {
  let undo = () => {};
  const ended = onIntent((intent) => {
    if (intent.type === 'toast') undo = intent.undo ?? undo;
  });
  let path = '/memories/doubtful.md';
  const host = panelHost(
    {},
    {
      'memories.find': () => ok({ memories: [{ ...doubtful, path }], total: 1 }),
      'memories.read': () => ok({ memory: { ...doubtful, path }, text: 'now' }),
      'memories.move': () => {
        const isShared = path.startsWith('/memories/shared/');
        path = isShared ? '/memories/doubtful.md' : '/memories/shared/doubtful.md';
        return ok({ memory: { ...doubtful, path } });
      },
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? <MemoriesPanel projectId={projectId} onOpenThread={() => {}} /> : null;
  render(<Gate />);
  fireEvent.click(await screen.findByText('doubtful.md'));
  await click('Move to everywhere');
  expect(await screen.findByText('Everywhere')).toBeTruthy();
  host.emit({ type: 'memories.changed', paths: ['/memories/shared/doubtful.md'] });
  await click('All memories');
  expect(await screen.findByText('Everywhere')).toBeTruthy();
  act(() => undo());
  await screen.findByRole('button', { name: 'Move to everywhere' });
  expect(screen.queryByText('Everywhere')).toBeNull();
  const from = { path: '/memories/doubtful.md', projectId };
  expect(host.asked('memories.move')).toEqual([from, { ...from, path: '/memories/shared/doubtful.md' }]);
  ended();
});

it('saves a new memory for everywhere, and writes only those where there is no project', async () => {
  const host = panelHost(
    {},
    {
      'memories.find': () => ok({ memories: [], total: 0 }),
      'memories.write': () => ok({ memory: doubtful }),
    },
  );
  stop = host.stop;
  const Gate = ({ of }: { of: ProjectId | null }) =>
    usePort().phase === 'ready' ? <MemoriesPanel projectId={of} onOpenThread={() => {}} /> : null;
  const { rerender } = render(<Gate of={projectId} />);
  fireEvent.click((await screen.findAllByRole('button', { name: 'New memory' }))[0] as HTMLElement);
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'sky' } });
  fireEvent.change(screen.getByRole('combobox', { name: 'For' }), { target: { value: 'everywhere' } });
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'sky');
  await click('Save');
  await click('All memories');
  rerender(<Gate of={null} />);
  fireEvent.click((await screen.findAllByRole('button', { name: 'New memory' }))[0] as HTMLElement);
  expect(screen.queryByRole('combobox', { name: 'For' })).toBeNull();
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'sea' } });
  await click('Save');
  await screen.findByRole('button', { name: 'All memories' });
  expect(host.asked('memories.write')).toMatchObject([
    { path: '/memories/shared/sky.md', projectId },
    { path: '/memories/shared/sea.md', projectId: null },
  ]);
});

const doubtful = MemoryEntry.parse({
  path: '/memories/doubtful.md',
  size: 5,
  createdAt: 0,
  updatedAt: 7,
  writtenBy: { by: 'agent', threadId: null, callId: null, unverified: true },
  excerpt: 'now',
});
