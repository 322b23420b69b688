import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commandApproval } from '../../testing/sample-approvals';
import { ApprovalCard } from './approval-card';
import {
  approval,
  card,
  decided,
  decision,
  draw,
  host,
  key,
  press,
  setApproval,
  show,
  start,
  stop,
} from './testing/card';
import { ARM_AFTER, ARM_AFTER_UNDER_POINTER } from './use-armed';

beforeEach(start);
afterEach(stop);

describe('the keys of an approval card', () => {
  it('takes no focus and no decision in its first half second', async () => {
    render(draw());
    expect(document.activeElement).toBe(document.body);
    await press(/Allow once/);
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    await press('Reject with reason…');
    await press('Reject');
    expect(screen.queryByRole('textbox')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    expect(decided(host)).toEqual([]);
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
  });

  it('waits again when it moves up to the place of another card', async () => {
    const view = await show('1/2');
    view.rerender(draw('0/1'));
    await press(/Allow once/);
    expect(decided(host)).toEqual([]);
  });

  it('allows on Ctrl+Enter only while it has the focus, and not for a held key', async () => {
    await show();
    fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true, repeat: true });
    expect(decided(host)).toEqual([]);
    fireEvent.keyDown(card(), { key: 'Enter', ctrlKey: true });
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
  });

  it('clicks no button for a held Enter, not even one that it has just reached', async () => {
    await show();
    const allow = screen.getByRole('button', { name: /Allow once/ });
    expect(fireEvent.keyDown(allow, { key: 'Enter', repeat: true })).toBe(false);
    await press(/Always/);
    // Text may have many lines.
    await press('Back');
    await press('Reject with reason…');
    expect(fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter', repeat: true })).toBe(true);
    expect(decided(host)).toEqual([]);
  });

  it('counts its first half second only while the window is visible', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    render(draw());
    await act(() => vi.advanceTimersByTimeAsync(10 * ARM_AFTER));
    hidden.mockReturnValue(false);
    fireEvent(document, new Event('visibilitychange'));
    await press(/Allow once/);
    expect(decided(host)).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
    hidden.mockRestore();
  });

  it('reports its removal only if it has the focus', async () => {
    const onLeft = vi.fn();
    const drawn = (
      <>
        <ApprovalCard
          approval={approval}
          mount="/home/me/my-api"
          mac={false}
          onLeft={() => onLeft(card().contains(document.activeElement))}
        />
        <input />
      </>
    );
    const view = render(drawn);
    screen.getByRole('textbox').focus();
    view.rerender(<input />);
    expect(onLeft).not.toHaveBeenCalled();
    view.rerender(drawn);
    screen.getByRole('button', { name: 'Reject' }).focus();
    view.rerender(<input />);
    expect(onLeft.mock.calls).toEqual([[true]]);
  });

  it('keeps the focus when its content changes', async () => {
    await show();
    screen.getByRole('button', { name: 'Reject with reason…' }).focus();
    await press('Reject with reason…');
    expect(document.activeElement?.tagName).toBe('TEXTAREA');
    await press('Back');
    expect(document.activeElement).toBe(card());
    await press('Always…');
    expect(card().contains(document.activeElement)).toBe(true);
    fireEvent.keyDown(document.activeElement ?? card(), { key: 'Escape' });
    expect(document.activeElement).toBe(card());
  });

  it.each([{}, { ctrlKey: true }])('rejects with a reason on R, the text and Enter: %j', async (more) => {
    await show();
    await key('r');
    const field = screen.getByRole('textbox');
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: ' use rm -i ' } });
    await key('Enter', { shiftKey: true }, field);
    expect(decided(host)).toEqual([]);
    await key('Enter', more, field);
    expect(decided(host)).toEqual([decision({ type: 'reject', message: 'use rm -i' })]);
  });

  it('sends the text as the result of the call, if the user chooses that', async () => {
    await show();
    await key('r');
    await press('Reply without running');
    expect(screen.getByText('Enter an answer first.')).toBeTruthy();
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'All tests pass.' } });
    await press('Reply without running');
    expect(decided(host)).toEqual([decision({ type: 'respond', text: 'All tests pass.' })]);
  });

  it('rejects on Esc, but not from a form', async () => {
    await show();
    await key('r');
    await key('Escape', {}, screen.getByRole('textbox'));
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(decided(host)).toEqual([]);
    await key('Escape');
    expect(decided(host)).toEqual([decision({ type: 'reject' })]);
  });

  it('allows a low-risk call on a plain Enter on the card', async () => {
    setApproval(commandApproval({ risk: 'low' }));
    await show();
    await key('Enter');
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
  });

  it('never allows a high-risk call on a plain Enter, and says which keys do', async () => {
    await show();
    await key('Enter');
    const allow = screen.getByRole('button', { name: 'Allow once' });
    const isTaken = !fireEvent.keyDown(allow, { key: 'Enter' });
    expect(isTaken).toBe(true);
    expect(screen.getByRole('status').textContent).toBe('Press Ctrl+Enter to allow');
    await key('e');
    const field = screen.getByRole('textbox', { name: 'Command' });
    fireEvent.change(field, { target: { value: 'npm t' } });
    const submit = screen.getByRole('button', { name: 'Allow as edited' });
    expect(fireEvent.keyDown(submit, { key: 'Enter' })).toBe(false);
    expect(decided(host)).toEqual([]);
    await key('Enter', { ctrlKey: true }, field);
    expect(decided(host)).toEqual([decision({ type: 'edit', args: { command: 'npm t' } })]);
  });

  it('ignores letters that are typed in a field or pressed with Ctrl', async () => {
    await show();
    await key('r', { ctrlKey: true });
    expect(screen.queryByRole('textbox')).toBeNull();
    await key('r');
    await key('e', {}, screen.getByRole('textbox'));
    expect(screen.getByRole('textbox', { name: /^Reason/ })).toBeTruthy();
  });

  it('accepts keys of a non-Latin keyboard', async () => {
    await show();
    await key('к', { code: 'KeyR' });
    expect(screen.getByRole('textbox', { name: /^Reason/ })).toBeTruthy();
  });

  it('shows the key of each button', async () => {
    await show();
    const keys = screen
      .getAllByRole('button')
      .map((one) => [one.textContent, one.getAttribute('aria-keyshortcuts')]);
    expect(keys).toEqual([
      ['Always…A', 'A'],
      ['EditE', 'E'],
      ['Reject with reason…R', 'R'],
      ['RejectEsc', 'Escape'],
      ['Allow onceCtrl ↵', 'Control+Enter'],
    ]);
  });

  it('leaves Esc to its container', async () => {
    render(<ApprovalCard approval={approval} keepsEscape mount="/home/me/my-api" mac={false} />);
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    await key('Escape');
    expect(decided(host)).toEqual([]);
    expect(screen.getByRole('button', { name: 'Reject' }).textContent).toBe('Reject');
  });

  describe('on screen', () => {
    /** The card's position; everything else fills the window. */
    let top = 0;
    beforeEach(() => {
      top = 0;
      setApproval(commandApproval({ risk: 'low' }));
      vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
        this: HTMLElement,
      ) {
        return this.dataset.approval === undefined
          ? new DOMRect(0, 0, 800, 600)
          : new DOMRect(0, top, 800, 300);
      });
    });
    afterEach(() => vi.restoreAllMocks());
    const focused = async () => {
      await show();
      card().focus();
      await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    };

    it.each([
      ['its heading', -40],
      ['its end', window.innerHeight - 200],
    ])('ignores keys while %s is hidden, and scrolls into view instead', async (_what, place) => {
      top = place;
      const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue();
      await focused();
      for (const name of ['Enter', 'Escape', 'r', 'a', 'e']) await key(name);
      expect(scroll).toHaveBeenCalled();
      top = 10;
      await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
      expect(screen.queryByRole('textbox')).toBeNull();
      expect(decided(host)).toEqual([]);
    });

    it('ignores keys for half a second after it moved', async () => {
      await focused();
      top = 120;
      await key('Enter');
      await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER - 1));
      await key('Enter');
      expect(decided(host)).toEqual([]);
      await act(() => vi.advanceTimersByTimeAsync(1));
      await key('Enter');
      expect(decided(host)).toEqual([decision({ type: 'approve' })]);
    });
  });

  it('waits a second if it appeared under the pointer', async () => {
    const under = vi
      .spyOn(HTMLElement.prototype, 'matches')
      .mockImplementation((selector) => selector === ':hover');
    render(draw());
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER));
    under.mockRestore();
    await press(/Allow once/);
    expect(decided(host)).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(ARM_AFTER_UNDER_POINTER - ARM_AFTER));
    await press(/Allow once/);
    expect(decided(host)).toEqual([decision({ type: 'approve' })]);
  });
});
