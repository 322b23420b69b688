import { useSyncExternalStore } from 'react';
import { useFontScale } from '../ui';

const subscribe = (changed: () => void) => {
  window.addEventListener('resize', changed);
  return () => window.removeEventListener('resize', changed);
};
const read = () => window.innerWidth;

/** Under 1,100 px the dock is a drawer, under 760 px the sidebar too; with larger text under as much more. */
export const useLayout = (): 'wide' | 'medium' | 'narrow' => {
  const width = useSyncExternalStore(subscribe, read) / Math.max(1, useFontScale());
  return width < 760 ? 'narrow' : width < 1_100 ? 'medium' : 'wide';
};
