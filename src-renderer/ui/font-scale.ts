import { useSyncExternalStore } from 'react';

/** The scale of the person's text size. Layouts in pixels that hold text scale with it. */
export const useFontScale = (): number => useSyncExternalStore(subscribe, fontScale);

const root = document.documentElement;
export const fontScale = (): number => Number(root.style.getPropertyValue('--font-scale')) || 1;

function subscribe(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(root, { attributeFilter: ['style'] });
  return () => observer.disconnect();
}
