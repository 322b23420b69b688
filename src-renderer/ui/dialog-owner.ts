import { createContext, use, useEffect } from 'react';

const Owner = createContext<(by: 1 | -1) => void>(() => undefined);

/** Around a part of the window whose open dialogs somebody counts. Give it a function that stays the same. */
export const DialogOwner = Owner.Provider;

/** Tells the owner while a dialog is open. */
export function useTellOwner(isOpen: boolean): void {
  const tell = use(Owner);
  useEffect(() => {
    if (!isOpen) return;
    tell(1);
    return () => tell(-1);
  }, [isOpen, tell]);
}
