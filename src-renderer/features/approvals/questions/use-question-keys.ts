import type { KeyboardEvent, RefObject } from 'react';
import { useStandsStill } from '../use-armed';
import { isInSight, showCard } from '../use-card-keys';

interface QuestionKeys {
  card: RefObject<HTMLElement | null>;
  /** Esc is not the card's. */
  keepsEscape: boolean;
  /** The form to decline is open. */
  isDeclining: boolean;
  /** Whether the question has an answer. */
  isAnswered(question: number): boolean;
  /** Selects the choice of a question, both 0-based; false if there is no such choice. */
  choose(question: number, choice: number): boolean;
  send(): void;
  decline(): void;
  back(): void;
  step?: ((by: 1 | -1) => void) | undefined;
}

const STEPS: Partial<Record<string, 1 | -1>> = { n: 1, p: -1 };

const questionsIn = (card: HTMLElement | null) => [
  ...(card?.querySelectorAll<HTMLElement>('[data-question]') ?? []),
];
const answersIn = (area: HTMLElement | null | undefined) => [
  ...(area?.querySelectorAll<HTMLElement>('[data-answer]') ?? []),
];
/** Moves the focus to the first answer of a question, 0-based, and shows the question with it. */
export const focusQuestion = (card: HTMLElement | null, at: number): void =>
  focusAnswer(answersIn(questionsIn(card)[at])[0]);

/** Focusing alone would scroll just as far as the answer, below the text of its question. */
function focusAnswer(answer: HTMLElement | undefined): void {
  const question = answer?.closest<HTMLElement>('[data-question]');
  if (question?.contains(document.activeElement) === false) scrollToStart(question);
  answer?.focus();
}

/** Scrolls only the card: one that moves in the conversation takes no keys. */
function scrollToStart(question: HTMLElement): void {
  const card = question.closest<HTMLElement>('[data-approval]');
  for (let area = question.parentElement; area !== null; area = area === card ? null : area.parentElement) {
    if (area.scrollHeight <= area.clientHeight) continue;
    area.scrollTop += question.getBoundingClientRect().top - area.getBoundingClientRect().top - ABOVE;
    return;
  }
}

/** Pixels above a question that is scrolled to. */
const ABOVE = 8;
const isText = (target: Element): target is HTMLTextAreaElement => target instanceof HTMLTextAreaElement;

/** The keys of a card with questions: digits choose, arrows move, Enter moves on and sends, Esc declines. */
export function useQuestionKeys(keys: QuestionKeys) {
  const { card } = keys;
  const standsStill = useStandsStill(card);
  const firstOpen = () => {
    const all = questionsIn(card.current);
    const open = all.findIndex((_area, index) => !keys.isAnswered(index));
    return open;
  };
  const onEnter = (event: KeyboardEvent, target: Element) => {
    if (target.closest('button') !== null || (event.shiftKey && isText(target))) return;
    event.preventDefault();
    const at = questionOf(target);
    if (at !== -1 && !keys.isAnswered(at)) {
      const index = target instanceof HTMLInputElement ? Number(target.dataset.answer) : -1;
      // The state changes with the next render: the next Enter moves on.
      if (index >= 0 && keys.choose(at, index)) return;
    }
    const open = firstOpen();
    if (open !== -1) return focusQuestion(card.current, open);
    if (!standsStill()) return;
    if (isInSight(card.current)) keys.send();
    else showCard(card.current);
  };
  const onArrow = (event: KeyboardEvent, target: Element, by: 1 | -1) => {
    if (isText(target) && target.value.includes('\n')) return;
    const all = answersIn(card.current);
    const at = all.indexOf(target as HTMLElement);
    event.preventDefault();
    focusAnswer(at === -1 ? all[by === 1 ? 0 : all.length - 1] : all[at + by]);
  };
  return (event: KeyboardEvent) => {
    const { target, nativeEvent, key } = event;
    if (nativeEvent.isComposing || event.repeat || event.defaultPrevented) return;
    if (!(target instanceof Element) || event.altKey) return;
    if (key === 'Escape') {
      if (keys.isDeclining) {
        event.preventDefault();
        return keys.back();
      }
      if (keys.keepsEscape) return;
      event.preventDefault();
      return keys.decline();
    }
    if (keys.isDeclining) return;
    if (key === 'Enter') return onEnter(event, target);
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (key === 'ArrowDown' || key === 'ArrowUp') return onArrow(event, target, key === 'ArrowDown' ? 1 : -1);
    if (isText(target)) return;
    if (/^[1-9]$/.test(key)) {
      const within = questionOf(target);
      const at = within === -1 ? Math.max(0, firstOpen()) : within;
      const index = Number(key) - 1;
      if (!keys.choose(at, index)) return;
      event.preventDefault();
      return focusAnswer(answersIn(questionsIn(card.current)[at])[index]);
    }
    const by = STEPS[key.toLowerCase()];
    if (by !== undefined && keys.step !== undefined) {
      event.preventDefault();
      keys.step(by);
    }
  };
}

const questionOf = (target: Element): number =>
  Number(target.closest<HTMLElement>('[data-question]')?.dataset.question ?? -1);
