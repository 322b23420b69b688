// The parts of the window that F6 cycles through, in visual order. Each has a `data-part`.

const ORDER = ['threads', 'conversation', 'dock', 'terminal'] as const;
export type WindowPart = (typeof ORDER)[number];

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex]';

/** Moves the focus into a part: where it was last, otherwise to its field or its first control. */
export function goToPart(to: WindowPart | 'next' | 'previous'): void {
  const there = ORDER.filter((part) => elementOf(part) !== null);
  if (to !== 'next' && to !== 'previous') {
    focusIn(to);
    return;
  }
  const now = there.findIndex((part) => elementOf(part)?.contains(document.activeElement));
  const step = to === 'next' ? 1 : -1;
  const next = now === -1 ? there[0] : there[(now + step + there.length) % there.length];
  if (next !== undefined) focusIn(next);
}

const elementOf = (part: WindowPart) => document.querySelector<HTMLElement>(`[data-part="${part}"]`);

function focusIn(part: WindowPart): void {
  const element = elementOf(part);
  if (element === null) return;
  const preferred =
    part === 'conversation' || part === 'terminal'
      ? element.querySelector<HTMLElement>('textarea:not([disabled])')
      : (element.querySelector<HTMLElement>('[aria-current="true"], [role="tab"][aria-selected="true"]') ??
        null);
  const target =
    preferred ??
    [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].find(
      (one) => one.tabIndex >= 0 && one.getClientRects().length > 0,
    );
  target?.focus();
}
