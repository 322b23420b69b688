/**
 * A character that draws nothing or a blank other than U+0020, or that changes how its neighbors are drawn: controls, line
 * ends, marks of direction, fillers, joiners, tags, variation selectors, odd spaces, lone surrogates, private use. The
 * one list for every place that shows a name, a command or a question.
 */
const UNSEEN =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufffc\u{1d159}]/u;
const ALL_UNSEEN = new RegExp(UNSEEN, 'gu');

export const hasUnseen = (text: string): boolean => UNSEEN.test(text);
export const replaceUnseen = (text: string, by: (character: string) => string): string =>
  text.replace(ALL_UNSEEN, by);

/** A sentence that a name in it cannot reorder: marks of direction appear as their codes. */
export const withDirectionsShown = (text: string): string =>
  text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (mark) => clearText(mark));

/**
 * Marks that reverse the text after them, or embed it. The other marks of direction are not in this list, because right-to-left
 * languages need them.
 */
const OVERRIDES = /[\u202a-\u202e]/gu;

/** Prose in which these marks appear as their codes. */
export const withOverridesShown = (text: string): string =>
  text.replace(OVERRIDES, (mark) => clearText(mark));

export const withoutOverrides = (text: string): string => text.replace(OVERRIDES, '');

/** Letters that look Latin: Cyrillic, some Greek, full-width and mathematical. */
const ALIKE =
  /[\p{Script=Cyrillic}\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b9\u03bd\u03bf\u03c1\u03c5\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}]/u;
const WORD = /[\p{L}\p{N}_]+/gu;
const LATIN = /\p{Script=Latin}/u;

/** The UTF-16 indexes of letters that make a word look like another one: among Latin letters or, if `strict`, anywhere. */
export function lookAlikes(text: string, strict: boolean): Set<number> {
  const places = new Set<number>();
  if (!ALIKE.test(text)) return places;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!strict && !LATIN.test(word)) continue;
    let at = index;
    for (const character of word) {
      if (ALIKE.test(character)) places.add(at);
      at += character.length;
    }
  }
  return places;
}

/** A text for a place that cannot mark anything: each such character and letter appears as its code (`\u{202e}`). */
export function clearText(text: string, strict = false): string {
  const alike = lookAlikes(text, strict);
  let at = 0;
  let clear = '';
  for (const sign of text) {
    const isShown = !alike.has(at) && !UNSEEN.test(sign);
    clear += isShown ? sign : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;
    at += sign.length;
  }
  return clear;
}
