import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Toasts } from './toasts';
import { placeToasts } from './toasts-place';

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

it('appear where the composer leaves room, without a new style for the whole page', () => {
  const { container } = render(<Toasts items={[]} onClose={() => undefined} />);
  const toasts = container.querySelector<HTMLElement>('[data-toasts]');
  act(() => placeToasts({ left: 10, right: 20, bottom: 30 }));
  const places = ['left', 'right', 'bottom'].map((at) => toasts?.style.getPropertyValue(`--toasts-${at}`));
  expect(places).toEqual(['10px', '20px', '30px']);
  expect(document.documentElement.getAttribute('style')).toBeNull();
  act(() => placeToasts(undefined));
  expect(toasts?.style.getPropertyValue('--toasts-left')).toBe('');
});
