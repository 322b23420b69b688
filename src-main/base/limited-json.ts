/** Limits for a text from an external source. */
export interface TextLimits {
  /** In UTF-8. */
  maxBytes: number;
  /** Maximum nesting of objects and lists. Default 64, since readers of the value may recurse. */
  maxDepth?: number;
}

/** `too_deep`, `too_large`: it exceeds the limits and may or may not be valid. */
export type Parsed = { value: unknown } | { problem: 'invalid' | 'too_deep' | 'too_large' };

const MAX_DEPTH = 64;

/** Parses a JSON text from a folder, a server or a model. Ignores a byte order mark. */
export function parseJson(text: string, limits: TextLimits): Parsed {
  if (exceeds(text, limits.maxBytes)) return { problem: 'too_large' };
  if (jsonDepth(text) > (limits.maxDepth ?? MAX_DEPTH)) return { problem: 'too_deep' };
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch {
    return { problem: 'invalid' };
  }
}

/** Why a YAML text was rejected. */
export type YamlProblem =
  | { problem: 'too_deep' | 'too_large' | 'key_twice' | 'alias' }
  /** `colon`: a value that is not quoted has a colon of its own. */
  | { problem: 'invalid' | 'colon'; line: number; column: number };

/** Parses a YAML text from a folder. Rejects aliases, so that a small file cannot grow to gigabytes. */
export async function parseYaml(text: string, limits: TextLimits): Promise<{ value: unknown } | YamlProblem> {
  const { maxDepth = MAX_DEPTH } = limits;
  if (exceeds(text, limits.maxBytes)) return { problem: 'too_large' };
  if (yamlDepth(text) > maxDepth) return { problem: 'too_deep' };
  // Loaded on first use, not at startup.
  const { parseDocument, visit } = await import('yaml');
  // The library compares each key with all others. A set does the same in linear time.
  const document = parseDocument(text, { uniqueKeys: false });
  const [wrong] = document.errors;
  if (wrong !== undefined) {
    const [{ line, col: column } = { line: 1, col: 1 }] = wrong.linePos ?? [];
    return { problem: wrong.code === 'BLOCK_AS_IMPLICIT_KEY' ? 'colon' : 'invalid', line, column };
  }
  let problem: 'key_twice' | 'alias' | undefined;
  visit(document, {
    Alias: () => {
      problem = 'alias';
      return visit.BREAK;
    },
    Map: (_, { items }) => {
      const keys = new Set(items.map(({ key }) => String(key)));
      if (keys.size === items.length) return undefined;
      problem = 'key_twice';
      return visit.BREAK;
    },
  });
  if (problem !== undefined) return { problem };
  try {
    return { value: document.toJS({ maxAliasCount: 0 }) };
  } catch {
    return { problem: 'invalid', line: 1, column: 1 };
  }
}

/** Whether the objects and lists of a value are nested at most that deep. Not recursive. */
export function isShallow(value: unknown, maxDepth = MAX_DEPTH): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const inner: unknown[] = [];
    for (const one of level)
      if (one !== null && typeof one === 'object') {
        if (depth === maxDepth) return false;
        for (const part of Object.values(one)) inner.push(part);
      }
    level = inner;
  }
  return true;
}

const exceeds = (text: string, maxBytes: number): boolean =>
  // A UTF-16 unit takes one to three bytes.
  text.length > maxBytes || (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes);

/** The maximum number of open brackets, not counting strings. */
function jsonDepth(text: string): number {
  let depth = 0;
  let most = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isString = false;
    } else if (code === QUOTE) isString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      most = Math.max(most, depth);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
  }
  return most;
}

/** An upper bound: all brackets, plus the levels that one line can open with dashes, marks and indentation. */
function yamlDepth(text: string): number {
  let brackets = 0;
  let deepest = 0;
  for (const line of text.split('\n')) {
    let marks = 0;
    // `- - - x`, `? ? x`, `a: b:` and columns: each block level takes at least one column.
    const indent = line.search(/[^ ]/);
    for (let at = 0; at < line.length; at += 1) {
      const code = line.charCodeAt(at);
      if (code === OPEN_BRACE || code === OPEN_BRACKET) brackets += 1;
      else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && brackets > 0) brackets -= 1;
      else if ((code === DASH || code === QUESTION) && (at + 1 === line.length || line[at + 1] === ' '))
        marks += 1;
      deepest = Math.max(deepest, brackets + marks + Math.max(0, indent));
    }
  }
  return deepest;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const DASH = 0x2d;
const QUESTION = 0x3f;
