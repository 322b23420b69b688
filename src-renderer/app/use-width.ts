import { useSyncExternalStore } from 'react';

const subscribe = (changed: () => void) => {
  window.addEventListener('resize', changed);
  return () => window.removeEventListener('resize', changed);
};

/** Under 1,100 px the dock is a drawer, under 760 px the sidebar too. */
export const useLayout = (): 'wide' | 'medium' | 'narrow' =>
  useSyncExternalStore(subscribe, () =>
    window.innerWidth < 760 ? 'narrow' : window.innerWidth < 1_100 ? 'medium' : 'wide',
  );
