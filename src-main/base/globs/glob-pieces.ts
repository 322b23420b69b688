export interface GlobPieces {
  /** The start of every match. */
  prefix: string;
  /** Literal texts that follow in this order, the last one at the end (empty: the end does not matter). */
  pieces: string[];
}

/**
 * Literal parts that every match of a glob contains, for stores that can look them up in an index. They only narrow down the
 * paths: the caller still has to match. `compileGlob` must accept `pattern`.
 */
export function globPieces(pattern: string): GlobPieces {
  const runs = literalRuns(pattern.replace(/^(\.\/|\/)+/, ''));
  const prefix = pattern.includes('/') ? (runs.shift() ?? '') : '';
  const end = runs.pop();
  if (end === undefined) return { prefix, pieces: [] };
  // One in the middle is enough, and limits the cost of comparing.
  const [middle = ''] = runs.toSorted((a, b) => b.length - a.length);
  return { prefix, pieces: middle === '' ? [end] : [middle, end] };
}

/** The texts between wildcards, sets and choices. Empty at an end that is one of these. */
function literalRuns(body: string): string[] {
  const runs = [''];
  for (let at = 0; at < body.length; ) {
    const char = body.charAt(at);
    if (char === '\\') runs.push((runs.pop() ?? '') + body.charAt(at + 1));
    else if (!'*?[{'.includes(char)) runs.push((runs.pop() ?? '') + char);
    else if (runs.length === 1 || runs.at(-1) !== '') runs.push('');
    at = after(body, at);
  }
  return runs;
}

/** The end of the element that starts at `at`. */
function after(body: string, at: number): number {
  switch (body.charAt(at)) {
    case '\\':
      return at + 2;
    case '[':
      return afterSet(body, at);
    case '{': {
      let next = at + 1;
      while (next < body.length && body.charAt(next) !== '}') next = after(body, next);
      return next + 1;
    }
    case '*':
      // There may be no folder in between, and then the slash is missing too.
      return body.startsWith('**/', at) ? at + 3 : at + 1;
    default:
      return at + 1;
  }
}

function afterSet(body: string, at: number): number {
  const first = '!^'.includes(body.charAt(at + 1)) ? at + 2 : at + 1;
  // A bracket in first place belongs to the set.
  const end = body.indexOf(']', first + 1);
  return end < 0 ? body.length : end + 1;
}
