import { afterEach, expect, it, vi } from 'vitest';
import { watchTheme } from './theme';

const root = document.documentElement;
afterEach(() => {
  root.removeAttribute('style');
  root.removeAttribute('data-theme');
});

/** Resolves after the observers that were there before have learned of the next change. */
const nextReport = () =>
  new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe(root, { attributes: true });
  });

it('a terminal takes new colors for another theme or text size, and for nothing else', async () => {
  const changed = vi.fn();
  const stop = watchTheme(changed);
  root.style.setProperty('--other', '1px');
  root.dataset.theme = 'dark';
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
  const reported = nextReport();
  root.style.setProperty('--other', '2px');
  root.dataset.theme = 'dark';
  await reported;
  expect(changed).toHaveBeenCalledTimes(1);
  root.style.setProperty('--font-scale', '1.5');
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2));
  stop();
});
