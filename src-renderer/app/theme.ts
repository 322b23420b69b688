import type { Settings } from '@contract/app';
import { useEffect } from 'react';

/** Puts the theme on <html>: the one chosen, or the system's while it changes. */
export function useTheme(theme: Settings['theme']): void {
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      document.documentElement.dataset.theme = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
    };
    apply();
    dark.addEventListener('change', apply);
    return () => dark.removeEventListener('change', apply);
  }, [theme]);
}
