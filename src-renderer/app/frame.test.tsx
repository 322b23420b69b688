import { ThreadSummary as Summary, type ThreadSummary } from '@contract/app';
import { RoutineId, TerminalId } from '@contract/ids';
import { ok } from '@contract/result';
import { RoutineInfo } from '@contract/routines';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRoutine, showTerminal, start, toastUndo } from '../link';
import { type FakeHost, fakeHost } from '../testing/fake-host';
import { giveElementsSize } from '../testing/layout';
import { sampleApp, sampleThread } from '../testing/samples';
import { App } from './app';
import { useUi } from './ui-store';

const empty = { messages: [], approvals: [], queue: [], turn: { phase: 'idle' } };
const fresh: ThreadSummary = Summary.parse({
  id: 't9',
  projectId: 'p1',
  title: 'Brand new',
  updatedAt: Date.now(),
  status: 'idle',
  waiting: 0,
});

describe('the window', () => {
  let host: FakeHost;
  let stop: () => void;
  beforeEach(async () => {
    giveElementsSize();
    useUi.setState(useUi.getInitialState(), true);
    const brandNew = sampleThread({
      ...empty,
      thread: { ...sampleThread().thread, id: 't9', title: 'Brand new' },
    });
    const blank = sampleThread({ ...empty, thread: { ...sampleThread().thread, id: 't8', title: '' } });
    host = fakeHost(sampleApp(), [sampleThread(), brandNew, blank], {
      'thread.create': () => ok(fresh),
      'files.list': () => ok({ entries: [], total: 0, nextOffset: null }),
    });
    stop = start(host.port);
    render(<App />);
    await screen.findByRole('dialog', { name: 'Edit src/sum.ts' });
  });
  afterEach(() => {
    cleanup();
    stop();
    localStorage.clear();
  });

  it('shows the most recently changed thread of the last opened project', () => {
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('my-apiFix the failing test');
  });

  it('starts one thread on a double click, and reuses it from then on', async () => {
    const blank = Summary.parse({ ...fresh, id: 't8', title: '' });
    host.answers['thread.create'] = () => ok(blank);
    const press = () => fireEvent.click(screen.getByRole('button', { name: 'New thread' }));
    press();
    press();
    await waitFor(() => expect(useUi.getState().wantedThreadId).toBe('t8'));
    press();
    act(() => host.emitApp({ type: 'summary.changed', summary: blank }));
    await waitFor(() => expect(useUi.getState().threadId).toBe('t8'));
    press();
    expect(host.calls.filter(({ command }) => command === 'thread.create')).toHaveLength(1);
  });

  it('widens the side panel by keyboard, and opens it first', async () => {
    const press = () => fireEvent.keyDown(window, { key: 'b', ctrlKey: true, altKey: true });
    press();
    expect(await screen.findByRole('button', { name: 'Narrow this panel' })).toBeTruthy();
    press();
    expect(await screen.findByRole('button', { name: 'Widen this panel' })).toBeTruthy();
    act(() => useUi.setState({ dockOpen: false }));
    press();
    expect(await screen.findByRole('button', { name: 'Narrow this panel' })).toBeTruthy();
  });

  it('puts what is typed right after its shortcut into the search of all threads', () => {
    act(() => useUi.setState({ sidebarOpen: false }));
    // Without `act`, which would wait for what React does later.
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, shiftKey: true }));
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Search all threads');
  });

  it('does not bring a drawer back over the conversation after the window was wide', () => {
    const width = window.innerWidth;
    const resize = (to: number) => {
      window.innerWidth = to;
      fireEvent(window, new Event('resize'));
    };
    const drawer = () => useUi.getState().drawer;
    try {
      resize(900);
      act(() => useUi.setState({ drawer: 'dock' }));
      resize(700);
      expect(drawer()).toBe('dock');
      resize(1_280);
      expect(drawer()).toBeNull();
    } finally {
      resize(width);
    }
  });

  describe('while the window gets narrower or wider', () => {
    const width = window.innerWidth;
    const resize = (to: number) => {
      window.innerWidth = to;
      fireEvent(window, new Event('resize'));
    };
    const part = (name: string) => document.querySelector(`[data-part="${name}"]`);
    beforeEach(() => resize(1_280));
    afterEach(() => resize(width));

    const showGit = async () => {
      const repository = {
        ...{ branch: 'main', head: null, upstream: null, hasRemote: false, operation: null, files: [] },
        ...{
          more: 0,
          moreStaged: 0,
          moreOpen: 0,
          hasIdentity: true,
          identity: null,
          hooks: null,
          ignored: [],
        },
      };
      host.answers['git.status'] = () => ok({ repository });
      host.answers['git.branches'] = () => ok({ branches: ['main'] });
      host.answers['changes.list'] = () => ok({ files: [], more: 0, ready: true });
      act(() => useUi.setState({ dockOpen: true, dockTab: 'changes' }));
      fireEvent.keyDown(await screen.findByText('Git'), { key: 'Enter' });
    };

    it('keeps a dialog of the dock with its text, and changes the layout when it closes', async () => {
      await showGit();
      const openDialog = async () => {
        fireEvent.click(await screen.findByLabelText('Branch main'));
        const field = await screen.findByLabelText('New branch');
        fireEvent.change(field, { target: { value: 'fix-sums' } });
        return field;
      };
      const field = await openDialog();
      resize(900);
      expect(field.isConnected).toBe(true);
      expect(field).toHaveProperty('value', 'fix-sums');
      fireEvent.keyDown(field, { key: 'Escape' });
      await waitFor(() => expect(part('dock')).toBeNull());
      // In the drawer, too.
      act(() => useUi.setState({ drawer: 'dock' }));
      const again = await openDialog();
      resize(1_280);
      expect(again.isConnected).toBe(true);
      expect(useUi.getState().drawer).toBe('dock');
    });

    it('keeps what is typed in the dock until the person goes elsewhere', async () => {
      await showGit();
      const field = await screen.findByLabelText('Commit message');
      act(() => field.focus());
      fireEvent.input(field, { target: { value: 'Fix the sums' } });
      resize(700);
      expect([field.isConnected, field]).toEqual([true, expect.objectContaining({ value: 'Fix the sums' })]);
      act(() => part('conversation')?.querySelector<HTMLElement>('textarea, button')?.focus());
      expect(part('dock')).toBeNull();
    });

    it('does not wait for a search, which is easily typed again', async () => {
      const field = await screen.findByLabelText('Search all threads');
      act(() => field.focus());
      fireEvent.input(field, { target: { value: 'sums' } });
      resize(700);
      expect(part('threads')).toBeNull();
    });
  });

  it('undoes what was done last, even after its message is gone', async () => {
    const undone: string[] = [];
    const offer = (name: string, about?: string) =>
      act(() => toastUndo(`Removed ${name}`, () => undone.push(name), about));
    const undo = (target: Window | Element = window, more = { ctrlKey: true }) =>
      fireEvent.keyDown(target, { key: 'z', ...more });
    undo();
    offer('a');
    offer('b', 'threads');
    offer('b and c', 'threads');
    act(() => useUi.setState({ toasts: [] }));
    // In a text field, the keys undo typing.
    undo(screen.getAllByRole('textbox')[0]);
    expect(undone).toEqual([]);
    fireEvent.keyDown(window, { key: 'k', ctrlKey: true });
    const palette = await screen.findByRole('combobox');
    fireEvent.change(palette, { target: { value: 'undo the last' } });
    await screen.findByRole('option', { name: /^Undo the last action.*Removed b and c/ });
    fireEvent.keyDown(palette, { key: 'Enter' });
    await waitFor(() => expect(undone).toEqual(['b and c']));
    undo();
    undo();
    expect(undone).toEqual(['b and c', 'a']);
    offer('d');
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    fireEvent.keyDown(window, { key: 'z', ctrlKey: true, altKey: true });
    expect(undone).toEqual(['b and c', 'a', 'd']);
  });

  it('reuses the shown thread as the new one while it is empty', async () => {
    const created = () => host.calls.filter((call) => call.command === 'thread.create').length;
    const blank = Summary.parse({ ...fresh, id: 't8', title: '' });
    host.answers['thread.create'] = () => ok(blank);
    const begin = () => fireEvent.keyDown(window, { key: 'n', ctrlKey: true });
    begin();
    await waitFor(() => expect(created()).toBe(1));
    act(() => host.emitApp({ type: 'summary.changed', summary: blank }));
    expect(await screen.findByText('What should the agent do?')).toBeTruthy();
    const field = screen.getByRole('textbox', { name: 'Message to the agent' });
    field.blur();
    begin();
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(created()).toBe(1);
    fireEvent.change(field, { target: { value: 'half a thought' } });
    begin();
    await waitFor(() => expect(created()).toBe(2));
  });

  it('shows a new thread even if its summary arrives after the answer', async () => {
    fireEvent.keyDown(window, { key: 'n', ctrlKey: true });
    await waitFor(() => expect(host.calls.some((call) => call.command === 'thread.create')).toBe(true));
    act(() => host.emitApp({ type: 'summary.changed', summary: fresh }));
    await waitFor(() =>
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('my-apiBrand new'),
    );
    expect(await screen.findByText('What should the agent do?')).toBeTruthy();
  });

  it('moves the focus to a pending approval by shortcut, never to Allow', () => {
    screen.getByRole('textbox', { name: 'Message to the agent' }).focus();
    fireEvent.keyDown(document.activeElement ?? window, { key: 'd', ctrlKey: true, shiftKey: true });
    expect(document.activeElement?.getAttribute('data-approval')).toBe('a1');
  });

  it('opens the terminal that a part of the window requests', () => {
    act(() => showTerminal(TerminalId.parse('x1')));
    expect(useUi.getState()).toMatchObject({ terminalOpen: true, terminalId: 'x1' });
  });

  it('shows a command of the agent, but only where the conversation keeps its height', async () => {
    const terminal = { id: 'x2', kind: 'agent', status: 'running', threadId: 't1' };
    const starts = async (id: string) => {
      act(() => host.emitApp({ type: 'terminal.changed', terminal: { ...terminal, id } } as never));
      await waitFor(() => expect(useUi.getState().terminalId).toBe(id));
    };
    const height = window.innerHeight;
    try {
      Object.assign(window, { innerHeight: 399 });
      await starts('x2');
      expect(useUi.getState().terminalOpen).toBe(false);
      Object.assign(window, { innerHeight: 400 });
      await starts('x3');
      expect(useUi.getState().terminalOpen).toBe(true);
    } finally {
      Object.assign(window, { innerHeight: height });
    }
  });

  it('opens the form of the routine that a thread is a run of', async () => {
    const routine = RoutineInfo.parse({
      ...{
        id: 'r1',
        name: 'Report',
        projectId: 'p1',
        prompt: 'go',
        schedule: 'every day at 9',
        createdAt: 1,
      },
      ...{ timeZone: 'UTC', model: 'offline:guide', mode: null, isOn: true, nextAt: null, missed: null },
      ...{ budget: { microDollars: null, tokens: 500 }, record: null, runs: [] },
    });
    host.answers['routines.list'] = () =>
      ok({ routines: [{ ...routine, id: RoutineId.parse('r0'), name: 'Other' }, routine], timeZone: 'UTC' });
    act(() => host.emitApp({ type: 'routines.changed' }));
    act(() => openRoutine({ routineId: routine.id, field: 'budget' }));
    const form = await screen.findByRole('form', { name: /Report/ });
    expect(within(form).getByLabelText<HTMLInputElement>('Budget per run in tokens').value).toBe('500');
    await waitFor(() =>
      expect(document.activeElement).toBe(within(form).getByLabelText('Budget per run in dollars')),
    );
    expect(screen.getAllByRole('form', { name: /Report|Other/ })).toHaveLength(1);
  });

  it('opens the thread of a notification', async () => {
    host.emitApp({ type: 'show.thread', threadId: sampleThread().thread.id });
    act(() => host.emitApp({ type: 'summary.changed', summary: fresh }));
    await waitFor(() => expect(useUi.getState()).toMatchObject({ projectId: 'p1', threadId: 't1' }));
  });
});
