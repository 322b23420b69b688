/**
 * The layout of a card: heading and buttons stay, and the part between them scrolls. In a place of 15 lines or less, such as the
 * lowest window with large text, the whole card scrolls. `--card-beside`: the height of what is seen together with it.
 */
export const CARD =
  'flex max-h-[calc(100cqh-var(--card-beside,1.5rem))] min-h-0 flex-col overflow-hidden rounded-card border-2 bg-raised focus:outline-2 focus:outline-offset-2 focus:outline-accent [@container(max-height:15rem)]:max-h-[calc(100cqh-0.75rem)] [@container(max-height:15rem)]:scroll-pb-11 [@container(max-height:15rem)]:overflow-y-auto';

export const CARD_BODY =
  'relative min-h-10 shrink-[4] overflow-y-auto border-t border-line -outline-offset-2 [@container(max-height:15rem)]:shrink-0 [@container(max-height:15rem)]:overflow-visible';

/** A form in place of the buttons. Its overflow never changes: Chromium crashes if that of the scroller of a sticky bar does. */
export const CARD_FORM = 'min-h-24 shrink overflow-y-auto [@container(max-height:15rem)]:shrink-0';
