import UFuzzy from '@leeoniya/ufuzzy';
import type { Names } from './names';
import { lettersOf } from './names';

export interface Ranked {
  name: string;
  /** Begin and end, one pair after another. */
  ranges: number[];
}

/** Matches whose order is worked out exactly; of more, the likeliest are taken. */
const EXACT = 400;
/** Names that hold what was typed as it stands: with so many, those that hold it in pieces are not looked for. */
const ENOUGH = 200;
/** Names of one likelihood that are kept while looking. */
const KEPT = 20_000;

const fuzzy = new UFuzzy({ intraIns: 24, intraChars: '.' });
const unicode = new UFuzzy({
  intraIns: 24,
  intraChars: '.',
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
});

/**
 * The best of the names for what was typed, the best first: words as they stand before letters in their order. Empty:
 * the first names. A million names take some tens of milliseconds.
 */
export function rank({ names, lower, letters }: Names, query: string, limit: number): Ranked[] {
  const needle = query.trim();
  if (needle === '') return names.slice(0, limit).map((name) => ({ name, ranges: [] }));
  const words = needle.toLowerCase().split(/\s+/u);
  const wanted = lettersOf(needle.toLowerCase());
  const buckets: number[][] = [[], [], [], [], []];
  const take = (at: number, likelihood: number) => {
    const bucket = buckets[likelihood];
    if (bucket !== undefined && bucket.length < KEPT) bucket.push(at);
  };
  let held = 0;
  for (let at = 0; at < lower.length; at += 1) {
    if (((letters[at] ?? 0) & wanted) !== wanted) continue;
    const name = lower[at] ?? '';
    if (!words.every((word) => name.includes(word))) continue;
    held += 1;
    take(at, nearness(name, words[0] ?? ''));
  }
  if (held < ENOUGH) {
    const text = words.join('');
    for (let at = 0; at < lower.length; at += 1) {
      if (((letters[at] ?? 0) & wanted) !== wanted) continue;
      const name = lower[at] ?? '';
      if (holdsInOrder(name, text) && !words.every((word) => name.includes(word))) take(at, 4);
    }
  }
  return inOrder(names, likeliest(lower, buckets), needle, words[0] ?? '').slice(0, limit);
}

/** Exactly, with the places that match. What is in another order than it was typed comes last, without them. */
function inOrder(
  names: readonly string[],
  likely: readonly number[],
  needle: string,
  word: string,
): Ranked[] {
  const haystack = likely.map((at) => names[at] ?? '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is ASCII
  const way = /^[\x00-\x7f]*$/.test(needle) ? fuzzy : unicode;
  const found = way.filter(haystack, needle) ?? [];
  const info = way.info(found, haystack, needle);
  const best = way.sort(info, haystack, needle).map((at) => {
    const name = haystack[info.idx[at] ?? 0] ?? '';
    return { name, ranges: info.ranges[at] ?? [], near: nearness(name.toLowerCase(), word) };
  });
  // Who types a name means the file of that name before one in a folder of that name.
  best.sort((a, b) => a.near - b.near);
  const seen = new Set(found);
  const rest = haystack.filter((_, at) => !seen.has(at)).map((name) => ({ name, ranges: [] }));
  return [...best.map(({ name, ranges }) => ({ name, ranges })), ...rest];
}

/** Of a name in lower case; 4: only letters of it, in their order. */
function nearness(name: string, word: string): number {
  const cut = name.lastIndexOf('/') + 1;
  const at = name.indexOf(word, cut);
  if (at === cut) return name.length === cut + word.length ? 0 : 1;
  if (at > cut) return 2;
  return name.includes(word) ? 3 : 4;
}

function holdsInOrder(name: string, text: string): boolean {
  let at = -1;
  for (const character of text) {
    at = name.indexOf(character, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** By how near they are, then by how short. */
function likeliest(lower: readonly string[], buckets: readonly number[][]): number[] {
  const best: number[] = [];
  for (const bucket of buckets) {
    if (best.length >= EXACT) break;
    bucket.sort((a, b) => (lower[a]?.length ?? 0) - (lower[b]?.length ?? 0));
    best.push(...bucket.slice(0, EXACT - best.length));
  }
  return best;
}
