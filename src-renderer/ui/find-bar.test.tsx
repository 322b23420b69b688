import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { FindBar, type Places } from './find-bar';

afterEach(cleanup);

function bar(found: Places | undefined, onward: 'up' | 'down' = 'down', text = 'pear') {
  const done: string[] = [];
  render(
    // biome-ignore lint/a11y/noStaticElementInteractions: stands for the window, which has keys of its own
    <div onKeyDown={({ key }) => done.push(`window ${key}`)}>
      <FindBar
        label="Find in file"
        text={text}
        found={found}
        onward={onward}
        place="row"
        onText={(typed) => done.push(`text ${typed}`)}
        onGo={(to) => done.push(to)}
        onClose={() => done.push('close')}
      />
    </div>,
  );
  const field = screen.getByRole('textbox', { name: 'Find in file' });
  return { done, field, status: screen.getByRole('status').textContent };
}

it('moves with Enter and Shift+Enter, closes with Escape, and keeps those keys to itself', () => {
  const { done, field } = bar({ at: 0, total: 2 });
  fireEvent.keyDown(field, { key: 'Enter' });
  fireEvent.keyDown(field, { key: 'Enter', shiftKey: true });
  fireEvent.keyDown(field, { key: 'Escape' });
  fireEvent.keyDown(field, { key: 'F6' });
  expect(done).toEqual(['down', 'up', 'close', 'window F6']);
});

it('searches upward first in content that grows at its end', () => {
  const { done, field } = bar({ at: 1, total: 2 }, 'up');
  fireEvent.keyDown(field, { key: 'Enter' });
  fireEvent.keyDown(field, { key: 'Enter', shiftKey: true });
  expect(done).toEqual(['up', 'down']);
});

it('gives the focus back to what had it when it closes', () => {
  const Page = ({ open }: { open: boolean }) => (
    <>
      <button type="button">Before</button>
      {open && (
        <FindBar
          {...{ label: 'Find in file', text: '', found: undefined, onward: 'down', place: 'row' }}
          onText={() => {}}
          onGo={() => {}}
          onClose={() => {}}
        />
      )}
    </>
  );
  const { rerender } = render(<Page open={false} />);
  const before = screen.getByRole('button');
  before.focus();
  rerender(<Page open />);
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
  for (const button of screen.getAllByRole('button').slice(1)) button.focus();
  rerender(<Page open={false} />);
  expect(document.activeElement).toBe(before);
});

it('lets Enter press a focused button', () => {
  const { done } = bar({ at: 0, total: 2 });
  fireEvent.keyDown(screen.getByRole('button', { name: 'Close search' }), { key: 'Enter' });
  expect(done).toEqual(['window Enter']);
});

it('ignores the Enter that commits input method text', () => {
  const { done, field } = bar({ at: 0, total: 2 });
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
  expect(done).toEqual(['window Enter']);
});

it.each<[string, Places | undefined, string]>([
  ['2 of 3', { at: 1, total: 3 }, 'pear'],
  ['1 of 1000+', { at: 0, total: 1_000, more: true }, 'pear'],
  ['Many matches', { at: -1, total: 1_000 }, 'pear'],
  ['Not found', { at: -1, total: 0 }, 'pear'],
  ['', undefined, 'pear'],
  ['', { at: -1, total: 0 }, ''],
])('says "%s"', (said, found, text) => {
  expect(bar(found, 'down', text).status).toBe(said);
});

it('disables both directions if nothing was found', () => {
  bar({ at: -1, total: 0 });
  for (const name of ['Previous match', 'Next match'])
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
});
