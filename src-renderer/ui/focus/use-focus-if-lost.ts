import { type RefObject, useEffect, useRef } from 'react';
import { isFocusLost } from './keep-focus';

/**
 * For the first element of a view that replaced what had the focus, such as a list whose row was opened: it takes the focus.
 * `view`: changes when the component shows it again.
 */
export function useFocusIfLost<T extends HTMLElement>(view?: unknown): RefObject<T | null> {
  const element = useRef<T>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is lost when the view changes
  useEffect(() => {
    if (isFocusLost()) element.current?.focus();
  }, [view]);
  return element;
}
