import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Toasts } from '../ui';
import { addToast, addUndo, closeToast, useUi } from './ui-store';

beforeEach(() => {
  vi.useFakeTimers();
  const Shown = () => (
    <>
      <textarea aria-label="Message" />
      <Toasts items={useUi((ui) => ui.toasts)} onClose={closeToast} />
    </>
  );
  render(<Shown />);
});
afterEach(() => {
  cleanup();
  useUi.setState({ toasts: [], undos: [] });
  vi.useRealTimers();
});

const later = (seconds: number) => act(() => vi.advanceTimersByTime(seconds * 1_000));
const shown = () => useUi.getState().toasts.map(({ message }) => message);

it('goes after a while, and later if it takes long to read', () => {
  const long = `Couldn't save ${'notes/'.repeat(15)}a.md: the disk is full. Free some space and try again.`;
  const chinese = '无法保存该文件，因为磁盘已满。请释放一些空间，然后重试。';
  act(() => void [long, chinese, 'Copied'].map((message) => addToast(message, undefined)));
  later(5.1);
  expect(shown()).toEqual([long, chinese]);
  later(3);
  expect(shown()).toEqual([long]);
  later(6);
  expect(shown()).toEqual([]);
});

it('stays while it has the focus, which then returns to where it was', () => {
  const undone = vi.fn();
  screen.getByRole('textbox', { name: 'Message' }).focus();
  act(() => addUndo('Deleted “Old”', { label: 'Undo', run: undone }));
  act(() => screen.getByRole('button', { name: 'Undo' }).focus());
  later(30);
  expect(shown()).toEqual(['Deleted “Old”']);
  act(() => screen.getByRole('textbox').focus());
  later(1.1);
  expect(shown()).toEqual([]);

  act(() => addUndo('Deleted “New”', { label: 'Undo', run: undone }));
  const undo = screen.getByRole('button', { name: 'Undo' });
  act(() => undo.focus());
  fireEvent.click(undo);
  expect(undone).toHaveBeenCalledOnce();
  expect(shown()).toEqual([]);
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});
