/**
 * The small pattern language of the grammar tables. Words stand for themselves (any case), `[…]` is optional, `(a|b)` is a
 * choice, a space is white space, `~` is optional white space, and `{slot}` is something the person names:
 *
 * - `{file}` `{dir}` a name, quoted or not; unquoted, it holds no spaces unless it ends in an extension
 * - `{glob}` a name pattern without spaces, or quoted
 * - `{text}` `{from}` `{to}` quoted, or unquoted up to the next word of the pattern
 * - `{line}` a number
 * - `{rest}` everything that follows, unchanged
 */
export interface Template {
  /** Unquoted slots by name; null if the text does not match. A slot in an omitted part is absent. */
  match(text: string): Record<string, string> | null;
}

/** Opening quotes and their closing ones. */
export const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '「': '」',
  '『': '』',
};

const OPENING = Object.keys(QUOTES).join('');
const QUOTED = Object.entries(QUOTES)
  .map(([open, close]) => `${open}(?:\\\\.|[^\\\\${close}])*${close}`)
  .join('|');
/** Unquoted names; the lazy form leaves text for the later words of the pattern. */
const NAME = `[^\\s${OPENING}]\\S*?|[^\\s${OPENING}][^\\n${OPENING}]*?\\.\\w{1,8}`;
const TEXT = `[^\\s${OPENING}][\\s\\S]*?`;

const SLOTS: Readonly<Record<string, string>> = {
  file: `${QUOTED}|${NAME}`,
  dir: `${QUOTED}|${NAME}`,
  glob: `${QUOTED}|[^\\s${OPENING}]\\S*`,
  text: `${QUOTED}|${TEXT}`,
  from: `${QUOTED}|${TEXT}`,
  to: `${QUOTED}|${TEXT}`,
  line: '\\d+',
  rest: '[\\s\\S]+',
};
/** A pattern that ends in one of these keeps the end unchanged; after any other, a full stop is not part of the request. */
const KEEPS_ITS_END = /\{(?:text|to|glob|rest)\}$/;
const FULL_STOP = '(?:(?<![./\\s])\\.|[。！!？?])*';

/** `space` defines a space in the pattern: required white space, or optional in languages without spaces between words. */
export function template(pattern: string, space: 'some' | 'any'): Template {
  const end = KEEPS_ITS_END.test(pattern) ? '' : FULL_STOP;
  const regex = new RegExp(`^\\s*${compile(pattern, space === 'some' ? '\\s+' : '\\s*')}${end}\\s*$`, 'iu');
  return {
    match(text) {
      const found = regex.exec(text);
      if (!found) return null;
      const slots: Record<string, string> = {};
      for (const [name, value] of Object.entries(found.groups ?? {})) {
        if (value !== undefined) slots[name] = value.trim();
      }
      return slots;
    },
  };
}

/** An optional part includes the space before it, or at the start of the pattern, the space after it. */
function compile(pattern: string, space: string): string {
  const closers: string[] = [];
  let regex = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === ' ' && pattern.charAt(at + 1) === '[') {
      regex += `(?:${space}`;
      closers.push(')?');
      at += 1;
    } else if (char === '[') {
      regex += '(?:';
      closers.push(regex === '(?:' || regex.endsWith(`${space})?(?:`) ? `${space})?` : ')?');
    } else if (char === ']') {
      const closer = closers.pop() ?? '';
      regex += closer;
      if (closer !== ')?') at += 1;
    } else if (char === '{') {
      const slot = pattern.slice(at + 1, pattern.indexOf('}', at));
      const shape = SLOTS[slot];
      if (shape === undefined) throw new Error(`The pattern "${pattern}" has an unknown slot {${slot}}.`);
      regex += `(?<${slot}>${shape})`;
      at += slot.length + 1;
    } else if (char === ' ') regex += space;
    else if (char === '~') regex += '\\s*';
    else if (char === '(') regex += '(?:';
    else regex += /[.*+?^$\\]/.test(char) ? `\\${char}` : char;
  }
  return regex;
}

/** The text inside the quotes if all of it is quoted; otherwise the text itself. */
export function unquote(text: string): string {
  const close = QUOTES[text.charAt(0)];
  if (close === undefined || text.length < 2 || !text.endsWith(close)) return text;
  if (!new RegExp(`^(?:${QUOTED})$`, 'u').test(text)) return text;
  return text.slice(1, -1);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** Unquotes, and decodes `\n`, `\t`, `\r`, `\\` and escaped quotes. */
export function textOf(text: string): string {
  const inner = unquote(text);
  const quoted = inner !== text;
  return inner.replace(/\\([\s\S])/gu, (whole, next: string) => {
    const known = ESCAPES[next];
    if (known !== undefined) return known;
    return next === '\\' || (quoted && next in QUOTES) ? next : whole;
  });
}
