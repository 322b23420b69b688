import { showCard } from './use-card-keys';

/** Decks that can show a call; each returns whether it has the call. */
const decks = new Set<(id: string) => boolean>();

/** Registers a deck. */
export function onShow(show: (id: string) => boolean): () => void {
  decks.add(show);
  return () => void decks.delete(show);
}

const cardOf = (id: string | undefined) =>
  document.querySelector<HTMLElement>(
    id === undefined ? '[data-approval]' : `[data-approval="${CSS.escape(id)}"]`,
  );

/** Focuses a pending call from anywhere; without an id, the first. False if it is not shown. */
export function focusApproval(id?: string): boolean {
  const card = cardOf(id);
  if (card !== null) {
    card.focus({ preventScroll: true });
    showCard(card);
    return true;
  }
  if (id === undefined || ![...decks].some((show) => show(id))) return false;
  // The deck draws it in the next frame.
  requestAnimationFrame(() => cardOf(id)?.focus({ preventScroll: true }));
  return true;
}
