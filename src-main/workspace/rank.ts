import UFuzzy from '@leeoniya/ufuzzy';
import { folded, letterBits, type Names } from './names';

export interface Ranked {
  name: string;
  /** Start and end, one pair after another. */
  ranges: number[];
}

interface Ranking {
  best: Ranked[];
  /** Number of matching names, including those that are not returned. */
  total: number;
}

/** Maximum matches that are ranked exactly. If there are more, the most likely ones are ranked. */
const EXACT = 400;
/** If this many names contain the query as typed, subsequence matches are not searched. */
const ENOUGH = 200;
/** Number of distinct lengths; longer names count as this long. */
const LENGTHS = 1024;
/** Match levels of names that have only the letters in order: in the file's name, or in its path. */
const IN_NAME = 4;
const IN_PATH = 5;
/** Number of match levels. */
const KINDS = 6;
const SLASH = 47;

const fuzzy = new UFuzzy({ intraIns: 24, intraChars: '.' });
const unicode = new UFuzzy({
  intraIns: 24,
  intraChars: '.',
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
});

/**
 * The best names for the query, best first: whole words before letters in order. Returns the first names for an empty query.
 * A million names take some tens of milliseconds.
 */
export function rank(names: Names, query: string, limit: number): Ranking {
  const needle = query.trim();
  if (needle === '') {
    const first = Array.from({ length: Math.min(limit, names.count) }, (_, at) => ({
      name: names.at(at),
      ranges: [],
    }));
    return { best: first, total: names.count };
  }
  const words = needle.split(/\s+/u).map(folded);
  const likely = new Likely(names.count);
  if (holding(names, words, likely) < ENOUGH) inPieces(names, words, likely);
  const best = inOrder(
    likely.best(EXACT).map((at) => names.at(at)),
    needle,
    words[0]?.toString() ?? '',
  ).slice(0, limit);
  return { best, total: likely.count };
}

/** Collects the names that contain every word. Returns their number. */
function holding(names: Names, words: readonly Uint8Array[], likely: Likely): number {
  const { lower, starts, letters, count } = names;
  const [first = new Uint8Array(), ...others] = words;
  const wanted = words.reduce((bits, word) => bits | letterBits(word), 0);
  let held = 0;
  for (let at = 0; at < count; at += 1) {
    if (((letters[at] ?? 0) & wanted) !== wanted) continue;
    const begin = starts[at] ?? 0;
    const end = (starts[at + 1] ?? 0) - 1;
    const place = placeOf(lower, first, begin, end);
    if (place < 0 || !others.every((word) => placeOf(lower, word, begin, end) >= 0)) continue;
    held += 1;
    likely.take(at, nearness(lower, first, begin, end, place), end - begin);
  }
  return held;
}

/** Collects the names that contain all letters in order but not every whole word. */
function inPieces(names: Names, words: readonly Uint8Array[], likely: Likely): void {
  const { lower, starts, letters, count } = names;
  const text = Buffer.concat(words);
  const wanted = letterBits(text);
  for (let at = 0; at < count; at += 1) {
    if (((letters[at] ?? 0) & wanted) !== wanted) continue;
    const begin = starts[at] ?? 0;
    const end = (starts[at + 1] ?? 0) - 1;
    if (!hasInOrder(lower, text, begin, end)) continue;
    if (words.every((word) => placeOf(lower, word, begin, end) >= 0)) continue;
    likely.take(at, levelInPieces(lower, text, begin, end), end - begin);
  }
}

function hasInOrder(lower: Uint8Array, text: Uint8Array, begin: number, end: number): boolean {
  let met = 0;
  for (let place = begin; place < end && met < text.length; place += 1)
    if (lower[place] === text[met]) met += 1;
  return met === text.length;
}

/** Letters in the file's name mean it before letters that are spread over its folders. */
function levelInPieces(lower: Uint8Array, text: Uint8Array, begin: number, end: number): number {
  const slash = lower.subarray(begin, end).lastIndexOf(SLASH);
  return hasInOrder(lower, text, begin + slash + 1, end) ? IN_NAME : IN_PATH;
}

/** The collected names with their match level and length. */
class Likely {
  private readonly names: Uint32Array;
  private readonly keys: Uint16Array;
  private readonly counts = new Uint32Array(KINDS * LENGTHS);
  private taken = 0;

  constructor(most: number) {
    this.names = new Uint32Array(most);
    this.keys = new Uint16Array(most);
  }

  take(at: number, near: number, length: number): void {
    const key = near * LENGTHS + Math.min(length, LENGTHS - 1);
    this.names[this.taken] = at;
    this.keys[this.taken] = key;
    this.taken += 1;
    this.counts[key] = (this.counts[key] ?? 0) + 1;
  }

