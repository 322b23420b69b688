import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Toasts } from './toasts';

afterEach(cleanup);

it('is not reordered by a name that overrides the direction of text', () => {
  const message = 'Deleted “invoice\u202efdp.exe”. \u0645\u0644\u0641 stays.';
  render(<Toasts items={[{ id: 1, message }]} onClose={() => undefined} />);
  expect(screen.getByText(/^Deleted/).textContent).toBe(message.replace('\u202e', '\\u{202e}'));
});

it('has the whole message on hover if a name in it is shortened', () => {
  const item = { id: 1, message: 'Renamed “The…end” to “New”', full: 'Renamed “The long end” to “New”' };
  render(<Toasts items={[item]} onClose={() => undefined} />);
  expect(screen.getByText(item.message).title).toBe(item.full);
});
