import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { cx } from './cx';
import { Kbd } from './kbd';

export type MenuItem =
  | 'separator'
  | { heading: string }
  | {
      label: string;
      icon?: ReactNode;
      shortcut?: string | undefined;
      /** True or false makes it a choice with a check mark. */
      checked?: boolean;
      danger?: boolean;
      disabled?: boolean;
      onSelect(): void;
    };

interface MenuProps {
  trigger: ReactElement;
  items: readonly MenuItem[];
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'bottom' | 'left' | 'right';
  /** Open from the start: for a menu that is made when it is first asked for. */
  defaultOpen?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** A menu that opens from its trigger: arrows, Home, End, type-ahead, Escape. */
export const Menu = ({
  trigger,
  items,
  align = 'start',
  side = 'bottom',
  defaultOpen = false,
  onOpenChange,
}: MenuProps) => (
  <Radix.Root defaultOpen={defaultOpen} {...(onOpenChange ? { onOpenChange } : {})}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        align={align}
        side={side}
        sideOffset={4}
        collisionPadding={8}
        className="z-50 max-h-[60vh] min-w-44 overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float animate-appear"
      >
        {items.map((item, index) => {
          if (item === 'separator')
            // biome-ignore lint/suspicious/noArrayIndexKey: separators have no identity but their place
            return <Radix.Separator key={`line-${index}`} className="mx-1 my-1 h-px bg-line" />;
          if ('heading' in item)
            return (
              <Radix.Label key={item.heading} className="px-2 pt-1.5 pb-0.5 text-small text-fg-3">
                {item.heading}
              </Radix.Label>
            );
          return (
            <Radix.Item
              key={item.label}
              disabled={item.disabled === true}
              onSelect={item.onSelect}
              className={cx(
                'flex h-7 items-center gap-2 rounded-control px-2 outline-none data-[disabled]:opacity-45 data-[highlighted]:bg-hover',
                item.danger === true && 'text-deny',
              )}
            >
              {item.icon !== undefined && <span className="flex size-4 items-center">{item.icon}</span>}
              <span className="min-w-0 grow truncate">{item.label}</span>
              {item.checked === true && <Check aria-hidden size={14} className="text-accent" />}
              {item.shortcut !== undefined && <Kbd>{item.shortcut}</Kbd>}
            </Radix.Item>
          );
        })}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
