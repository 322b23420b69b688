import type { Settings } from '@contract/app';
import { useEffect } from 'react';

export type Looks = Pick<Settings, 'theme' | 'contrast' | 'motion' | 'fontSize'>;

/** Applies the appearance to <html>: what the person chose, or the system's setting, including its changes. */
export function useTheme({ theme, contrast, motion, fontSize = 100 }: Looks): void {
  useEffect(() => {
    const root = document.documentElement;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const more = matchMedia('(prefers-contrast: more)');
    const less = matchMedia('(prefers-reduced-motion: reduce)');
    const apply = () => {
      root.dataset.theme = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
      root.toggleAttribute('data-high-contrast', contrast === 'more' || more.matches);
      root.toggleAttribute('data-less-motion', motion === 'less' || less.matches);
    };
    apply();
    for (const query of [dark, more, less]) query.addEventListener('change', apply);
    return () => {
      for (const query of [dark, more, less]) query.removeEventListener('change', apply);
    };
  }, [theme, contrast, motion]);
  useEffect(() => {
    document.documentElement.style.setProperty('--font-scale', String(fontSize / 100));
  }, [fontSize]);
}
