import type { KeyboardEvent } from 'react';

/**
 * Arrows, Home and End go from one row of a list to another: from the row that has the focus to the next that `rows`, a selector within
 * the list, finds. A key inside of a row stays the row's own.
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
