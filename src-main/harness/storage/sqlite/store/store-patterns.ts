import type { KeyPattern } from './store-search';

/** Trigrams to narrow a search. More cost more than they exclude, because the text itself is checked afterwards. */
const MAX_TRIGRAMS = 6;

/** An index query that matches every text with that literal; null if the index cannot help. */
export function trigramQuery(literal: string): string | null {
  const characters = Array.from(literal);
  if (characters.length < 3 || literal.includes('\0') || /\p{Surrogate}/u.test(literal)) return null;
  const trigrams = characters
    .slice(2)
    .map((last, index) => `${characters[index]}${characters[index + 1]}${last}`);
  const every = Math.max(1, Math.ceil(trigrams.length / MAX_TRIGRAMS));
  const chosen = new Set(trigrams.filter((_, index) => index % every === 0));
  return [...chosen].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
}

/** A text as it appears in the JSON of any value that contains it; empty if unknown. */
export function jsonOf(literal: string): string {
  // Lines of the older format are separate in JSON, and surrogates have two encodings.
  return literal.includes('\n') || /\p{Surrogate}/u.test(literal) ? '' : JSON.stringify(literal).slice(1, -1);
}

/** Comparing two pieces takes longer than comparing the end alone, which is selective unless it is only a file extension. */
export function keyPattern(prefix: string, pieces: readonly string[]): KeyPattern {
  const join = (parts: readonly string[]) => [prefix, ...parts].map(escapeGlob).join('*');
  const like = join(pieces);
  const end = pieces.at(-1) ?? '';
  return { first: pieces.length > 1 && !/^(?:\.[^.]*)?$/.test(end) ? join([end]) : like, like };
}

const escapeGlob = (text: string): string => text.replace(/[*?[]/g, '[$&]');
