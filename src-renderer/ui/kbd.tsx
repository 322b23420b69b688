import type { ReactNode } from 'react';
import { cx } from './cx';

interface KbdProps {
  children: ReactNode;
  /** For the dark surface of a tooltip. */
  inverse?: boolean;
  /** For use inside a primary button. */
  onAccent?: boolean;
}

/** A keyboard shortcut. */
export const Kbd = ({ children, inverse = false, onAccent = false }: KbdProps) => (
  <kbd
    className={cx(
      'rounded-mark border px-1 text-small leading-4 font-normal whitespace-nowrap tabular-nums',
      inverse && 'border-bg/30 text-bg/80',
      onAccent && 'border-on-accent/35 text-on-accent',
      !inverse && !onAccent && 'border-line text-fg-3',
    )}
  >
    {children}
  </kbd>
);
