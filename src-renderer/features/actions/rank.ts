import { foldText } from '@contract/shared/fold-text';

/**
 * How well a text matches what was typed: 0 is no match, more is better. The text must contain every word. If a word is
 * missing but its letters occur in order, it scores a little, if `scattered` is set. Pure.
 */
export function rank(typed: string, text: string, scattered = true): number {
  const words = foldText(typed).split(/\s+/u).filter(Boolean);
  const hay = foldText(text);
  let sum = 0;
  for (const word of words) {
    const at = hay.indexOf(word);
    if (at === -1) {
      if (!scattered || !inOrder(word, hay)) return 0;
      sum += 1;
      continue;
    }
    const isStart = at === 0 || /[^\p{L}\p{N}]/u.test(hay[at - 1] ?? '');
    sum += at === 0 ? 40 : isStart ? 30 : 12;
  }
  // Of two matches, the shorter text is more often the one meant.
  return words.length === 0 ? 1 : sum + 1 / (1 + hay.length);
}

/** Whether the letters of `word` occur in `hay` in this order. Only for words that are long enough to be distinctive. */
function inOrder(word: string, hay: string): boolean {
  if (word.length < 3) return false;
  let from = 0;
  for (const letter of word) {
    const at = hay.indexOf(letter, from);
    if (at === -1) return false;
    from = at + 1;
  }
  return true;
}