  get count(): number {
    return this.taken;
  }

  /**
   * Sorts by match level, then by length, then by original order. It is a counting sort, because there may be a million
   * names.
   */
  best(most: number): number[] {
    // Where the names of each key start in the result.
    const places = new Uint32Array(this.counts.length);
    let before = 0;
    this.counts.forEach((count, key) => {
      places[key] = before;
      before += count;
    });
    const best = new Array<number>(Math.min(most, this.taken)).fill(0);
    for (let n = 0; n < this.taken; n += 1) {
      const key = this.keys[n] ?? 0;
      const place = places[key] ?? most;
      if (place >= most) continue;
      best[place] = this.names[n] ?? 0;
      places[key] = place + 1;
    }
    return best;
  }
}

/** Ranks exactly and adds the matching ranges. Matches in another order than typed come last, without ranges. */
function inOrder(likely: readonly string[], needle: string, word: string): Ranked[] {
  const haystack = [...likely];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is ASCII
  const way = /^[\x00-\x7f]*$/.test(needle) ? fuzzy : unicode;
  const found = way.filter(haystack, needle) ?? [];
  const info = way.info(found, haystack, needle);
  const first = Buffer.from(word);
  const text = Buffer.concat(needle.split(/\s+/u).map(folded));
  const best = way.sort(info, haystack, needle).map((at) => {
    const name = haystack[info.idx[at] ?? 0] ?? '';
    const lower = folded(name);
    const place = placeOf(lower, first, 0, lower.length);
    const near =
      place < 0
        ? levelInPieces(lower, text, 0, lower.length)
        : nearness(lower, first, 0, lower.length, place);
    // Letters that are close together are a better match than scattered ones.
    const span = near === IN_NAME ? spanInName(name, needle) : null;
    return { name, ranges: span?.ranges ?? info.ranges[at] ?? [], near, span: span?.length ?? 0 };
  });
  // A typed name means the file of that name before files in a folder of that name.
  best.sort((a, b) => a.near - b.near || a.span - b.span);
  const seen = new Set(found);
  const rest = haystack.filter((_, at) => !seen.has(at)).map((name) => ({ name, ranges: [] }));
  return [...best.map(({ name, ranges }) => ({ name, ranges })), ...rest];
}

/** The shortest part of the file's name that has the letters in order; null if only the folded letters are the same. */
function spanInName(path: string, needle: string): { length: number; ranges: number[] } | null {
  const begin = path.lastIndexOf('/') + 1;
  const name = path.slice(begin).toLowerCase();
  const letters = needle.toLowerCase().replaceAll(/\s+/gu, '');
  if (begin + name.length !== path.length) return null;
  let best: number[] | null = null;
  for (
    let from = name.indexOf(letters[0] ?? '');
    from !== -1;
    from = name.indexOf(letters[0] ?? '', from + 1)
  ) {
    const places = [from];
    while (places.length < letters.length) {
      const next = name.indexOf(letters[places.length] ?? '', (places.at(-1) ?? 0) + 1);
      if (next === -1) break;
      places.push(next);
    }
    if (places.length < letters.length) break;
    if (best === null || lengthOf(places) < lengthOf(best)) best = places;
  }
  return best && { length: lengthOf(best), ranges: best.flatMap((at) => [begin + at, begin + at + 1]) };
}

const lengthOf = (places: readonly number[]): number => (places.at(-1) ?? 0) - (places[0] ?? 0);

/** First position of a word in a name, or -1. A manual loop, because a native call for each of a million names is slow. */
function placeOf(lower: Uint8Array, word: Uint8Array, begin: number, end: number): number {
  const first = word[0];
  const last = end - word.length;
  for (let at = begin; at <= last; at += 1) {
    if (lower[at] !== first) continue;
    let met = 1;
    while (met < word.length && lower[at + met] === word[met]) met += 1;
    if (met === word.length) return at;
  }
  return -1;
}

/**
 * Match level of a name that contains the word, first at `place`. 0: equals the file name; 1: starts it; 2: is in it; 3: is
 * in its folder.
 */
function nearness(lower: Uint8Array, word: Uint8Array, begin: number, end: number, place: number): number {
  let cut = end;
  while (cut > begin && lower[cut - 1] !== SLASH) cut -= 1;
  const at = place >= cut ? place : placeOf(lower, word, cut, end);
  if (at < 0) return 3;
  if (at > cut) return 2;
  return end === cut + word.length ? 0 : 1;
}
