import { useSyncExternalStore } from 'react';
import { useFontScale } from '../ui';

const subscribe = (changed: () => void) => {
  window.addEventListener('resize', changed);
  return () => window.removeEventListener('resize', changed);
};
const read = () => window.innerWidth;

/** Below 1,100 px the dock becomes a drawer, below 760 px the sidebar too. Both limits scale with the text size. */
export const useLayout = (): 'wide' | 'medium' | 'narrow' => {
  const width = useSyncExternalStore(subscribe, read) / Math.max(1, useFontScale());
  return width < 760 ? 'narrow' : width < 1_100 ? 'medium' : 'wide';
};
