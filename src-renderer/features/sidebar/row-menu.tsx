import { Ellipsis } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { cx, Menu, type MenuItem, menuAnchor, useStateOf } from '../../ui';

/** Pixels from the left and top edge of the row. */
type Place = { x: number; y: number };

export interface RowMenuState {
  open: 'button' | Place | null;
  setOpen(open: RowMenuState['open']): void;
  /** For the row: right click, the menu key and Shift F10. */
  onContextMenu(event: MouseEvent<HTMLElement>): void;
}

/** The menu of the row that shows `owner`. */
export function useRowMenu(owner: string): RowMenuState {
  const [open, setOpen] = useStateOf<RowMenuState['open']>(owner, null);
  return {
    open,
    setOpen,
    onContextMenu: (event) => {
      event.preventDefault();
      const { left, top } = event.currentTarget.getBoundingClientRect();
      setOpen(event.button === 2 ? { x: event.clientX - left, y: event.clientY - top } : 'button');
    },
  };
}

interface RowMenuProps {
  state: RowMenuState;
  label: string;
  items(): readonly MenuItem[];
  tabIndex: number;
  className?: string;
  /** Returns the focus to the row. */
  onClosed(): void;
}

/** The menu of a row, created when it opens: from its button, or where the row was clicked. */
export const RowMenu = ({ state, label, items, tabIndex, className, onClosed }: RowMenuProps) => {
  const { open, setOpen } = state;
  // Has no tooltip, unlike other buttons: a filtered list redraws dozens of rows on each keystroke.
  const button = (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={label}
      aria-haspopup="menu"
      title={label}
      className={cx(
        'inline-flex size-6 min-h-target min-w-target shrink-0 items-center justify-center rounded-control text-fg-2 hover:bg-hover hover:text-fg',
        className,
      )}
      {...(open === null ? { onClick: () => setOpen('button') } : {})}
    >
      <Ellipsis aria-hidden size={16} />
    </button>
  );
  if (open === null) return button;
  const close = (isOpen: boolean) => {
    if (isOpen) return;
    setOpen(null);
    onClosed();
  };
  if (open === 'button')
    return (
      <Menu key="button" align="end" defaultOpen trigger={button} items={items()} onOpenChange={close} />
    );
  return (
    <>
      {button}
      <Menu
        key="place"
        align="start"
        defaultOpen
        trigger={menuAnchor(open)}
        items={items()}
        onOpenChange={close}
      />
    </>
  );
};

interface RowActionsProps extends RowMenuProps {
  /** More buttons. */
  children?: ReactNode;
}

/** The menu of a project's or routine's row and further buttons, which cover its end under the pointer or with the focus. */
export const RowActions = ({ children, ...menu }: RowActionsProps) => (
  <span
    className={cx(
      'absolute right-0.5 flex rounded-control bg-hover group-focus-within/project:opacity-100 group-hover/project:opacity-100',
      menu.state.open !== 'button' && 'opacity-0',
    )}
  >
    <RowMenu {...menu} />
    {children}
  </span>
);
