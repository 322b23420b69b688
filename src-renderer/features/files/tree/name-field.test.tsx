import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { NameField } from './name-field';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const enter = (name: string) => {
  const onName = vi.fn(() => Promise.resolve(undefined));
  render(<NameField label="New name" name="a.txt" onName={onName} onCancel={() => {}} />);
  const field = screen.getByRole('textbox', { name: 'New name' });
  fireEvent.change(field, { target: { value: name } });
  fireEvent.keyDown(field, { key: 'Enter' });
  return onName;
};

it('says that a name is too long, in bytes, and scrolls to that', () => {
  const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue();
  const onName = enter(`folder/${'名'.repeat(86)}`);
  expect(screen.getByRole('alert').textContent).toBe('This name is too long. Shorten it.');
  expect(scroll).toHaveBeenCalledWith({ block: 'nearest' });
  expect(onName).not.toHaveBeenCalled();
});

it('takes a long path of names that fit', () => {
  const name = `${'n'.repeat(255)}/${'名'.repeat(85)}`;
  expect(enter(name)).toHaveBeenCalledWith(name);
});
