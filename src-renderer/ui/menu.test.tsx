import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Menu } from './menu';

afterEach(cleanup);

function open() {
  render(
    <>
      <Menu trigger={<button type="button">More</button>} items={[{ label: 'Copy', onSelect: () => {} }]} />
      <input aria-label="Beside" />
    </>,
  );
  const trigger = screen.getByRole('button', { name: 'More' });
  trigger.focus();
  fireEvent.keyDown(trigger, { key: 'Enter' });
  return { trigger, entry: screen.getByRole('menuitem', { name: 'Copy' }) };
}

/** Longer than the focus takes to return. */
const later = () => new Promise((resolve) => setTimeout(resolve, 20));

it('returns the focus to the trigger', async () => {
  const { trigger, entry } = open();
  fireEvent.click(entry);
  await waitFor(() => expect(document.activeElement).toBe(trigger));
});

it('does not steal the focus from an element that has it by then', async () => {
  const { entry } = open();
  fireEvent.click(entry);
  screen.getByRole('textbox', { name: 'Beside', hidden: true }).focus();
  await later();
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Beside' }));
});

it('says at an item that cannot be selected why, also by keyboard', async () => {
  const done: string[] = [];
  render(
    <Menu
      trigger={<button type="button">More</button>}
      items={[
        { label: 'Copy', onSelect: () => done.push('copy') },
        { label: 'Paste', disabled: 'The terminal has ended.', onSelect: () => done.push('paste') },
      ]}
    />,
  );
  fireEvent.keyDown(screen.getByRole('button', { name: 'More' }), { key: 'Enter' });
  const paste = await screen.findByRole('menuitem', { name: /^Paste ?The terminal has ended\.$/ });
  expect(paste.getAttribute('aria-disabled')).toBe('true');
  fireEvent.keyDown(document.activeElement as Element, { key: 'End' });
  await waitFor(() => expect(document.activeElement).toBe(paste));
  fireEvent.keyDown(paste, { key: 'Enter' });
  fireEvent.click(paste);
  expect(screen.getByRole('menu')).toBeTruthy();
  expect(done).toEqual([]);
});

it('aligns the labels of items with and without an icon', async () => {
  render(
    <Menu
      trigger={<button type="button">More</button>}
      items={[
        { label: 'Close', icon: <svg aria-hidden />, onSelect: () => {} },
        { label: 'Close others', onSelect: () => {} },
      ]}
    />,
  );
  fireEvent.keyDown(screen.getByRole('button', { name: 'More' }), { key: 'Enter' });
  const items = await screen.findAllByRole('menuitem');
  const before = items.map(({ firstElementChild }) => firstElementChild?.className);
  expect(before[1]).toBe(before[0]);
});
