import { afterEach, expect, it, vi } from 'vitest';
import { watchTheme } from './theme';

const root = document.documentElement;
afterEach(() => {
  root.removeAttribute('style');
  root.removeAttribute('data-theme');
});

it('a terminal takes new colors for another theme or text size, and for nothing else', async () => {
  const changed = vi.fn();
  const stop = watchTheme(changed);
  root.style.setProperty('--other', '1px');
  root.dataset.theme = 'dark';
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
  root.style.setProperty('--other', '2px');
  root.dataset.theme = 'dark';
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(changed).toHaveBeenCalledTimes(1);
  root.style.setProperty('--font-scale', '1.5');
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2));
  stop();
});
