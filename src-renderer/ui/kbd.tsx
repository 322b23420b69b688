import type { ReactNode } from 'react';
import { cx } from './cx';

/** Keys to press. */
export const Kbd = ({ children, inverse = false }: { children: ReactNode; inverse?: boolean }) => (
  <kbd
    className={cx(
      'rounded-[4px] border px-1 text-[0.6875rem] leading-4 tabular-nums whitespace-nowrap',
      inverse ? 'border-bg/30 text-bg/80' : 'border-line text-fg-3',
    )}
  >
    {children}
  </kbd>
);
