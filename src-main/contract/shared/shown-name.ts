import { hasUnseen, replaceUnseen } from './unseen';

/** Whether a name has characters that a person cannot recognize. */
export const hasOddCharacters = hasUnseen;

/**
 * A name on one line with nothing hidden. Unseen characters become JSON escapes (`\n`, `\u202e`), so that a model that copies
 * the name into a call's arguments means the same file. A literal backslash that would look like an escape becomes `\x5c`,
 * which is valid in file names (`base/path-names.ts`), so no two names look alike.
 */
export const shownName = (name: string): string =>
  replaceUnseen(
    WINDOWS.test(name) ? name : name.replace(AMBIGUOUS, '\\x5c'),
    (character) => SHORT[character] ?? escaped(character),
  );

/** A JSON escape for each UTF-16 unit. */
const escaped = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const AMBIGUOUS = /\\(?=[nrt]|u[0-9a-f]{4})/g;
/** Windows paths, where a backslash separates folders. */
const WINDOWS = /^(?:[A-Za-z]:\\|\\\\)/;

/** Whether a name shows anything. Spaces and unseen characters alone would be a row without a name. */
export const isVisibleName = (name: string): boolean => replaceUnseen(name, () => '').trim() !== '';
