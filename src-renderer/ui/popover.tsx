import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { keepFocus } from './focus/keep-focus';

interface PopoverProps {
  trigger: ReactElement;
  /** Accessible name for screen readers. */
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'bottom' | 'left' | 'right';
  /** Any CSS width. */
  width?: string;
  children: ReactNode;
}

/** A small surface with controls that opens from its trigger. It is not modal; Escape closes it. */
export const Popover = ({
  trigger,
  label,
  align = 'start',
  side = 'bottom',
  width,
  children,
  ...state
}: PopoverProps) => (
  <Radix.Root {...state}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        onCloseAutoFocus={keepFocus}
        aria-label={label}
        align={align}
        side={side}
        sideOffset={4}
        collisionPadding={8}
        style={{ width }}
        className="z-40 max-h-[min(70vh,var(--radix-popover-content-available-height))] overflow-y-auto rounded-card border border-line bg-raised shadow-float outline-none animate-appear"
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
