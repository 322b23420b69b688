import { type RefObject, useEffect, useState } from 'react';

/** Milliseconds to wait for a row, and to highlight it. */
const WAIT = 3_000;
const HIGHLIGHT_MS = 2_500;
const MARK = ['outline-2', 'outline-offset-4', 'outline-accent', 'rounded-control'];
/** Marks the section that is shown; the others that were opened are hidden. */
export const SHOWN = 'data-shown';
const NAMES = 'label, legend, h3, h4, dt, th, button, label span, p';

/** The row with this text: the label with its control. */
function rowOf(panel: HTMLElement, text: string): HTMLElement | null {
  const shown = panel.querySelector<HTMLElement>(`[${SHOWN}]`);
  const names = [...(shown?.querySelectorAll<HTMLElement>(NAMES) ?? [])];
  const name =
    names.find((one) => one.textContent?.trim() === text) ??
    names.find((one) => one.textContent?.trim().startsWith(text));
  if (!name) return null;
  if (name.matches('button')) return name;
  const label = name.closest<HTMLElement>('label');
  if (label?.querySelector('input')) return label;
  return name.parentElement;
}

/** Scrolls to a row of the panel, highlights it for a moment and focuses its control, once the row is there. */
export function useJump(panel: RefObject<HTMLElement | null>): (text: string) => void {
  const [target, setTarget] = useState<{ text: string }>();
  useEffect(() => {
    const within = panel.current;
    if (target === undefined || within === null) return;
    let marked: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unmark = () => marked?.classList.remove(...MARK);
    const look = () => {
      const row = rowOf(within, target.text);
      if (row === null) return false;
      marked = row;
      row.classList.add(...MARK);
      row.scrollIntoView({ block: 'center' });
      const control = row.matches('button')
        ? row
        : row.querySelector<HTMLElement>('input, select, textarea, button');
      control?.focus({ preventScroll: true });
      clearTimeout(timer);
      timer = setTimeout(unmark, HIGHLIGHT_MS);
      return true;
    };
    const observer = new MutationObserver(() => {
      if (look()) observer.disconnect();
    });
    if (!look()) {
      observer.observe(within, { childList: true, subtree: true, attributeFilter: [SHOWN] });
      timer = setTimeout(() => observer.disconnect(), WAIT);
    }
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      unmark();
    };
  }, [target, panel]);
  return (text) => setTarget({ text });
}
