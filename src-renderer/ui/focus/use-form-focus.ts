import { type RefCallback, type RefObject, useCallback, useEffect, useRef } from 'react';

interface FormFocus {
  /** Around the form. */
  form: RefObject<HTMLDivElement | null>;
  /** The button that opens it. */
  opener: RefCallback<HTMLButtonElement>;
}

/**
 * For a form that takes the place of the button that opens it: moves the focus into the form, and back to the button when
 * the form closes. Otherwise the focus would be lost with what was replaced.
 */
export function useFormFocus(isOpen: boolean): FormFocus {
  const form = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  /** The button had the focus when it went away. */
  const isOwed = useRef(false);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    if (!isOpen) toLost(button.current);
    else if (form.current?.contains(document.activeElement) !== true)
      form.current?.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
  }, [isOpen]);
  const opener = useCallback((next: HTMLButtonElement | null) => {
    // The button of an empty list is another one than that of a list.
    if (next === null) isOwed.current = document.activeElement === button.current;
    else if (isOwed.current) toLost(next);
    button.current = next;
  }, []);
  return { form, opener };
}

/** Something around the button has the focus if what had it was removed. Anything else was chosen by the person. */
function toLost(button: HTMLButtonElement | null): void {
  if (document.activeElement?.contains(button)) button?.focus();
}
