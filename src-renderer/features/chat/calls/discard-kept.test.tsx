import type { RevertOutcome } from '@contract/changes';
import { ToolCall } from '@contract/conversation';
import { ThreadId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { onIntent, usePort } from '../../../link';
import { panelHost } from '../../../testing/panel-host';
import { ToolLine } from './tool-line';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const name = 'Discard the files this command changed';

async function show(state: string, answer?: RevertOutcome) {
  const toasts: string[] = [];
  const host = panelHost({}, answer === undefined ? {} : { 'changes.revert': () => ok(answer) });
  const undo = onIntent((intent) => {
    if (intent.type === 'toast') toasts.push(intent.message);
  });
  stop = () => {
    undo();
    host.stop();
  };
  const call = ToolCall.parse({
    callId: 'c1',
    name: 'execute',
    display: 'command',
    args: {},
    status: 'done',
    rehearsal: { state, paths: 2 },
  });
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <ToolLine threadId={ThreadId.parse('t1')} call={call} mount="/p" renderApproval={() => null} />
    ) : null;
  render(<Gate />);
  await screen.findByText(/kept 2/);
  return { host, toasts };
}

it('offers to discard what was kept without asking, and nothing else', async () => {
  const { host } = await show('kept_ignored', { status: 'done', revertId: 'r1', files: 2, conflicts: [] });
  fireEvent.click(screen.getByRole('button', { name }));
  await screen.findByText('discarded');
  expect(screen.queryByRole('button', { name })).toBeNull();
  expect(host.asked('changes.revert')).toEqual([
    { threadId: 't1', scope: { kind: 'call', callId: 'c1' }, force: false },
  ]);
  cleanup();
  stop();
  await show('kept');
  expect(screen.queryByRole('button', { name })).toBeNull();
});

it('says where to decide if others changed the files since', async () => {
  const { toasts } = await show('kept_ignored', { status: 'asks', conflicts: [], files: 2 });
  fireEvent.click(screen.getByRole('button', { name }));
  await expect
    .poll(() => toasts)
    .toEqual(['Other programs changed these files, too. Undo the changes under Changes.']);
  expect(screen.getByRole('button', { name })).toBeTruthy();
});
