import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { returnFocus } from './focus/keep-focus';

interface OverlayProps {
  /** Accessible name for screen readers. */
  label: string;
  open: boolean;
  onClose(): void;
  children: ReactNode;
}

/**
 * A modal field near the top of the window for searching. Escape closes it. The first field gets the focus, and regains it
 * if something behind the overlay requests it; a field with autoFocus would not.
 */
export const Overlay = ({ label, open, onClose, children }: OverlayProps) => (
  <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 bg-scrim animate-appear" />
      <Radix.Content
        onCloseAutoFocus={returnFocus}
        aria-describedby={undefined}
        data-overlay
        className="fixed top-[10vh] left-1/2 z-40 flex max-h-[70vh] w-[calc(100vw-3rem)] max-w-palette -translate-x-1/2 flex-col overflow-hidden rounded-card border border-line bg-raised shadow-float outline-none animate-appear"
      >
        <Radix.Title className="sr-only">{label}</Radix.Title>
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
