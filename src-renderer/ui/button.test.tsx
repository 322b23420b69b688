import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Button, type ButtonVariant, IconButton } from './button';

afterEach(cleanup);

it.each<[ButtonVariant, number]>([
  ['danger', 1],
  ['secondary', 2],
])('lets a double click on a %s button count %i times', (variant, times) => {
  let clicks = 0;
  render(
    <Button variant={variant} onClick={() => clicks++}>
      Go
    </Button>,
  );
  const button = screen.getByRole('button');
  fireEvent.click(button, { detail: 1 });
  fireEvent.click(button, { detail: 2 });
  expect(clicks).toBe(times);
});

it('does not submit a form with the second click of a double click', () => {
  let sent = 0;
  render(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent++;
      }}
    >
      <Button type="submit" variant="danger">
        Delete
      </Button>
    </form>,
  );
  fireEvent.click(screen.getByRole('button'), { detail: 2 });
  expect(sent).toBe(0);
  fireEvent.click(screen.getByRole('button'), { detail: 1 });
  expect(sent).toBe(1);
});

it('keeps the focus while it is busy, and ignores clicks and Enter', () => {
  let sent = 0;
  const form = (busy: boolean) => (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent++;
      }}
    >
      <Button type="submit" busy={busy} onClick={() => sent++}>
        Save
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  const button = screen.getByRole<HTMLButtonElement>('button');
  button.focus();
  rerender(form(true));
  // A browser takes the focus from a disabled button.
  expect(button.disabled).toBe(false);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button);
  expect(sent).toBe(0);
  rerender(form(false));
  fireEvent.click(button);
  expect(sent).toBe(2);
});

it('ignores clicks while it is off, and keeps the focus', () => {
  let clicks = 0;
  const off = (isOff: boolean) => (
    <>
      <Button aria-disabled={isOff} onClick={() => clicks++}>
        Draft
      </Button>
      <IconButton label="Push" icon={null} aria-disabled={isOff} onClick={() => clicks++} />
    </>
  );
  const { rerender } = render(off(true));
  for (const button of screen.getAllByRole<HTMLButtonElement>('button')) {
    button.focus();
    fireEvent.click(button);
    expect(document.activeElement).toBe(button);
  }
  expect(clicks).toBe(0);
  rerender(off(false));
  for (const button of screen.getAllByRole('button')) fireEvent.click(button);
  expect(clicks).toBe(2);
});
