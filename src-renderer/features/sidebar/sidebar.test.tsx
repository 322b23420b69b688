import type { ThreadSummary } from '@contract/app';
import { ProjectId, RoutineId, ThreadId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, createEvent, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onIntent, start, usePort } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { giveElementsSize } from '../../testing/layout';
import { sampleApp } from '../../testing/samples';
import { useFolds } from './folds';
import { Sidebar } from './sidebar';

const p1 = ProjectId.parse('p1');
const t1 = ThreadId.parse('t1');

const Gate = () =>
  usePort().phase === 'ready' ? (
    <Sidebar
      projectId={p1}
      threadId={t1}
      onSelectProject={() => {}}
      onNewThread={() => {}}
      newThreadKeys="Ctrl+N"
    />
  ) : null;

describe('the sidebar', () => {
  giveElementsSize();
  let host: FakeHost;
  let stop = () => {};
  const app = sampleApp();
  const threadOf = (id: string) => app.threads.find((one) => one.id === id) as ThreadSummary;
  beforeEach(async () => {
    useFolds.setState({ closed: [], older: [], archived: [], routines: [] });
    host = fakeHost(app, [], {
      'thread.mark': ({ threadId, ...marks }) => ok({ ...threadOf(threadId), ...marks }),
      'thread.duplicate': () => ok({ ...threadOf('t1'), id: ThreadId.parse('t9') }),
      'thread.rename': () => ok({}),
      'thread.delete': () => ok({}),
      'thread.restore': ({ threadId }) => ok(threadOf(threadId)),
      'project.move': () => ok({}),
      'project.rename': () => ok(app.projects[0] as (typeof app.projects)[number]),
      'project.remove': () => ok({}),
      'project.restore': () => ok(app.projects[0] as (typeof app.projects)[number]),
    });
    stop = start(host.port);
    render(<Gate />);
    await screen.findByRole('navigation', { name: 'Projects and threads' });
  });
  afterEach(() => {
    cleanup();
    stop();
  });

  const line = (name: RegExp) =>
    within(screen.getByRole('navigation')).getAllByRole('button', { name })[0] as HTMLElement;
  const asked = (command: string) =>
    host.calls.filter((one) => one.command === command).map(({ input }) => input);
  const focused = () => document.activeElement?.getAttribute('data-row');
  const key = (name: string, more = {}) =>
    fireEvent.keyDown(document.activeElement as Element, { key: name, ...more });
  const menu = async (name: RegExp, item: string) => {
    fireEvent.contextMenu(line(name));
    fireEvent.click(await screen.findByRole('menuitem', { name: new RegExp(`^${item}`) }));
  };

  it('shows the state of each thread, and unread ones', async () => {
    expect(line(/Fix the failing test/).textContent).toContain('2 pending approvals');
    expect(line(/Upgrade/).textContent).toContain('Running');
    // A call asks while it runs, as one of an MCP server does.
    host.emitApp({ type: 'summary.changed', summary: { ...threadOf('t2'), waiting: 1 } });
    await waitFor(() => expect(line(/Upgrade/).textContent).toContain('1 pending approval'));
    expect(line(/Upgrade/).textContent).not.toContain('Running');
    expect(line(/Port to Windows/).textContent).toContain('Failed');
    host.emitApp({ type: 'summary.changed', summary: { ...threadOf('t3'), unread: true } });
    await waitFor(() => expect(line(/Explain/).textContent).toContain('New answer'));
  });

  it('shows other threads in the same elements when the filter changes', () => {
    const only = (query: string) => {
      fireEvent.change(screen.getByRole('searchbox'), { target: { value: query } });
      return screen.getByRole('navigation').querySelectorAll('[data-slot]');
    };
    const [upgrade] = only('Upgrade');
    expect(upgrade?.textContent).toContain('Upgrade the build');
    const explain = only('Explain');
    expect(explain).toHaveLength(1);
    expect(explain[0]).toBe(upgrade);
    expect(upgrade?.textContent).toContain('Explain the auth flow');
  });

  it('is one tab stop, and moves by arrow keys, Home, End and letters', async () => {
    const stops = () =>
      [...screen.getByRole('navigation').querySelectorAll('[data-row][tabindex="0"]')].map((one) =>
        one.getAttribute('data-row'),
      );
    expect(stops()).toEqual(['t1']);
    line(/Fix the failing test/).focus();
    key('ArrowDown');
    await waitFor(() => expect(focused()).toBe('t2'));
    key('Home');
    await waitFor(() => expect(focused()).toBe('project:p1'));
    key('ArrowLeft');
    await waitFor(() => expect(line(/my-api/).getAttribute('aria-expanded')).toBe('false'));
    expect(line(/my-api/).textContent).toContain('2 pending approvals');
    key('ArrowRight');
    await waitFor(() => expect(line(/my-api/).getAttribute('aria-expanded')).toBe('true'));
    key('p');
    await waitFor(() => expect(focused()).toBe('t4'));
    key('ArrowLeft');
    await waitFor(() => expect(focused()).toBe('project:p1'));
    expect(stops()).toEqual(['project:p1']);
  });

  it('has a menu for each thread, which the menu key opens too', async () => {
    const intents: unknown[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    await menu(/Explain/, 'Pin');
    await menu(/Explain/, 'Archive');
    await menu(/Explain/, 'Duplicate');
    await menu(/Explain/, 'Open in new window');
    await waitFor(() => expect(asked('thread.duplicate')).toHaveLength(1));
    await waitFor(() => expect(intents).toHaveLength(3));
    undo();
    expect(asked('thread.mark')).toEqual([
      { threadId: 't3', pinned: true },
      { threadId: 't3', archived: true },
    ]);
    expect(intents).toContainEqual({ type: 'openWindow', threadId: 't3' });
    expect(intents).toContainEqual({ type: 'openThread', threadId: 't9' });
  });

  it('focuses the next thread when one is archived in its menu', async () => {
    line(/Explain/).focus();
    await menu(/Explain/, 'Archive');
    await waitFor(() => expect(asked('thread.mark')).toHaveLength(1));
    host.emitApp({ type: 'summary.changed', summary: { ...threadOf('t3'), archived: true } });
    await waitFor(() => expect(focused()).toBe('t4'));
  });

  it('has a menu for each project, which says why something is not possible', async () => {
    fireEvent.contextMenu(line(/old-notes/));
    const items = await screen.findAllByRole('menuitem');
    const impossible = items.filter((item) => item.getAttribute('aria-disabled') === 'true');
    expect(impossible.map((item) => item.textContent)).toEqual([
      'Move downIt is the last one.Alt ↓',
      'Import thread…The folder is missing.',
      'Show in file managerThe folder is missing.',
    ]);
  });

  it('groups runs below their routine, told apart by their time, with a menu for the routine', async () => {
    const intents: unknown[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    const year = new Date().getFullYear();
    const run = (id: string, title: string) => ({
      ...threadOf('t4'),
      id: ThreadId.parse(id),
      title,
      routine: { id: RoutineId.parse('r1'), name: 'Report' },
    });
    host.emitApp({ type: 'summary.changed', summary: run('r-1', `${year}-03-01 09:00 · Report`) });
    host.emitApp({ type: 'summary.changed', summary: run('r-2', `${year - 1}-03-01 09:00 · Report`) });
    await waitFor(() => expect(line(/^Report/).textContent).toContain('Failed'));
    fireEvent.click(line(/^Report/));
    expect(line(/^03-01 09:00 · Report/)).toBeTruthy();
    expect(line(new RegExp(`^${year - 1}-03-01`))).toBeTruthy();
    await menu(/^Report/, 'Edit routine…');
    undo();
    expect(intents).toEqual([{ type: 'openRoutine', routineId: 'r1', field: 'name' }]);
  });

  const click = (name: RegExp, held = {}) => fireEvent.click(line(name), held);
  const marked = () => screen.queryByText(/^\d+ selected$/)?.textContent;

  it('selects threads with Ctrl and Shift clicks without opening them', async () => {
    const intents: unknown[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    click(/Explain/, { ctrlKey: true });
    expect(marked()).toBe('1 selected');
    expect(line(/Explain/).textContent).toContain('Selected');
    click(/Port to Windows/, { shiftKey: true });
    const between = marked();
    click(/Explain/, { ctrlKey: true });
    expect([between, marked()]).toEqual(['2 selected', '1 selected']);
    expect(intents).toEqual([]);
    click(/Upgrade/);
    expect(marked()).toBeUndefined();
    expect(intents).toEqual([{ type: 'openThread', threadId: 't2' }]);
    undo();
  });

  it('applies an action to all selected threads, and undoes it together', async () => {
    const toasts: { message: string; undo?: () => void }[] = [];
    const undo = onIntent((intent) => intent.type === 'toast' && toasts.push(intent));
    click(/Explain/, { ctrlKey: true });
    click(/Upgrade/, { ctrlKey: true });
    await menu(/Explain/, 'Archive');
    await waitFor(() => expect(toasts.map(({ message }) => message)).toEqual(['Archived 2 threads']));
    expect(asked('thread.mark')).toEqual([
      { threadId: 't2', archived: true },
      { threadId: 't3', archived: true },
    ]);
    expect(marked()).toBeUndefined();
    toasts[0]?.undo?.();
    await waitFor(() =>
      expect(asked('thread.mark').slice(2)).toEqual([
        { threadId: 't2', pinned: false, archived: false },
        { threadId: 't3', pinned: false, archived: false },
      ]),
    );
    undo();
  });

  it('applies an action on an unselected thread to that thread only', async () => {
    click(/Explain/, { ctrlKey: true });
    click(/Upgrade/, { ctrlKey: true });
    await menu(/Port to Windows/, 'Pin');
    await waitFor(() => expect(asked('thread.mark')).toEqual([{ threadId: 't4', pinned: true }]));
  });

  it('selects by keyboard alone, deletes the selection, and clears it with Escape', async () => {
    line(/Fix the failing test/).focus();
    key('ArrowDown', { shiftKey: true });
    await waitFor(() => expect(focused()).toBe('t2'));
    expect(marked()).toBe('2 selected');
    key(' ', { ctrlKey: true });
    expect(marked()).toBe('1 selected');
    key('Escape');
    expect(marked()).toBeUndefined();
    key('a', { ctrlKey: true });
    expect(marked()).toBe('4 selected');
    const toasts: { message: string; undo?: () => void }[] = [];
    const undo = onIntent((intent) => intent.type === 'toast' && toasts.push(intent));
    key('Delete');
    await waitFor(() => expect(toasts.map(({ message }) => message)).toEqual(['Deleted 4 threads']));
    toasts[0]?.undo?.();
    await waitFor(() => expect(asked('thread.restore')).toEqual(asked('thread.delete')));
    expect(asked('thread.delete')).toEqual(['t1', 't2', 't3', 't4'].map((threadId) => ({ threadId })));
    undo();
  });

  it('shows actions for the selected threads below the list', async () => {
    click(/Explain/, { ctrlKey: true });
    click(/Upgrade/, { ctrlKey: true });
    fireEvent.click(screen.getByRole('button', { name: 'Pin' }));
    await waitFor(() =>
      expect(asked('thread.mark')).toEqual([
        { threadId: 't2', pinned: true },
        { threadId: 't3', pinned: true },
      ]),
    );
    expect(screen.queryByRole('button', { name: 'Clear selection' })).toBeNull();
  });

  it('renames in place: F2, Enter, and Escape to cancel; the earlier name can be restored', async () => {
    const toasts: { message: string; undo?: () => void }[] = [];
    const undo = onIntent((intent) => intent.type === 'toast' && toasts.push(intent));
    line(/Explain/).focus();
    key('F2');
    const field = await screen.findByRole('textbox', { name: 'Thread name' });
    fireEvent.change(field, { target: { value: 'Anmeldung' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(asked('thread.rename')).toEqual([{ threadId: 't3', title: 'Anmeldung' }]));
    await waitFor(() => expect(focused()).toBe('t3'));
    key('F2');
    const again = await screen.findByRole('textbox', { name: 'Thread name' });
    fireEvent.change(again, { target: { value: 'x' } });
    fireEvent.keyDown(again, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Thread name' })).toBeNull());
    expect(asked('thread.rename')).toHaveLength(1);
    expect(toasts.map(({ message }) => message)).toEqual(['Renamed “Explain the auth flow” to “Anmeldung”']);
    toasts[0]?.undo?.();
    await waitFor(() => expect(asked('thread.rename')).toHaveLength(2));
    expect(asked('thread.rename')[1]).toEqual({ threadId: 't3', title: 'Explain the auth flow' });
    undo();
  });

  it.each(['Explain', 'my-api'])('does not open the menu of %s again after a rename', async (name) => {
    fireEvent.contextMenu(line(new RegExp(name)), { button: 2 });
    fireEvent.click(await screen.findByRole('menuitem', { name: /^Rename/ }));
    const field = await screen.findByRole('textbox', { name: / name$/ });
    expect(document.activeElement).toBe(field);
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(line(new RegExp(name))).toBeTruthy());
    expect(screen.queryByRole('menu')).toBeNull();
  });

  it('leaves a name that nothing was typed for, and one that changed meanwhile', async () => {
    host.emitApp({ type: 'summary.changed', summary: { ...threadOf('t3'), title: '' } });
    await waitFor(() => expect(line(/^New thread\b.*\d/)).toBeTruthy());
    line(/^New thread\b.*\d/).focus();
    key('F2');
    fireEvent.keyDown(await screen.findByRole('textbox', { name: 'Thread name' }), { key: 'Enter' });
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Thread name' })).toBeNull());
    key('F2');
    const field = await screen.findByRole('textbox', { name: 'Thread name' });
    host.emitApp({ type: 'summary.changed', summary: { ...threadOf('t3'), title: 'Auth flow' } });
    await new Promise((done) => setTimeout(done, 50));
    fireEvent.blur(field);
    await waitFor(() => expect(line(/Auth flow/)).toBeTruthy());
    expect(asked('thread.rename')).toEqual([]);
  });

  it('offers the earlier name of a project', async () => {
    const toasts: { message: string; undo?: () => void }[] = [];
    const undo = onIntent((intent) => intent.type === 'toast' && toasts.push(intent));
    line(/my-api/).focus();
    key('F2');
    const field = await screen.findByRole('textbox', { name: 'Project name' });
    fireEvent.change(field, { target: { value: 'Server' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() =>
      expect(toasts.map(({ message }) => message)).toEqual(['Renamed “my-api” to “Server”']),
    );
    toasts[0]?.undo?.();
    await waitFor(() =>
      expect(asked('project.rename')).toEqual([
        { projectId: 'p1', name: 'Server' },
        { projectId: 'p1', name: 'my-api' },
      ]),
    );
    undo();
  });

  it('moves a project with Alt and the arrow keys, and by dragging', async () => {
    line(/sample-project/).focus();
    key('ArrowUp', { altKey: true });
    key('ArrowDown', { altKey: true });
    const data = new Map<string, string>();
    const dataTransfer = {
      setData: (type: string, text: string) => data.set(type, text),
      getData: (type: string) => data.get(type) ?? '',
      get types() {
        return [...data.keys()];
      },
      effectAllowed: 'all',
    };
    const head = (name: RegExp) => line(name).parentElement as HTMLElement;
    const drag = (on: HTMLElement, what: 'dragStart' | 'dragOver' | 'drop') => {
      const event = createEvent[what](on);
      Object.defineProperty(event, 'dataTransfer', { value: dataTransfer });
      fireEvent(on, event);
    };
    drag(head(/old-notes/), 'dragStart');
    drag(head(/my-api/), 'dragOver');
    drag(head(/my-api/), 'drop');
    await waitFor(() => expect(asked('project.move')).toHaveLength(3));
    expect(asked('project.move').slice(0, 2)).toEqual([
      { projectId: 'p2', before: 'p1' },
      { projectId: 'p2', before: null },
    ]);
    expect(asked('project.move')[2]).toMatchObject({ projectId: 'p3' });
  });

  it('restores consecutively deleted threads together', async () => {
    const intents: { type: string; message?: string; about?: string; undo?: () => void }[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    const rows = screen
      .getAllByRole('button')
      .filter((one) => one.hasAttribute('data-thread'))
      .slice(0, 4);
    expect(rows).toHaveLength(4);
    for (const [at, row] of rows.entries()) {
      fireEvent.keyDown(row, { key: 'Delete' });
      await waitFor(() => expect(intents).toHaveLength(at + 1));
    }
    expect(intents.map(({ message }) => message).slice(1)).toEqual([
      'Deleted 2 threads',
      'Deleted 3 threads',
      'Deleted 4 threads',
    ]);
    expect(new Set(intents.map(({ about }) => about)).size).toBe(1);
    intents.at(-1)?.undo?.();
    await waitFor(() => expect(asked('thread.restore')).toEqual(asked('thread.delete')));
    // A later deletion is separate again.
    fireEvent.keyDown(rows[0] ?? document.body, { key: 'Delete' });
    await waitFor(() => expect(intents.at(-1)?.message).toMatch(/^Deleted “/));
    undo();
  });

  it('says what removing a project deletes, and offers to undo it', async () => {
    const intents: { type: string; undo?: () => void }[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    await menu(/my-api/, 'Remove from Deepdesk');
    const dialog = await screen.findByRole('dialog', { name: 'Remove “my-api” from Deepdesk?' });
    expect(dialog.textContent).toContain('4 threads are hidden and deleted after 30 days');
    expect(dialog.textContent).toContain('1 active thread is stopped');
    expect(dialog.textContent).toContain('Pending approvals are hidden');
    expect(dialog.textContent).toContain('The folder /home/me/my-api and its contents stay');
    expect(asked('project.remove')).toEqual([]);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Remove from Deepdesk' }));
    await waitFor(() => expect(intents.map(({ type }) => type)).toEqual(['toast']));
    intents[0]?.undo?.();
    await waitFor(() => expect(asked('project.restore')).toEqual([{ projectId: 'p1' }]));
    undo();
  });
});
