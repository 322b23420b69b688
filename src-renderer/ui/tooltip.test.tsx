import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { IconButton } from './button';

afterEach(cleanup);

const open = () => {
  render(<IconButton label="Filter" icon={null} />);
  return screen.getByRole('button', { name: 'Filter' });
};

it('describes a button when it gets the focus by keyboard', async () => {
  const button = open();
  fireEvent.keyDown(document.body, { key: 'Tab' });
  act(() => button.focus());
  expect((await screen.findByRole('tooltip')).textContent).toBe('Filter');
});

it('stays hidden when the focus arrives after a click', async () => {
  const button = open();
  fireEvent.keyDown(document.body, { key: 'a' });
  fireEvent.pointerDown(document.body);
  act(() => button.focus());
  expect(document.activeElement).toBe(button);
  expect(screen.queryByRole('tooltip')).toBeNull();
});
