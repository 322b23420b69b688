import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { giveElementsSize } from '../testing/layout';
import { Columns, sidebarWidth } from './panels';
import { useLayout } from './use-width';

const Window = () => {
  const layout = useLayout();
  return (
    <Columns beside={layout === 'narrow' ? undefined : <p>Threads</p>} label="Resize">
      <p>{layout}</p>
    </Columns>
  );
};

const letters = (scale: number) =>
  act(async () => {
    document.documentElement.style.setProperty('--font-scale', String(scale));
    // The change is told by an observer.
    await Promise.resolve();
  });

afterEach(() => {
  cleanup();
  document.documentElement.removeAttribute('style');
  localStorage.clear();
});

it('has room for fewer panels with larger text, and for all again with the usual ones', async () => {
  giveElementsSize();
  window.innerWidth = 900;
  render(<Window />);
  expect(screen.getByText('medium')).toBeTruthy();
  await letters(1.5);
  expect(screen.getByText('narrow')).toBeTruthy();
  expect(screen.queryByText('Threads')).toBeNull();
  await letters(1);
  expect(screen.getByText('medium')).toBeTruthy();
  expect(screen.getByText('Threads')).toBeTruthy();
  // A smaller text size makes no panel of less room than it needs.
  await letters(0.75);
  expect(screen.getByText('medium')).toBeTruthy();
});

it('gives the titles of threads more of a large screen', () => {
  expect([900, 1_280, 1_920, 2_560, 5_120].map(sidebarWidth)).toEqual([232, 232, 232, 307, 320]);
});
