import { TerminalInfo } from '@contract/app';
import { ProjectId, type TerminalId, ThreadId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { because } from '@contract/shared/reasons';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onIntent, usePort } from '../../link';
import { giveElementsSize, reportSizes } from '../../testing/layout';
import { type Answers, panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { TerminalDock } from './terminal-dock';

// The screen needs a canvas; these tests cover what is around it.
vi.mock('./terminal-screen', () => ({ TerminalScreen: () => <p>screen</p> }));

const terminal = (id: string, more: Record<string, unknown> = {}) =>
  TerminalInfo.parse({
    id,
    kind: 'agent',
    projectId: 'p',
    threadId: 't',
    callId: 'c',
    command: `make ${id}`,
    cwd: '/p',
    startedAt: 1,
    endedAt: 2,
    exitCode: 0,
    status: 'exited',
    cols: 80,
    rows: 24,
    ...more,
  });
const own = (id: string, more: Record<string, unknown> = {}) =>
  terminal(id, {
    kind: 'person',
    threadId: null,
    callId: null,
    command: 'bash',
    status: 'running',
    endedAt: null,
    ...more,
  });

giveElementsSize();
let stop = () => {};
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  stop();
});

function open(terminals: TerminalInfo[], answers: Answers = {}) {
  const project = sampleProject({ id: 'p', name: 'api', folder: '/p' });
  const host = panelHost({ projects: [project], terminals }, answers);
  stop = host.stop;
  const Dock = () => {
    const [selected, setSelected] = useState<TerminalId | null>(null);
    return (
      <TerminalDock
        projectId={ProjectId.parse('p')}
        threadId={ThreadId.parse('t')}
        selectedTerminalId={selected}
        onSelect={setSelected}
      />
    );
  };
  const Gate = () => (usePort().phase === 'ready' ? <Dock /> : null);
  render(<Gate />);
  return host;
}
const tabs = () => screen.getAllByRole('tab').map((tab) => tab.textContent);

it('names terminals of one shell apart', async () => {
  open([
    own('o'),
    own('q', { number: 2, startedAt: 3 }),
    own('r', { number: 3, title: 'server', startedAt: 4 }),
  ]);
  await screen.findAllByRole('tab');
  expect(tabs()).toEqual(['bash', 'bash 2', 'server']);
});

it('has a tab for the run and one for each terminal of the user, and closes an idle one immediately', async () => {
  const host = open([terminal('a'), own('o'), own('q', { title: 'server', startedAt: 3 })], {
    'terminal.programs': () => ok({ names: [] }),
    'terminal.close': () => ok({}),
  });
  await screen.findAllByRole('tab');
  expect(tabs()).toEqual(['Commands1', 'bash', 'server']);
  fireEvent.keyDown(screen.getByRole('tablist'), { key: 'Home' });
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Commands1');
  fireEvent.keyDown(screen.getByRole('tablist'), { key: 'ArrowLeft' });
  fireEvent.keyDown(screen.getByRole('tablist'), { key: 'Delete' });
  await waitFor(() => expect(host.asked('terminal.close')).toEqual([{ terminalId: 'q' }]));
});

it('keeps the selected one of many tabs visible', async () => {
  const shown: (string | null)[] = [];
  reportSizes();
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(this.textContent);
  });
  open([own('o'), own('q', { title: 'server', startedAt: 3 })]);
  await screen.findAllByRole('tab');
  fireEvent.keyDown(screen.getByRole('tablist'), { key: 'End' });
  await waitFor(() => expect(shown.at(-1)).toBe('server'));
  fireEvent.keyDown(screen.getByRole('tablist'), { key: 'Home' });
  await waitFor(() => expect(shown.at(-1)).toBe('bash'));
  scrolled.mockRestore();
  vi.unstubAllGlobals();
});

