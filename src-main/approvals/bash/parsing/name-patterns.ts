import { nameMatcher } from './glob';

const PATTERN = /[*?[]|[@!+]\(/;
/** A class such as `[[:alpha:]]`, and `@(a|b)`, of which only the place counts. */
const CLASS = /\[[!^]?(?:\[:\w+:\]|[^\]])+\]/g;
const ANY_OF = /[?*@!+]\([^()]*\)/g;
/** Letters that a pattern needs before it names something in particular. */
const MIN_LETTERS = 2;

/** Whether a shell may replace a word by names of files. */
const isPattern = (word: string): boolean => PATTERN.test(word);

/** Whether a word is a pattern that may stand for a name: `gi?` for `git`. */
export const mayStandFor = (pattern: string, name: string): boolean =>
  isPattern(pattern) && nameMatcher(pattern.replaceAll(ANY_OF, '*').replaceAll(CLASS, '?'))(name);

/** The same, but not for a pattern that stands for almost any name. */
export const meansName = (pattern: string, name: string): boolean =>
  (pattern.replaceAll(CLASS, '').match(/\w/g)?.length ?? 0) >= MIN_LETTERS && mayStandFor(pattern, name);
