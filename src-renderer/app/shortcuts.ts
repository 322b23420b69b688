import type { AppSnapshot } from '@contract/app';
import { useEffect } from 'react';

export type Platform = AppSnapshot['platform'];

/** One key with Ctrl (⌘ on macOS), and what it does. `key` is compared in lower case. */
export interface Shortcut {
  key: string;
  shift?: boolean;
  run(): void;
}

/** Keys as people of that system write them: "Ctrl+N", "⌘N". */
export const keysOf = (platform: Platform, key: string, shift = false): string =>
  platform === 'darwin'
    ? `${shift ? '⇧' : ''}⌘${key.toUpperCase()}`
    : `Ctrl+${shift ? 'Shift+' : ''}${key.toUpperCase()}`;

/** Listens on the window. Terminals keep their own Ctrl keys. */
export function useShortcuts(platform: Platform, shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const mod = platform === 'darwin' ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
      if (!mod || event.altKey || event.isComposing || event.defaultPrevented) return;
      if (event.target instanceof Element && platform !== 'darwin' && event.target.closest('.xterm')) return;
      const found = shortcuts.find(
        (shortcut) =>
          shortcut.key === event.key.toLowerCase() && (shortcut.shift ?? false) === event.shiftKey,
      );
      if (!found) return;
      event.preventDefault();
      found.run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [platform, shortcuts]);
}
