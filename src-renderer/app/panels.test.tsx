import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { giveElementsSize } from '../testing/layout';
import { Columns, sidebarWidth } from './panels';
import { useLayout } from './use-width';

const Window = () => {
  const layout = useLayout().layout;
  return (
    <Columns beside={layout === 'narrow' ? undefined : <p>Threads</p>} label="Resize">
      <p>{layout}</p>
    </Columns>
  );
};

const letters = (scale: number) =>
  act(async () => {
    document.documentElement.style.setProperty('--font-scale', String(scale));
    // An observer reports the change.
    await Promise.resolve();
  });

afterEach(() => {
  cleanup();
  document.documentElement.removeAttribute('style');
  localStorage.clear();
});

it('fits fewer panels with larger text, and all again at the default size', async () => {
  giveElementsSize();
  vi.stubGlobal('innerWidth', 900);
  render(<Window />);
  expect(screen.getByText('medium')).toBeTruthy();
  await letters(1.5);
  expect(screen.getByText('narrow')).toBeTruthy();
  expect(screen.queryByText('Threads')).toBeNull();
  await letters(1);
  expect(screen.getByText('medium')).toBeTruthy();
  expect(screen.getByText('Threads')).toBeTruthy();
  // A smaller text size does not reduce the width that a panel needs.
  await letters(0.75);
  expect(screen.getByText('medium')).toBeTruthy();
});

it('gives thread titles more of a large screen', () => {
  expect([900, 1_280, 1_920, 2_560, 5_120].map(sidebarWidth)).toEqual([232, 232, 232, 307, 320]);
});
