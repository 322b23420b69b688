import { type FocusEvent, useEffect, useRef } from 'react';

/**
 * Applies what is typed when the focus leaves the form and when the form closes: other settings apply immediately, and a button
 * would be forgotten. Returns the form's handler.
 */
export function useApplying(apply: () => void, isChanged: boolean): (event: FocusEvent<HTMLElement>) => void {
  const latest = useRef({ apply, isChanged });
  latest.current = { apply, isChanged };
  useEffect(
    () => () => {
      if (latest.current.isChanged) latest.current.apply();
    },
    [],
  );
  return (event) => {
    if (isChanged && !event.currentTarget.contains(event.relatedTarget)) apply();
  };
}
