import { type MouseEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { Menu, type MenuItem, menuAnchor } from './menu';

/** In the window, in pixels. */
interface Place {
  x: number;
  y: number;
}

export interface ContextMenuState {
  place: Place | null;
  /** The element that had the focus, or was clicked. */
  from: HTMLElement | null;
  close(): void;
  /** For right click, the menu key and Shift F10. */
  onContextMenu(event: MouseEvent<HTMLElement>): void;
}

export function useContextMenu(): ContextMenuState {
  const [{ place, from }, set] = useState<Pick<ContextMenuState, 'place' | 'from'>>({
    place: null,
    from: null,
  });
  return {
    place,
    from,
    close: () => set({ place: null, from }),
    onContextMenu: (event) => {
      event.preventDefault();
      const { left, bottom } = event.currentTarget.getBoundingClientRect();
      const { activeElement } = document;
      set({
        place: event.button === 2 ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom },
        from:
          activeElement instanceof HTMLElement && event.currentTarget.contains(activeElement)
            ? activeElement
            : event.currentTarget,
      });
    },
  };
}

interface ContextMenuProps {
  state: ContextMenuState;
  label: string;
  items(): readonly MenuItem[];
}

/** A menu where something was right-clicked; created when it opens. Returns the focus to where it was. */
export const ContextMenu = ({ state, label, items }: ContextMenuProps) => {
  const { place, from, close } = state;
  if (place === null) return null;
  const onOpenChange = (open: boolean) => {
    if (open) return;
    close();
    // After the item's action, which may move the focus.
    setTimeout(() => document.activeElement === document.body && from?.focus());
  };
  // Outside of rows that are positioned by transforms, which a fixed position would be relative to.
  return createPortal(
    <Menu
      key={`${place.x}:${place.y}`}
      defaultOpen
      trigger={menuAnchor(place, label)}
      items={items()}
      onOpenChange={onOpenChange}
    />,
    document.body,
  );
};
