/** Characters that nobody sees, in a row. */
const UNSEEN_RUN = /\p{Default_Ignorable_Code_Point}+/gu;
/** Tags and supplementary variation selectors: each stands for a letter or a byte of a text that only models read. */
const LETTER = /[\u{e0000}-\u{e0fff}]/u;
const TWO_SELECTORS = /[\ufe00-\ufe0f]{2}/;
/** From this length on, characters of no width may spell at least one letter in bits. Emoji and scripts need fewer. */
const BITS = 8;
/** Tags after a black flag: the flag of a part of a country. */
const FLAG = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}$/u;
const SELECTOR = /^[\u{e0100}-\u{e01ef}]$/u;

/**
 * The text with a note in place of hidden text: characters that nobody sees and that can spell out instructions for a model.
 * Joiners, marks of direction, flags and single variation selectors stay, because scripts and emoji need them.
 */
export const withoutHiddenText = (text: string): string =>
  isAscii(text)
    ? text
    : text.replace(UNSEEN_RUN, (run, at: number, whole: string) => {
        const count = [...run].length;
        const canSpell = LETTER.test(run) || TWO_SELECTORS.test(run) || count >= BITS;
        return canSpell && !isOrdinary(run, whole.slice(Math.max(0, at - 2), at))
          ? `[${count} invisible character${count === 1 ? '' : 's'} removed]`
          : run;
      });

/** Most long texts are, and looking for that takes a fifth of a search. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

const isOrdinary = (run: string, before: string): boolean =>
  (FLAG.test(run) && before.endsWith('\u{1f3f4}')) ||
  (SELECTOR.test(run) && /\p{Ideographic}$/u.test(before));

/** Does the same to every text and key of a JSON value, in place. Not recursive. */
export function removeHiddenText(value: object): void {
  const open: object[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop())
    for (const [key, part] of Object.entries(one)) {
      const shown = withoutHiddenText(key);
      if (shown !== key) Reflect.deleteProperty(one, key);
      if (typeof part === 'object' && part !== null) open.push(part);
      const clean: unknown = typeof part === 'string' ? withoutHiddenText(part) : part;
      if (shown !== key || clean !== part) Reflect.set(one, shown, clean);
    }
}
