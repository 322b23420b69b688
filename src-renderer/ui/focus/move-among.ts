import type { KeyboardEvent } from 'react';

/**
 * Moves the focus between the rows of a list with the arrows, Home and End. `rows` is a selector within the list. Keys
 * pressed inside a row are left to the row.
 */
export function moveAmong(event: KeyboardEvent<HTMLElement>, rows: string): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(rows)];
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? all.indexOf(focused) : -1;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (at === -1 || to === undefined) return;
  event.preventDefault();
  all[to]?.focus();
}
