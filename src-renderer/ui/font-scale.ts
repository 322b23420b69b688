import { useSyncExternalStore } from 'react';

/** How much larger than usual the person has letters. What is laid out in pixels for letters grows by it. */
export const useFontScale = (): number => useSyncExternalStore(subscribe, read);

const root = document.documentElement;
const read = (): number => Number(root.style.getPropertyValue('--font-scale')) || 1;

function subscribe(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(root, { attributeFilter: ['style'] });
  return () => observer.disconnect();
}
