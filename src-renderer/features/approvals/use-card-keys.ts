import type { KeyboardEvent, RefObject } from 'react';
import { useStandsStill } from './use-armed';
import { hasEndInSight, scrollerOf } from './use-seen-end';

type Letters = Partial<Record<string, (() => void) | undefined>>;

/** What a card's keys do. An absent action is not available now. */
interface CardActions {
  allow?: (() => void) | undefined;
  reject?: (() => void) | undefined;
  /** By lower-case letter. */
  letters: Letters;
  /** By lower-case letter, with Shift. */
  shifted?: Letters;
  step?: ((by: 1 | -1) => void) | undefined;
  /** Returns from a form to the buttons. */
  back?: (() => void) | undefined;
}

interface CardKeys {
  card: RefObject<HTMLElement | null>;
  /** The scrolling part of the card. */
  body: RefObject<HTMLElement | null>;
  mac: boolean;
  /** A plain Enter does not allow it. */
  isHighRisk: boolean;
  actions: CardActions;
  /** A plain Enter was pressed on a high-risk call. */
  onPlainEnter(): void;
}

/** Elements that take typed keys, or that keys activate. */
const TAKES_ENTER = 'button, a, input, textarea, select, summary, [role="radio"], [role="checkbox"]';
const TAKES_LETTERS = 'input:not([type="checkbox"]):not([type="radio"]), textarea, select';

const STEPS: Partial<Record<string, 1 | -1>> = { n: 1, p: -1 };

/** The Latin letter of the key, even on a non-Latin keyboard. */
const letterOf = ({ key, code }: { key: string; code: string }): string =>
  /^[a-z]$/i.test(key) ? key.toLowerCase() : (/^Key([A-Z])$/.exec(code)?.[1] ?? '').toLowerCase();

/** Handles the keys of a focused card. Takes no decision while part of the card is not visible. */
export function useCardKeys({ card, body, mac, isHighRisk, actions, onPlainEnter }: CardKeys) {
  const standsStill = useStandsStill(card);
  const decide = (event: KeyboardEvent, act: (() => void) | undefined) => {
    if (act === undefined) return;
    event.preventDefault();
    if (!standsStill()) return;
    if (isInSight(card.current)) act();
    else showCard(card.current);
  };
  const onEnter = (event: KeyboardEvent, target: Element, mod: boolean) => {
    if (mod) return decide(event, actions.allow);
    if (target.closest(TAKES_ENTER) !== null) {
      // A plain Enter on the button counts as a plain Enter too.
      if (!isHighRisk || target.closest('[data-allow]') === null) return;
    }
    if (!isHighRisk) return decide(event, actions.allow);
    event.preventDefault();
    onPlainEnter();
  };
  return (event: KeyboardEvent) => {
    const { target, nativeEvent } = event;
    if (nativeEvent.isComposing || event.repeat || event.defaultPrevented) return;
    if (!(target instanceof Element) || event.altKey) return;
    // A menu of the card is elsewhere in the document.
    if (card.current?.contains(target) !== true) return;
    const mod = mac ? event.metaKey : event.ctrlKey;
    if (event.key === 'Escape') {
      if (actions.back === undefined) return decide(event, actions.reject);
      event.preventDefault();
      return actions.back();
    }
    if (actions.back !== undefined) return;
    if (event.key === 'Enter') return onEnter(event, target, mod);
    if (event.ctrlKey || event.metaKey || target.closest(TAKES_LETTERS) !== null) return;
    if (event.shiftKey) return decide(event, actions.shifted?.[letterOf(event)]);
    if (target === card.current && scrollBy(body.current, card.current, event.key))
      return event.preventDefault();
    const letter = letterOf(event);
    const by = STEPS[letter];
    if (by !== undefined && actions.step !== undefined) {
      event.preventDefault();
      return actions.step(by);
    }
    decide(event, actions.letters[letter]);
  };
}

/** Rounding tolerance in pixels. */
const SLACK = 1;

/** Whether both the heading and the end of a card are visible, in all scroll containers around it. */
export function isInSight(card: HTMLElement | null): boolean {
  if (card === null) return false;
  const { top, bottom } = card.getBoundingClientRect();
  if (top < -SLACK || bottom > window.innerHeight + SLACK) return false;
  for (let around = card.parentElement; around !== null; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === 'visible') continue;
    const room = around.getBoundingClientRect();
    if (top < room.top - SLACK || bottom > room.bottom + SLACK) return false;
  }
  return true;
}

/** Scrolls a card into view with its heading at the top, once it is laid out. */
export function showCard(card: HTMLElement | null): void {
  card?.scrollIntoView({ block: 'nearest' });
  requestAnimationFrame(() => {
    if (card !== null && !isInSight(card)) card.scrollIntoView({ block: 'start' });
  });
}

/** Pixels that an arrow key scrolls. */
const LINE = 40;

/**
 * Scrolls on a key as a web page would. False for other keys. A long heading and a long command in the card scroll by
 * themselves: first on the way to the end, and last on the way back.
 */
function scrollBy(within: HTMLElement | null, card: HTMLElement, key: string): boolean {
  if (within === null) return false;
  const parts = [...card.querySelectorAll<HTMLElement>('[data-scrolls]')];
  const body = scrollerOf(within, card);
  if (key === 'End' || key === 'Home') return [...parts, body].every((area) => scrollArea(area, key));
  const isBack = key === 'PageUp' || key === 'ArrowUp';
  const hasMore = (area: HTMLElement) => (isBack ? area.scrollTop > 0 : !hasEndInSight(area));
  const area = (isBack ? [body, ...parts.toReversed()] : [...parts, body]).find(hasMore) ?? body;
  return scrollArea(area, key);
}

function scrollArea(area: HTMLElement, key: string): boolean {
  const page = area.clientHeight - LINE;
  const by: Partial<Record<string, number>> = {
    ' ': page,
    PageDown: page,
    PageUp: -page,
    ArrowDown: LINE,
    ArrowUp: -LINE,
    End: area.scrollHeight,
    Home: -area.scrollHeight,
  };
  const pixels = by[key];
  if (pixels === undefined) return false;
  area.scrollTop += pixels;
  return true;
}
