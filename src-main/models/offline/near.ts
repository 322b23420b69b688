import type { Language } from './language';
import { parseRequest } from './parse';

const MAX_SUGGESTIONS = 3;
/** UTF-16 units; a longer text is not a mistyped request. */
const MAX_LENGTH = 400;

const HELP = /^\s*(?:\/?help(?:\s+me)?|\?|\/?帮助)\s*[.!?。！？]*\s*$/iu;

export const asksForHelp = (text: string): boolean => text.trim() === '' || HELP.test(text);

/** Requests that a text may have meant, the closest first; empty if none is close. Each of them is understood. */
export function nearRequests(text: string, language: Language): string[] {
  if (text.length > MAX_LENGTH) return [];
  const found = [...corrected(text, language), ...examplesFor(text, language)];
  return [...new Set(found)].slice(0, MAX_SUGGESTIONS);
}

/** The text with one or two mistyped words of the grammar corrected, if it is understood then. */
function corrected(text: string, language: Language): string[] {
  const words = text.trim().split(/\s+/u);
  const known = vocabulary(language);
  const spellings = words.map((word) =>
    known.filter((one) => one !== word.toLowerCase() && distance(word.toLowerCase(), one) <= allowed(one)),
  );
  const once = words.flatMap((_, at) =>
    (spellings[at] ?? []).map((one) => ({ at, words: words.with(at, one) })),
  );
  const twice = once.flatMap((first) =>
    words.flatMap((_, at) =>
      at <= first.at ? [] : (spellings[at] ?? []).map((one) => first.words.with(at, one)),
    ),
  );
  return [...once.map((one) => one.words), ...twice]
    .map((one) => one.join(' '))
    .filter((one) => parseRequest(one).understood);
}

/** The words that the patterns of the grammar consist of. */
function vocabulary(language: Language): string[] {
  const words = language.grammar.flatMap(([, ...patterns]) =>
    patterns.flatMap((pattern) => pattern.replace(/\{\w+\}/gu, ' ').match(/\p{L}{2,}/gu) ?? []),
  );
  return [...new Set(words)];
}

/** Mistakes that a word may have: short words are too close to each other. */
const allowed = (word: string) => (word.length < 4 ? 1 : 2);

/** Examples whose words the text uses, about the file that it names. */
function examplesFor(text: string, language: Language): string[] {
  const lower = text.toLowerCase();
  const words: string[] = lower.match(/[\p{L}\p{N}]+/gu) ?? [];
  const isCue = (cue: string) => (language.space === 'any' ? lower.includes(cue) : words.includes(cue));
  const file = /(?:^|\s)([\w./-]*\w\.[a-z]\w{0,7})(?=[\s,;:!?。，]|$)/u.exec(text)?.[1];
  return language.examples
    .map(({ request, cues }) => {
      const at = cues.filter(isCue).map((cue) => lower.indexOf(cue));
      const own = file === undefined ? request : request.replace(/(?<![\w*])[\w-]+\.(?:md|txt)\b/u, file);
      return { request: own, first: Math.min(...at) };
    })
    .filter(({ request, first }) => Number.isFinite(first) && parseRequest(request).understood)
    .sort((a, b) => a.first - b.first)
    .map(({ request }) => request);
}

/** Number of letters to insert, remove, change or swap with a neighbor. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      rows[row]?.push(
        Math.min(
          cell(row - 1, column) + 1,
          cell(row, column - 1) + 1,
          cell(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? cell(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return cell(one.length, other.length);
}
