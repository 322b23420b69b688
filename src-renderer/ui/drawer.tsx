import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from './cx';
import { returnFocus } from './focus/keep-focus';

interface DrawerProps {
  /** Accessible name for screen readers. */
  label: string;
  side: 'left' | 'right';
  open: boolean;
  onClose(): void;
  /** For content that is more than a list. */
  wide?: boolean;
  children: ReactNode;
}

/** A panel over the content in a narrow window. Escape or a click outside closes it. */
export const Drawer = ({ label, side, open, onClose, wide = false, children }: DrawerProps) => (
  <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-30 bg-scrim animate-appear" />
      <Radix.Content
        onCloseAutoFocus={returnFocus}
        aria-describedby={undefined}
        // The content takes the focus itself; otherwise the close button would get it.
        onOpenAutoFocus={(event) => {
          if (!wide || !(event.target instanceof HTMLElement)) return;
          event.preventDefault();
          if (!event.target.contains(document.activeElement)) event.target.focus();
        }}
        // A form inside handles Escape itself, so that the drawer does not close and discard what was typed.
        onEscapeKeyDown={(event) => {
          if (event.target instanceof Element && event.target.closest('form')) event.preventDefault();
        }}
        className={cx(
          'fixed inset-y-0 z-30 max-w-[calc(100vw-3.5rem)] border-line bg-bg shadow-float outline-none animate-appear',
          side === 'left' ? 'left-0 border-r' : 'right-0 border-l',
          wide ? 'w-160' : side === 'left' ? 'w-70' : 'w-105',
        )}
      >
        <Radix.Title className="sr-only">{label}</Radix.Title>
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
