import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement } from 'react';
import { Kbd } from './kbd';

/** Whether the last input came from the keyboard: focus from a click, or returned by a menu, shows no tooltip. */
let byKeys = false;
const listen = { capture: true, passive: true };
window.addEventListener('keydown', () => (byKeys = true), listen);
window.addEventListener('pointerdown', () => (byKeys = false), listen);

interface TooltipProps {
  label: string;
  /** Keys as shown, for example "Ctrl+N". */
  shortcut?: string | undefined;
  side?: 'top' | 'bottom' | 'left' | 'right';
  children: ReactElement;
}

/** What a control does, shown on hover or keyboard focus. Never the only place of a fact. */
export const Tooltip = ({ label, shortcut, side = 'bottom', children }: TooltipProps) => (
  <Radix.Provider delayDuration={500}>
    <Radix.Root>
      <Radix.Trigger asChild onFocus={(event) => !byKeys && event.preventDefault()}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-80 items-center gap-2 rounded-control bg-fg px-2 py-1 text-small text-bg shadow-float animate-appear forced-color-adjust-none"
        >
          {label}
          {shortcut ? <Kbd inverse>{shortcut}</Kbd> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  </Radix.Provider>
);
