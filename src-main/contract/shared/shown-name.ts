/**
 * Characters in names that are invisible or change how their neighbors look: controls and escape sequences, line ends,
 * direction overrides, zero-width characters. Built from code points, so that none of them is in this file.
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

/** Whether a name has characters that a person cannot recognize. */
export const hasOddCharacters = (name: string): boolean => name.search(ODD) >= 0;

/**
 * A name on one line with nothing hidden. Odd characters become JSON escapes (`\n`, `\u202e`), so that a model that copies
 * the name into a call's arguments means the same file. A literal backslash that would look like an escape becomes `\x5c`,
 * which is valid in file names (`base/path-names.ts`), so no two names look alike.
 */
export const shownName = (name: string): string =>
  (WINDOWS.test(name) ? name : name.replace(AMBIGUOUS, '\\x5c'))
    .replace(ODD, (character) => SHORT[character] ?? `\\u${hex(character.charCodeAt(0))}`)
    .replace(LONE, (half) => `\\u${hex(half.charCodeAt(0))}`);

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const AMBIGUOUS = /\\(?=[nrt]|u[0-9a-f]{4})/g;
/** Windows paths, where a backslash separates folders. */
const WINDOWS = /^(?:[A-Za-z]:\\|\\\\)/;
/** A lone surrogate, which is not a character. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
