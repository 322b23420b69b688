import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Button, type ButtonVariant } from './button';

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
