import UFuzzy from '@leeoniya/ufuzzy';

export interface Ranked {
  name: string;
  /** Begin and end, one pair after another. */
  ranges: number[];
}

/** Matches whose order is worked out exactly; of more, the likeliest are taken first. */
const EXACT = 1_000;

const plain = new UFuzzy({ intraIns: 24, intraChars: '.' });
const unicode = new UFuzzy({
  intraIns: 24,
  intraChars: '.',
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
});

/** The best of `names` (paths with `/`) for what was typed, the best first. `query` empty: the first ones. */
export function rank(names: readonly string[], query: string, limit: number): Ranked[] {
  const needle = query.trim();
  if (needle === '') return names.slice(0, limit).map((name) => ({ name, ranges: [] }));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is ASCII
  const fuzzy = /^[\x00-\x7f]*$/.test(needle) ? plain : unicode;
  // It does not write to what it is given.
  const haystack = names as string[];
  const found = fuzzy.filter(haystack, needle);
  if (found === null || found.length === 0) return [];
  const likely = found.length <= EXACT ? found : likeliest(haystack, found, needle);
  const info = fuzzy.info(likely, haystack, needle);
  const order = fuzzy.sort(info, haystack, needle);
  const ranked = order.map((at) => {
    const name = haystack[info.idx[at] ?? 0] ?? '';
    return { name, ranges: info.ranges[at] ?? [], score: nearness(name, needle.toLowerCase()) };
  });
  // Who types a name means the file of that name before one in a folder of that name.
  ranked.sort((a, b) => a.score - b.score);
  return ranked.slice(0, limit).map(({ name, ranges }) => ({ name, ranges }));
}

function nearness(name: string, needle: string): number {
  const path = name.toLowerCase();
  const base = path.slice(path.lastIndexOf('/') + 1);
  if (base === needle) return 0;
  if (base.startsWith(needle)) return 1;
  if (base.includes(needle)) return 2;
  return path.includes(needle) ? 3 : 4;
}

/** By how near they are, then by how short, without sorting all of them. */
function likeliest(names: readonly string[], found: readonly number[], needle: string): number[] {
  const wanted = needle.toLowerCase();
  const buckets: number[][] = [[], [], [], [], []];
  for (const at of found) {
    const bucket = buckets[nearness(names[at] ?? '', wanted)];
    if (bucket !== undefined && bucket.length < EXACT * 20) bucket.push(at);
  }
  const best: number[] = [];
  for (const bucket of buckets) {
    if (best.length >= EXACT) break;
    bucket.sort((a, b) => (names[a]?.length ?? 0) - (names[b]?.length ?? 0));
    best.push(...bucket.slice(0, EXACT - best.length));
  }
  // It counts on them being in the order of the list.
  return best.sort((a, b) => a - b);
}
