import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useFocusBack } from './use-focus-back';

afterEach(cleanup);

const Buttons = ({ has }: { has: boolean }) => (
  <div {...useFocusBack(has)}>{has && <button type="button">Stop</button>}</div>
);
const Page = ({ has, isShown = true }: { has: boolean; isShown?: boolean }) => (
  <>
    <input />
    {isShown && <Buttons has={has} />}
  </>
);

function pressed() {
  const { rerender } = render(<Page has />);
  screen.getByRole('textbox').focus();
  const button = screen.getByRole('button');
  button.focus();
  return { rerender, button };
}

it('gives the focus of a button that went back to what had it before', () => {
  const { rerender } = pressed();
  rerender(<Page has={false} />);
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});

it('does so if the whole view went', () => {
  const { rerender } = pressed();
  rerender(<Page has isShown={false} />);
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});

it('leaves it where the person clicked in the meantime', () => {
  const { rerender, button } = pressed();
  button.blur();
  rerender(<Page has={false} />);
  expect(document.activeElement).toBe(document.body);
});
