// Classes of characters of Rust's regular expressions, as JavaScript writes them inside brackets.

/** Line endings, and the surrogate halves that stand for bytes that are not UTF-8: no class and no dot matches them. */
export const NEVER = '\\r\\n\\uD800-\\uDFFF';
const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
const SPACE = '\\t\\v\\f\\x20\\x85\\xA0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000';
// V8 also tries between the two halves of a pair, where nothing is behind or ahead. So these state what must be there, not
// what must not.
export const START = '(?:(?:^|(?<=[\\r\\n]))(?<!\\r(?=\\n)))';
export const END = '(?:(?:$|(?=[\\r\\n]))(?<!\\r(?=\\n)))';
export const BOUNDARY = `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`;
export const NO_BOUNDARY = `(?:(?<=[${WORD}])(?=[${WORD}])|(?:^|(?<=[^]))(?<![${WORD}])(?![${WORD}]))`;
export const WORD_START = `(?:(?<![${WORD}])(?=[${WORD}]))`;
export const WORD_END = `(?:(?<=[${WORD}])(?![${WORD}]))`;

export const CLASSES: Record<string, string> = { d: '\\p{Nd}', w: WORD, s: SPACE };
export const POSIX: Record<string, string> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x09\\x0B\\x0C\\x0E-\\x7F',
  blank: '\\t\\x20',
  cntrl: '\\x00-\\x09\\x0B\\x0C\\x0E-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: '\\x20-~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\v\\f\\x20',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};
export class RegexSyntax extends Error {
  constructor(
    readonly kind: 'invalid' | 'unsupported',
    message: string,
  ) {
    super(message);
  }
}

export function withoutLineEnds(from: number, to: number): string {
  const parts: string[] = [];
  let start = from;
  for (const gap of [10, 13, 0xd800]) {
    const end = gap === 0xd800 ? 0xdfff : gap;
    if (to < gap || start > end) continue;
    if (start < gap) parts.push(range(start, gap - 1));
    start = end + 1;
  }
  if (start <= to) parts.push(range(start, to));
  return parts.join('');
}

const range = (from: number, to: number) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`;

export function unicodeClass(name: string, value: string | undefined): string {
  const tries = value === undefined ? [name, `Script=${name}`] : [`${name}=${value}`];
  const known = tries.find((property) => isProperty(property));
  if (known === undefined) throw new RegexSyntax('unsupported', 'this Unicode class needs ripgrep');
  return `\\p{${known}}`;
}

function isProperty(property: string): boolean {
  try {
    new RegExp(`\\p{${property}}`, 'u');
    return true;
  } catch {
    return false;
  }
}
