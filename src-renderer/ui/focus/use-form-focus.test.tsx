import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useFormFocus } from './use-form-focus';

const Sample = () => {
  const [isOpen, setOpen] = useState(false);
  const { form, opener } = useFormFocus(isOpen);
  return (
    <>
      <button type="button">Other</button>
      {isOpen ? (
        <div ref={form}>
          <input aria-label="Name" />
          <button type="button" onClick={() => setOpen(false)}>
            Cancel
          </button>
        </div>
      ) : (
        <button type="button" ref={opener} onClick={() => setOpen(true)}>
          Add
        </button>
      )}
    </>
  );
};

const button = (name: string) => screen.getByRole('button', { name });

beforeEach(() => {
  render(<Sample />);
});
afterEach(cleanup);

it('leaves the focus alone at first', () => {
  expect(document.activeElement).toBe(document.body);
});

it('focuses the first field of the form, and the button that opened it again when the form closes', () => {
  button('Add').focus();
  fireEvent.click(button('Add'));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
  button('Cancel').focus();
  fireEvent.click(button('Cancel'));
  expect(document.activeElement).toBe(button('Add'));
});

it('leaves the focus where the person moved it before the form closed', () => {
  fireEvent.click(button('Add'));
  button('Other').focus();
  fireEvent.click(button('Cancel'));
  expect(document.activeElement).toBe(button('Other'));
});

it('focuses the button that takes the place of the one that has the focus', () => {
  cleanup();
  const Swapped = ({ isEmpty }: { isEmpty: boolean }) => {
    const { opener } = useFormFocus(false);
    const add = (
      <button type="button" ref={opener}>
        Add
      </button>
    );
    return isEmpty ? <p>{add}</p> : <div>{add}</div>;
  };
  const { rerender } = render(<Swapped isEmpty />);
  button('Add').focus();
  rerender(<Swapped isEmpty={false} />);
  expect(document.activeElement).toBe(button('Add'));
});
