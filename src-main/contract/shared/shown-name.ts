/**
 * Characters in names that are not seen or change how what stands beside them is seen: controls and escape sequences,
 * line ends, overrides of the direction of writing, characters without width. Made by code points, so that none of them
 * stands in this file.
 */
const ODD = new RegExp(
  `[${[
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x061c, 0x061c],
    [0x115f, 0x1160],
    [0x180b, 0x180e],
    [0x200b, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0x3164, 0x3164],
    [0xfeff, 0xfeff],
    [0xfff9, 0xfffb],
  ]
    .map((range) => range.map((code) => `\\u${hex(code)}`).join('-'))
    .join('')}]`,
  'g',
);

function hex(code: number): string {
  return code.toString(16).padStart(4, '0');
}

/** Whether a name has characters that a person cannot see for what they are. */
export const hasOddCharacters = (name: string): boolean => name.search(ODD) >= 0;

/**
 * A name in one row with nothing hidden: odd characters as JSON writes them (`\n`, `\u202e`), so that a model that puts
 * it into the arguments of a call names the same file. A backslash of the name that would be read as the beginning of one
 * is shown as `\x5c`, which names of files may be written with (`base/path-names.ts`): no two names are shown alike.
 */
export const shownName = (name: string): string =>
  (WINDOWS.test(name) ? name : name.replace(AMBIGUOUS, '\\x5c'))
    .replace(ODD, (character) => SHORT[character] ?? `\\u${hex(character.charCodeAt(0))}`)
    .replace(LONE, (half) => `\\u${hex(half.charCodeAt(0))}`);

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const AMBIGUOUS = /\\(?=[nrt]|u[0-9a-f]{4})/g;
/** Where a backslash divides folders. */
const WINDOWS = /^(?:[A-Za-z]:\\|\\\\)/;
/** Half of a pair, which is no character. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
