import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement } from 'react';
import { Kbd } from './kbd';

interface TooltipProps {
  label: string;
  /** Keys as shown, for example "Ctrl+N". */
  shortcut?: string | undefined;
  side?: 'top' | 'bottom' | 'left' | 'right';
  children: ReactElement;
}

/** What a control does, shown after the pointer rests on it or focus reaches it. Never the only place of a fact. */
export const Tooltip = ({ label, shortcut, side = 'bottom', children }: TooltipProps) => (
  <Radix.Provider delayDuration={500}>
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-80 items-center gap-2 rounded-control bg-fg px-2 py-1 text-small text-bg shadow-float animate-appear"
        >
          {label}
          {shortcut ? <Kbd inverse>{shortcut}</Kbd> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  </Radix.Provider>
);
