import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onIntent, start, usePort } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { giveElementsSize } from '../../testing/layout';
import { sampleApp, sampleThread } from '../../testing/samples';
import { Conversation } from './conversation';

giveElementsSize();

const Gate = ({ thread = sampleThread() }) =>
  usePort().phase === 'ready' ? (
    <Conversation
      thread={thread}
      renderApproval={() => null}
      renderDeck={() => null}
      onShowWaiting={() => undefined}
      empty={() => null}
      stopKeys="Ctrl+."
    />
  ) : null;

const said = { role: 'user', id: 'u1', at: 1, text: 'Use tabs.' };
const marker = (id: string, more = {}) => ({
  role: 'compaction',
  id,
  at: 1,
  messages: 12,
  tokensBefore: 170_000,
  tokensAfter: 21_000,
  archive: `/conversation_history/s/${id}.md`,
  summary: 'They want **tabs**.',
  cause: 'budget',
  undone: false,
  keptFrom: 12,
  total: 20,
  ...more,
});
const thread = (...messages: object[]) =>
  sampleThread({ messages, approvals: [], queue: [], turn: { phase: 'idle' } });

describe('a compacted conversation', () => {
  let host: FakeHost;
  let stop: () => void;
  beforeEach(() => {
    host = fakeHost(sampleApp());
    stop = start(host.port);
  });
  afterEach(() => {
    cleanup();
    stop();
    localStorage.clear();
  });

  it('shows the sizes before and after, the summary, and a link to the full history', async () => {
    const intents: unknown[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    render(<Gate thread={thread(said, marker('c1'))} />);
    const line = await screen.findByRole('button', { name: /Earlier messages were summarized/ });
    expect(line.textContent).toContain('170,000 → 21,000 tokens');
    fireEvent.click(line);
    expect(screen.getByText('tabs').tagName).toBe('STRONG');
    fireEvent.click(screen.getByRole('button', { name: 'Open full history' }));
    undo();
    expect(intents).toEqual([{ type: 'openFile', path: '/conversation_history/s/c1.md' }]);
  });

  it('shows what the summary replaced beside it', async () => {
    host.answers['files.read'] = () =>
      ok({
        path: '/conversation_history/s/c1.md',
        kind: 'text',
        mimeType: 'text/markdown',
        size: 9,
        lines: ['## Person', '', 'Use tabs, *please*.'],
        offset: 0,
        totalLines: 3,
        nextOffset: null,
      });
    render(<Gate thread={thread(said, marker('c1'))} />);
    fireEvent.click(await screen.findByRole('button', { name: /Earlier messages were summarized/ }));
    const replaced = screen.getByRole('region', { name: 'What it replaced' });
    await waitFor(() => expect(replaced.textContent).toContain('Use tabs, please.'));
    expect(screen.getByRole('region', { name: 'Summary' }).textContent).toBe('They want tabs.');
    expect(host.calls.at(-1)).toMatchObject({
      command: 'files.read',
      input: { path: '/conversation_history/s/c1.md' },
    });
  });

  it('can undo only the last compaction in effect', async () => {
    host.answers['thread.undoCompaction'] = () => ok({});
    render(
      <Gate
        thread={thread(
          said,
          marker('c1'),
          marker('c2'),
          marker('c3', { undone: true }),
          marker('c4', { parentCallId: 'task' }),
        )}
      />,
    );
    expect(await screen.findAllByRole('button', { name: /Earlier messages were summarized/ })).toHaveLength(
      3,
    );
    const [button, ...others] = screen.getAllByRole('button', { name: 'Undo' });
    expect(others).toEqual([]);
    if (button) fireEvent.click(button);
    await waitFor(() =>
      expect(host.calls.at(-1)).toEqual({
        command: 'thread.undoCompaction',
        input: { threadId: 't1', compactionId: 'c2' },
      }),
    );
  });

  it('pins a message, and says that it is pinned', async () => {
    host.answers['thread.pin'] = () => ok({});
    const view = render(<Gate thread={thread(said)} />);
    fireEvent.click(await screen.findByRole('button', { name: /^Pin/ }));
    await waitFor(() =>
      expect(host.calls.at(-1)).toEqual({
        command: 'thread.pin',
        input: { threadId: 't1', messageId: 'u1', pinned: true },
      }),
    );
    view.rerender(<Gate thread={thread({ ...said, pinned: true })} />);
    expect(screen.getByText('Pinned: kept word for word')).toBeTruthy();
  });

  it('compacts when the user types /compact, and sends no message', async () => {
    host.answers['thread.compact'] = () => ok({ tokensBefore: 9_000, tokensAfter: 2_000 });
    const intents: unknown[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    render(<Gate thread={thread(said)} />);
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox');
    fireEvent.change(box, { target: { value: '/compact' } });
    fireEvent.keyDown(box, { key: 'Enter' });
    await waitFor(() =>
      expect(intents).toEqual([{ type: 'toast', message: 'Compacted from 9,000 to 2,000 tokens.' }]),
    );
    undo();
    expect(box.value).toBe('');
    expect(host.calls.map((one) => one.command)).not.toContain('thread.send');
  });

  it("shows a compaction of a sub-agent's context in its lines, without undo", async () => {
    const call = {
      callId: 'k1',
      name: 'task',
      display: 'delegate',
      args: { description: 'look around', subagent_type: 'general-purpose' },
      status: 'running',
      startedAt: 1,
    };
    const agent = { role: 'agent', at: 1, text: '', reasoning: '', phase: 'done', calls: [] };
    const answer = { ...agent, id: 'a2', text: 'Looked at half.', parentCallId: 'k1' };
    const mark = marker('c1', { parentCallId: 'k1' });
    render(<Gate thread={thread(said, { ...agent, id: 'a1', calls: [call] }, answer, mark)} />);
    const line = await screen.findByRole('button', { name: /Earlier messages were summarized/ });
    expect(line.closest('[data-call="k1"]')).not.toBeNull();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('offers to stop one sub-agent while it works', async () => {
    host.answers['thread.stopCall'] = () => ok({});
    const task = {
      callId: 'k1',
      name: 'task',
      display: 'delegate',
      args: { description: 'look around', subagent_type: 'general-purpose' },
      status: 'running',
      startedAt: 1,
    };
    const agent = { role: 'agent', id: 'a1', at: 1, text: '', reasoning: '', phase: 'done' };
    const done = { ...task, callId: 'k2', status: 'done' };
    render(<Gate thread={thread(said, { ...agent, calls: [task, done] })} />);
    fireEvent.click(await screen.findByRole('button', { name: 'Stop' }));
    await waitFor(() =>
      expect(host.calls.at(-1)).toEqual({
        command: 'thread.stopCall',
        input: { threadId: 't1', callId: 'k1' },
      }),
    );
  });
});
