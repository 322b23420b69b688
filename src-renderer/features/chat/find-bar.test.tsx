import { MessageId, ThreadId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findInThread, onIntent, openThread, start, usePort } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { sampleApp } from '../../testing/samples';
import { FindBar, type Found } from './find-bar';

const t1 = ThreadId.parse('t1');
const [m1, m2] = [MessageId.parse('m1'), MessageId.parse('m2')];

describe('search in a thread', () => {
  let host: FakeHost;
  let stop: () => void;
  let found: (Found | undefined)[];
  const onFound = (next: Found | undefined) => void found.push(next);
  const Gate = () => {
    return usePort().phase === 'ready' ? <FindBar threadId={t1} changed={1} onFound={onFound} /> : null;
  };
  beforeEach(async () => {
    found = [];
    host = fakeHost(sampleApp(), [], {
      'thread.find': () =>
        ok({
          matches: [
            { messageId: m1, count: 2 },
            { messageId: m2, count: 1 },
          ],
        }),
    });
    stop = start(host.port);
    render(<Gate />);
    await waitFor(() => {
      act(findInThread);
      expect(screen.queryByRole('textbox')).not.toBeNull();
    });
  });
  afterEach(() => {
    cleanup();
    stop();
  });
  const at = () => {
    const last = found.at(-1);
    return last && [last.messageId, last.nth];
  };

  it('takes the next key when it is asked for, and selects what it has', () => {
    const field = () => screen.getByRole<HTMLInputElement>('textbox');
    fireEvent.keyDown(field(), { key: 'Escape' });
    expect(screen.queryByRole('textbox')).toBeNull();
    // Without `act`, which would wait for what React does later.
    findInThread();
    expect(document.activeElement).toBe(field());
    fireEvent.change(field(), { target: { value: 'pear' } });
    findInThread();
    expect([field().selectionStart, field().selectionEnd]).toEqual([0, 4]);
  });

  it('starts at the newest match and cycles with Enter and Shift+Enter', async () => {
    const field = screen.getByRole('textbox');
    fireEvent.change(field, { target: { value: 'pear' } });
    await screen.findByText('3 of 3');
    expect(host.calls.at(-1)).toEqual({ command: 'thread.find', input: { threadId: t1, text: 'pear' } });
    expect(at()).toEqual([m2, 0]);
    fireEvent.keyDown(field, { key: 'Enter' });
    expect([at(), screen.getByRole('status').textContent]).toEqual([[m1, 1], '2 of 3']);
    fireEvent.keyDown(field, { key: 'Enter' });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(at()).toEqual([m2, 0]);
    fireEvent.keyDown(field, { key: 'Enter', shiftKey: true });
    expect(at()).toEqual([m1, 0]);
  });

  it('starts again at the newest match of a longer text, and never counts those of the shorter one', async () => {
    const field = screen.getByRole('textbox');
    fireEvent.change(field, { target: { value: 'pe' } });
    await screen.findByText('3 of 3');
    host.answers['thread.find'] = () => ok({ matches: [{ messageId: m1, count: 2 }] });
    fireEvent.change(field, { target: { value: 'pear' } });
    expect(screen.getByRole('status').textContent).not.toContain('3');
    await screen.findByText('2 of 2');
    expect([found.at(-1)?.text, at()]).toEqual(['pear', [m1, 1]]);
  });

  it('opens at the match that a search in all threads found', async () => {
    act(() => openThread(t1, m1, 'pears'));
    await screen.findByText('1 of 3');
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('pears');
    expect([found.at(-1)?.text, at()]).toEqual(['pears', [m1, 0]]);
    // A thread that is opened without a search keeps what is typed.
    act(() => openThread(t1));
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('pears');
  });

  it('says why a search failed', async () => {
    host.answers['thread.find'] = () => fail('not_found', 'thread_gone');
    const toasts: string[] = [];
    const stopToasts = onIntent((intent) => intent.type === 'toast' && toasts.push(intent.message));
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'pear' } });
    await waitFor(() => expect(toasts).toEqual(['This thread no longer exists.']));
    stopToasts();
  });

  it('closes on Escape, and removes the highlights', async () => {
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'pear' } });
    await screen.findByText('3 of 3');
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' });
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(found.at(-1)).toBeUndefined();
  });

  it('does not take keys from viewers and terminals', () => {
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' });
    const viewer = document.createElement('div');
    viewer.dataset.ownFind = '';
    document.body.append(viewer);
    fireEvent.keyDown(viewer, { key: 'f', ctrlKey: true });
    viewer.remove();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});
