import { AgentMessage, ToolCall } from '@contract/conversation';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onIntent, start } from '../../../link';
import { type FakeHost, fakeHost } from '../../../testing/fake-host';
import { sampleApp, sampleThread } from '../../../testing/samples';
import { FolderGone } from '../folder-gone';
import { ToolLine } from './tool-line';

const { id: threadId } = sampleThread().thread;

describe('the menu of a tool call', () => {
  let host: FakeHost;
  let stop: () => void;
  let undo: () => void;
  const intents: unknown[] = [];
  const copied = vi.fn((_text: string) => Promise.resolve());
  beforeEach(() => {
    intents.length = 0;
    copied.mockClear();
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: copied } });
    host = fakeHost(sampleApp(), [], { 'memories.undo': () => ok({}) });
    stop = start(host.port);
    undo = onIntent((intent) => intents.push(intent));
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    stop();
    undo();
  });

  const call = (more: object) =>
    ToolCall.parse({ callId: 'c1', name: 'x', args: {}, status: 'done', startedAt: 1, ...more });
  const draw = (made: ToolCall, { gone = false, nested = false } = {}) =>
    render(
      <FolderGone value={gone}>
        <ToolLine
          threadId={threadId}
          call={made}
          mount="/home/me/my-api"
          step={
            nested
              ? undefined
              : AgentMessage.parse({
                  role: 'agent',
                  id: 'a1',
                  at: 1,
                  text: '',
                  reasoning: '',
                  phase: 'done',
                  calls: [made],
                })
          }
          renderApproval={() => null}
        />
      </FolderGone>,
    );
  /** The items, each disabled one with its reason. `menu`: by the menu key on the focused line, as Shift F10. */
  const open = async (by: 'pointer' | 'menu' = 'menu') => {
    const [line] = screen.getAllByRole('button', { expanded: false });
    if (line === undefined) throw new Error('There is no line.');
    line.focus();
    fireEvent.contextMenu(line, by === 'pointer' ? { button: 2 } : {});
    const menu = await screen.findByRole('menu', { name: 'Actions for this call' });
    return within(menu)
      .getAllByRole('menuitem')
      .map((item) => item.textContent);
  };
  const choose = (name: RegExp) => fireEvent.click(screen.getByRole('menuitem', { name }));

  it('copies, shows and undoes an edit, alike for right click and the menu key', async () => {
    draw(
      call({
        name: 'edit_file',
        display: 'edit',
        args: { file_path: '/home/me/my-api/a.ts' },
        result: 'Edited.',
      }),
    );
    const byKey = await open();
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(await open('pointer')).toEqual(byKey);
    expect(byKey).toEqual([
      'Copy path',
      'Copy result',
      'Show file',
      "Undo this call's changes",
      'Fork after this step in a new thread',
    ]);
    choose(/Copy path/);
    await open();
    choose(/Copy result/);
    expect(copied.mock.calls).toEqual([['/home/me/my-api/a.ts'], ['Edited.']]);
    await open();
    choose(/Show file/);
    await open();
    choose(/Undo this/);
    expect(intents).toEqual([
      { type: 'openFile', path: '/home/me/my-api/a.ts' },
      { type: 'revert', threadId, scope: { kind: 'call', callId: 'c1' } },
    ]);
  });

  it('copies the command, and says what cannot be done while it runs and inside a sub-agent', async () => {
    draw(call({ name: 'execute', display: 'command', args: { command: 'npm test' }, status: 'running' }), {
      nested: true,
    });
    expect(await open()).toEqual([
      'Copy command',
      'Copy resultNo result yet',
      "Undo this call's changesIt isn't finished yet.",
      'Fork after this step in a new threadThis belongs to a sub-agent, not to the thread.',
    ]);
    choose(/Undo this/);
    choose(/Copy command/);
    expect(copied.mock.calls).toEqual([['npm test']]);
    expect(intents).toEqual([]);
  });

  it('undoes nothing for a call that did not run, or whose folder is gone', async () => {
    draw(call({ name: 'write_file', display: 'write', args: { file_path: '/x' }, status: 'rejected' }));
    expect(await open()).toContain("Undo this call's changesIt didn't run to its end.");
    cleanup();
    draw(call({ name: 'write_file', display: 'write', args: { file_path: '/x' } }), { gone: true });
    const items = await open();
    expect(items).toContain("Undo this call's changesThe folder is missing.");
    expect(items).toContain('Show fileThe folder is missing.');
    expect(screen.queryByRole('button', { name: 'Show file', hidden: true })).toBeNull();
  });

  it('undoes the change of a memory, once, even without the folder', async () => {
    const memory = { path: '/memories/a.md', change: 'created', undone: false };
    const made = { name: 'write_file', display: 'write', args: { file_path: '/memories/a.md' } };
    draw(call({ ...made, memory }), { gone: true });
    await open();
    choose(/Undo this/);
    await waitFor(() => expect(host.calls.map(({ command }) => command)).toContain('memories.undo'));
    cleanup();
    draw(call({ ...made, memory: { ...memory, undone: true } }));
    expect(await open()).toContain("Undo this call's changesUndone");
  });
});
