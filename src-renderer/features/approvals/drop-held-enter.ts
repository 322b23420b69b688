import type { KeyboardEvent } from 'react';

/**
 * For `onKeyDownCapture`: a held Enter would click the focused button again and again, also once it stands for another call,
 * and would choose the first entry of a menu that it has just opened.
 */
export function dropHeldEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !event.repeat || event.target instanceof HTMLTextAreaElement) return;
  event.preventDefault();
  event.stopPropagation();
}
