import { QueuedMessage } from '@contract/conversation';
import { ProjectId, ThreadId, TurnId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start } from '../../../link';
import { type FakeHost, fakeHost } from '../../../testing/fake-host';
import { sampleApp } from '../../../testing/samples';
import { Composer } from './composer';
import { readDraft, writeDraft } from './drafts';

// For these tests only: the start of a message is reported once per thread, across all test files.
const threadId = ThreadId.parse('composer-test');
const queue = [QueuedMessage.parse({ id: 'q1', text: 'later', at: 1 })];

const Held = ({ first = '', phase = 'idle' as const }: { first?: string; phase?: 'idle' | 'running' }) => {
  const [draft, setDraft] = useState(first);
  return (
    <Composer
      threadId={threadId}
      projectId={ProjectId.parse('p1')}
      mount="/home/me/my-api"
      phase={phase}
      queue={phase === 'running' ? queue : []}
      lastMessage="what I said before"
      draft={draft}
      onDraft={setDraft}
      stopKeys="Ctrl+."
      mac={false}
      onSent={() => undefined}
    />
  );
};

describe('the composer', () => {
  let host: FakeHost;
  let stop: () => void;
  beforeEach(() => {
    host = fakeHost(sampleApp(), [], {
      'thread.send': () => ok({ turnId: TurnId.parse('u1'), queued: false }),
      'thread.stop': () => ok({}),
      'thread.withdraw': () => ok({ text: 'later' }),
    });
    stop = start(host.port);
  });
  afterEach(() => {
    cleanup();
    stop();
    localStorage.clear();
  });
  const field = () => screen.getByRole<HTMLTextAreaElement>('textbox');
  const sent = () => host.calls.filter((one) => one.command !== 'app.open');

  it('sends and clears the text on Enter', async () => {
    render(<Held first="list files" />);
    fireEvent.keyDown(field(), { key: 'Enter' });
    await waitFor(() => expect(field().value).toBe(''));
    expect(sent()).toEqual([{ command: 'thread.send', input: { threadId, text: 'list files' } }]);
  });

  it('gets the focus when the button that had it, Send or Stop, has done its work', async () => {
    const view = render(<Held first="list files" />);
    const press = (name: string) => {
      const button = screen.getByRole('button', { name });
      button.focus();
      fireEvent.click(button);
    };
    press('Send');
    await waitFor(() => expect(document.activeElement).toBe(field()));
    view.rerender(<Held phase="running" />);
    press('Stop');
    view.rerender(<Held />);
    expect(document.activeElement).toBe(field());
  });

  it('reports that the user started a message, but not after a character or two', async () => {
    render(<Held />);
    const told = () => sent().map(({ command }) => command);
    for (const value of ['a', 'ab', ' a ']) fireEvent.change(field(), { target: { value } });
    await Promise.resolve();
    expect(told()).toEqual([]);
    fireEvent.change(field(), { target: { value: 'abc' } });
    await waitFor(() => expect(told()).toEqual(['composer.started']));
  });

  it('keeps text typed while a message is being sent, and sends nothing twice', async () => {
    render(<Held first="list files" />);
    fireEvent.keyDown(field(), { key: 'Enter' });
    fireEvent.keyDown(field(), { key: 'Enter' });
    fireEvent.change(field(), { target: { value: 'list files and' } });
    await waitFor(() => expect(field().value).toBe(' and'));
    expect(sent().filter(({ command }) => command === 'thread.send')).toHaveLength(1);
  });

  it('does not send on Shift+Enter, during composition, for a held key, or if the text is blank', async () => {
    const view = render(<Held first="你好" />);
    fireEvent.keyDown(field(), { key: 'Enter', shiftKey: true });
    fireEvent.keyDown(field(), { key: 'Enter', isComposing: true });
    fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 });
    fireEvent.keyDown(field(), { key: 'Enter', ctrlKey: true, repeat: true });
    view.unmount();
    render(<Held first="  " />);
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(sent()).toEqual([]);
  });

  it('keeps text that could not be sent and says why', async () => {
    host.answers['thread.send'] = () =>
      fail('storage', 'external', { text: 'The disk is full. Make room, then send again.' });
    render(<Held first="precious" />);
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect((await screen.findByRole('alert')).textContent).toBe(
      'The disk is full. Make room, then send again.',
    );
    expect(field().value).toBe('precious');
  });

  it('restores the last message on Arrow Up, only if the composer is empty', () => {
    const view = render(<Held />);
    fireEvent.keyDown(field(), { key: 'ArrowUp' });
    expect(field().value).toBe('what I said before');
    view.unmount();
    render(<Held first="mine" />);
    fireEvent.keyDown(field(), { key: 'ArrowUp' });
    expect(field().value).toBe('mine');
  });

  it('inserts an unqueued message before the current text', async () => {
    render(<Held first="and more" phase="running" />);
    fireEvent.click(screen.getByRole('button', { name: 'Move back to the message field' }));
    await waitFor(() => expect(field().value).toBe('later\nand more'));
  });

  it('stops the running agent on Ctrl+.', async () => {
    render(<Held phase="running" />);
    fireEvent.keyDown(field(), { key: '.', ctrlKey: true });
    await waitFor(() => expect(sent()).toEqual([{ command: 'thread.stop', input: { threadId } }]));
  });

  it('keeps one draft per thread', () => {
    writeDraft(threadId, 'half a thought');
    expect([readDraft(threadId), readDraft(ThreadId.parse('t2'))]).toEqual(['half a thought', '']);
    writeDraft(threadId, '');
    expect(readDraft(threadId)).toBe('');
  });
});