it('asks before it stops a program in a terminal of the user', async () => {
  const host = open([own('o')], {
    'terminal.programs': () => ok({ names: ['node', 'node'] }),
    'terminal.close': () => ok({}),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Close' }));
  await screen.findByText('node is still running and will be stopped.');
  expect(host.asked('terminal.close')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Stop and close' }));
  await waitFor(() => expect(host.asked('terminal.close')).toEqual([{ terminalId: 'o' }]));
});

it("runs a command again after the user answers the rules' question, and shows the new one", async () => {
  const again = terminal('b', { callId: null, startedAt: 5 });
  const host = open([terminal('a')], {
    'terminal.rerun': ({ confirmed }) =>
      confirmed === undefined
        ? ok({ status: 'ask', reason: [because('writes_files')], risk: 'medium', digest: 'd1' })
        : ok({ status: 'started', terminal: again }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Run again' }));
  await screen.findByText('It writes files.');
  const buttons = screen.getAllByRole('button', { name: 'Run again' });
  fireEvent.click(buttons.at(-1) ?? document.body);
  await waitFor(() =>
    expect(host.asked('terminal.rerun')).toEqual([{ terminalId: 'a' }, { terminalId: 'a', confirmed: 'd1' }]),
  );
  host.emit({ type: 'terminal.changed', terminal: again });
  await screen.findByText('run again by you');
});

it('says why the rules do not allow a command to run again', async () => {
  open([terminal('a')], {
    'terminal.rerun': () => ok({ status: 'denied', reason: [because('a_rule_forbids')] }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Run again' }));
  await screen.findByText("Rules don't allow this command, so it wasn't run. A rule forbids it.");
});

it("quotes a command's output in the message", async () => {
  const added: string[] = [];
  const stopIntents = onIntent((intent) => {
    if (intent.type === 'addToMessage') added.push(intent.text);
  });
  open([terminal('a')], { 'terminal.text': () => ok({ text: 'ok\n' }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Add to message' }));
  await waitFor(() => expect(added).toEqual(['\n```console\n$ make a\nok\n```\n']));
  stopIntents();
});

it('shows an error only with the terminal that it is about', async () => {
  open([own('o'), own('q', { title: 'server', startedAt: 3 })], {
    'terminal.programs': () => ok({ names: [] }),
    'terminal.close': () => fail('storage', 'external', { text: 'The disk is full.' }),
  });
  fireEvent.click(await screen.findByRole('tab', { name: 'bash' }));
  fireEvent.keyDown(screen.getByRole('tablist'), { key: 'Delete' });
  await screen.findByText('The disk is full.');
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('bash');
  fireEvent.click(screen.getByRole('tab', { name: 'server' }));
  expect(screen.queryByText('The disk is full.')).toBeNull();
});

it('lists background jobs of every thread, even a deleted one, and can show and stop them', async () => {
  const host = open(
    [terminal('a'), terminal('j', { threadId: 'u', background: true, status: 'running', endedAt: null })],
    {
      'terminal.kill': () => ok({}),
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: '1 in the background' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Stop make j' }));
  await waitFor(() => expect(host.asked('terminal.kill')).toEqual([{ terminalId: 'j' }]));
  fireEvent.click(screen.getByRole('button', { name: 'Show make j' }));
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Commands of a deleted thread1');
});

it('gives a terminal the name that the user types', async () => {
  const host = open([own('o')], { 'terminal.rename': () => ok({}) });
  fireEvent.click(await screen.findByRole('button', { name: 'Rename' }));
  const field = await screen.findByRole('textbox', { name: 'Name' });
  fireEvent.change(field, { target: { value: 'server' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(host.asked('terminal.rename')).toEqual([{ terminalId: 'o', title: 'server' }]));
});

it('searches the output of all commands of the thread', async () => {
  const found = [{ terminalId: terminal('b').id, count: 3, line: 'ERROR: no disk' }];
  const host = open([terminal('a'), terminal('b')], { 'terminal.search': () => ok({ found }) });
  const field = await screen.findByRole('searchbox', { name: 'Search all output' });
  fireEvent.change(field, { target: { value: 'error' } });
  const results = await screen.findByRole('list', { name: 'Commands that printed it' });
  expect(host.asked('terminal.search')).toEqual([{ threadId: 't', text: 'error' }]);
  expect(results.querySelector('mark')?.textContent).toBe('ERROR');
  expect(results.textContent).toContain('3 lines');
  fireEvent.click(screen.getByRole('button', { name: /make b/ }));
  await waitFor(() =>
    expect(screen.getByRole('button', { name: /make b/ }).getAttribute('aria-current')).toBe('true'),
  );
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(await screen.findByRole('listbox')).toBeTruthy();
});

it('has a menu for each tab', async () => {
  const intents: unknown[] = [];
  const stopIntents = onIntent((intent) => intents.push(intent));
  const host = open([terminal('a'), own('o')], {
    'terminal.programs': () => ok({ names: [] }),
    'terminal.close': () => ok({}),
  });
  const choose = async (tab: RegExp, item: RegExp) => {
    fireEvent.contextMenu(await screen.findByRole('tab', { name: tab }), { button: 2 });
    fireEvent.click(await screen.findByRole('menuitem', { name: item }));
  };
  await choose(/Commands/, /^Open thread/);
  expect(intents).toEqual([{ type: 'openThread', threadId: 't' }]);
  stopIntents();
  await choose(/bash/, /^Rename/);
  fireEvent.keyDown(await screen.findByRole('textbox', { name: /name/i }), { key: 'Escape' });
  await choose(/bash/, /^Close/);
  await waitFor(() => expect(host.asked('terminal.close')).toEqual([{ terminalId: 'o' }]));
});

it('tries again what failed: a shell that cannot start, and one that cannot start again', async () => {
  let isBroken = true;
  const started = () =>
    isBroken ? fail('not_found', 'external', { text: 'There is no such shell.' }) : ok(own('new'));
  const host = open([own('o', { status: 'exited', endedAt: 3, exitCode: 0 })], {
    'terminal.create': started,
    'terminal.reopen': started,
  });
  for (const [button, command] of [
    ['New terminal', 'terminal.create'],
    ['Restart', 'terminal.reopen'],
  ] as const) {
    isBroken = true;
    fireEvent.click(await screen.findByRole('button', { name: button }));
    expect((await screen.findByRole('alert')).textContent).toContain('There is no such shell.');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(host.asked(command)).toHaveLength(2));
    expect(await screen.findByRole('alert')).toBeTruthy();
    isBroken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  }
});
