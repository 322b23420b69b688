import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactElement, type ReactNode, useState } from 'react';
import { cx } from './cx';
import { keepFocus } from './focus/keep-focus';
import { Kbd } from './kbd';

export type MenuItem =
  | 'separator'
  | { heading: string }
  | {
      label: string;
      icon?: ReactNode;
      shortcut?: string | undefined;
      /** If set, the entry is a choice with a check mark. */
      checked?: boolean;
      danger?: boolean;
      /** Why it cannot be selected now, shown below the label. */
      disabled?: string | undefined;
      onSelect(): void;
    };

type Choice = Extract<MenuItem, { label: string }>;

interface MenuProps {
  trigger: ReactElement;
  items: readonly MenuItem[];
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'bottom' | 'left' | 'right';
  /** Open from the start: for a menu that is created on first use. */
  defaultOpen?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** The trigger of a menu that opens at a position: invisible and no tab stop. */
export const menuAnchor = ({ x, y }: { x: number; y: number }, label?: string) => (
  <button
    type="button"
    tabIndex={-1}
    aria-hidden={label === undefined || undefined}
    aria-label={label}
    className="pointer-events-none fixed size-0"
    style={{ left: x, top: y }}
  />
);

/** A menu that opens from its trigger, with arrows, Home, End, type-ahead and Escape. */
export const Menu = ({
  trigger,
  items,
  align = 'start',
  side = 'bottom',
  defaultOpen = false,
  onOpenChange,
}: MenuProps) => {
  const [open, setOpen] = useState(defaultOpen);
  // An item may remove the menu's surroundings. Without `open`, Radix would then not tell that it is closed.
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          onCloseAutoFocus={keepFocus}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[60vh] min-w-44 overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float animate-appear"
        >
          {items.map((item, index, all) => {
            if (item === 'separator')
              // biome-ignore lint/suspicious/noArrayIndexKey: separators have no identity but their place
              return <Radix.Separator key={`line-${index}`} className="mx-1 my-1 h-px bg-line" />;
            if ('heading' in item)
              return (
                <Radix.Label
                  key={`heading ${item.heading}`}
                  className="px-2 pt-1.5 pb-0.5 text-small text-fg-3"
                >
                  {item.heading}
                </Radix.Label>
              );
            return (
              <Entry
                // Two threads may have the same name.
                // biome-ignore lint/suspicious/noArrayIndexKey: entries of the same name have no other identity
                key={`${index} ${item.label}`}
                item={item}
                isIndented={all.some(hasIcon)}
              />
            );
          })}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

const hasIcon = (item: MenuItem): boolean =>
  typeof item === 'object' && 'icon' in item && item.icon !== undefined;

/** An action, or a choice that also tells screen readers whether it is checked. */
const Entry = ({ item, isIndented }: { item: Choice; isIndented: boolean }) => {
  const { label, icon, shortcut, checked, danger, disabled, onSelect } = item;
  const shared = {
    // The arrow keys reach it all the same, so that it can say why.
    'aria-disabled': disabled === undefined ? undefined : true,
    textValue: label,
    onSelect: disabled === undefined ? onSelect : (event: Event) => event.preventDefault(),
    className: cx(
      'flex min-h-7 items-center gap-2 rounded-control px-2 outline-none data-[highlighted]:bg-hover',
      danger === true && disabled === undefined && 'text-deny',
      disabled !== undefined && 'py-1 text-fg-3',
    ),
  };
  const content = (
    <>
      {/* Labels are aligned, also of entries without an icon. */}
      {isIndented && <span className="flex size-4 shrink-0 items-center">{icon}</span>}
      <span className="flex min-w-0 grow flex-col">
        <span className="truncate">{label}</span>
        {disabled !== undefined && (
          // Part of the name: a screen reader reads what is shown.
          <span className="max-w-72 text-small">{disabled}</span>
        )}
      </span>
      {checked === true && <Check aria-hidden size={14} className="text-accent" />}
      {shortcut !== undefined && <Kbd>{shortcut}</Kbd>}
    </>
  );
  return checked === undefined ? (
    <Radix.Item {...shared}>{content}</Radix.Item>
  ) : (
    <Radix.CheckboxItem checked={checked} {...shared}>
      {content}
    </Radix.CheckboxItem>
  );
};
