type Token = { any: 'many' } | { any: 'one' } | { has: (character: string) => boolean };

/**
 * Returns a matcher of names for a shell pattern with `*`, `?` and `[…]`. Its time is at most the length of the name times
 * the length of the pattern. Patterns come from models, and a regular expression made from one can run for hours.
 */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const tokens = tokensOf(pattern);
  return (name) => matches(tokens, [...name], (token, character) => 'has' in token && token.has(character));
}

/** The same for paths. A `**` segment stands for any number of names, and for at least one as the last segment. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const names = pattern.split('/').filter((name) => name !== '');
  const tokens: Token[] = names.flatMap((name): Token[] => {
    if (name === '**') return [{ any: 'many' }];
    return [{ has: nameMatcher(name) }];
  });
  if (names.at(-1) === '**') tokens.push({ any: 'one' });
  return (path) => matches(tokens, path.split('/'), (token, name) => 'has' in token && token.has(name));
}

/** Backtracks only to the last `many`: it can take whatever an earlier one could. */
function matches<T>(
  tokens: readonly Token[],
  items: readonly T[],
  fits: (token: Token, item: T) => boolean,
): boolean {
  let token = 0;
  let item = 0;
  let many = -1;
  let taken = 0;
  while (item < items.length) {
    const next = tokens[token];
    const current = items[item] as T;
    if (next !== undefined && 'any' in next && next.any === 'many') {
      many = token++;
      taken = item;
    } else if (next !== undefined && (('any' in next && next.any === 'one') || fits(next, current))) {
      token++;
      item++;
    } else if (many !== -1) {
      token = many + 1;
      item = ++taken;
    } else return false;
  }
  while (token < tokens.length) {
    const next = tokens[token];
    if (next === undefined || !('any' in next) || next.any !== 'many') return false;
    token++;
  }
  return true;
}

function tokensOf(pattern: string): Token[] {
  const characters = [...pattern];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === '*') {
      const last = tokens.at(-1);
      if (last === undefined || !('any' in last) || last.any !== 'many') tokens.push({ any: 'many' });
    } else if (character === '?') tokens.push({ any: 'one' });
    else {
      const set = character === '[' ? setAt(characters, at) : null;
      tokens.push({ has: set?.has ?? ((other) => other === character) });
      at = set?.end ?? at;
    }
  }
  return tokens;
}

/** `[a-z]`, `[!a]`; null if the bracket is never closed and is therefore a literal. */
function setAt(
  characters: readonly string[],
  start: number,
): { has: (character: string) => boolean; end: number } | null {
  let at = start + 1;
  const isNegated = characters[at] === '!' || characters[at] === '^';
  if (isNegated) at++;
  const end = characters.indexOf(']', at + 1);
  if (end === -1) return null;
  const ranges: [string, string][] = [];
  while (at < end) {
    const from = characters[at] ?? '';
    const isRange = characters[at + 1] === '-' && at + 2 < end;
    const to = isRange ? (characters[at + 2] ?? '') : from;
    ranges.push([from, to]);
    at += isRange ? 3 : 1;
  }
  return { has: (other) => ranges.some(([from, to]) => from <= other && other <= to) !== isNegated, end };
}
