import { type Failure, failure } from '../failure';
import {
  BOUNDARY,
  CLASSES,
  END,
  NEVER,
  NO_BOUNDARY,
  POSIX,
  RegexSyntax,
  START,
  unicodeClass,
  WORD_END,
  WORD_START,
  withoutLineEnds,
} from './regex-classes';

export interface LineRegex {
  /** Finds a match that never crosses a line ending. */
  source: string;
  flags: string;
  /** A text that every match contains, for skipping files quickly. '' if none is known. */
  literal: string;
}

const CONTROL: Record<string, number> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** More repetitions create an automaton that ripgrep rejects as well. */
const MAX_REPEATS = 100_000;
const MAX_DEPTH = 200;

class UnopenedGroup extends RegexSyntax {
  constructor() {
    super('invalid', 'unopened group');
  }
}

/**
 * Translates a regular expression from Rust syntax, as ripgrep accepts it (Unicode, `--crlf`), to JavaScript, if both mean
 * the same. Errors: `invalid` for what ripgrep rejects too, `unsupported` for what only ripgrep can do.
 */
export function translateRegex(pattern: string): LineRegex | Failure {
  try {
    return parse(pattern);
  } catch (thrown) {
    if (thrown instanceof RegexSyntax)
      return failure(thrown.kind, `The search pattern is not valid: ${thrown.message}.`);
    if (thrown instanceof SyntaxError)
      return failure('unsupported', 'The search pattern cannot be used without ripgrep. Use a simpler one.');
    throw thrown;
  }
}

/**
 * Whether the pattern closes a group that it did not open. ripgrep wraps a pattern in a group, and so would find something
 * for `)*a|(a`, which closes that group and opens another one.
 */
export function closesUnopened(pattern: string): boolean {
  try {
    parse(pattern);
  } catch (thrown) {
    if (!(thrown instanceof RegexSyntax || thrown instanceof SyntaxError)) throw thrown;
    return thrown instanceof UnopenedGroup;
  }
  return false;
}

function parse(pattern: string): LineRegex {
  const ignoreCase = pattern.startsWith('(?i)');
  const parser = new Parser(pattern, ignoreCase ? 4 : 0);
  const source = parser.whole();
  // `v` only if it is needed: with it, V8 11.3 misses matches that it finds with `u`.
  const flags = `g${parser.nestsSets ? 'v' : 'u'}${ignoreCase ? 'i' : ''}`;
  new RegExp(source, flags);
  return { source, flags, literal: ignoreCase ? '' : parser.literal };
}

class Parser {
  literal = '';
  /** A class contains a class. */
  nestsSets = false;
  private run = '';
  private depth = 0;
  private readonly names = new Set<string>();

  constructor(
    private readonly pattern: string,
    private at: number,
  ) {}

  whole(): string {
    const source = this.alternatives();
    if (this.at < this.pattern.length) throw new UnopenedGroup();
    this.endRun();
    return source;
  }

  private alternatives(): string {
    const choices: string[] = [];
    for (;;) {
      choices.push(this.sequence());
      if (this.peek() !== '|') break;
      this.at += 1;
    }
    if (choices.length > 1 && this.depth === 0) {
      // No text is in all of them.
      this.literal = '';
      this.run = '';
    }
    return choices.join('|');
  }

  private sequence(): string {
    let source = '';
    while (this.at < this.pattern.length && this.peek() !== '|' && this.peek() !== ')') {
      const from = this.at;
      const one = this.one();
      const repeated = this.repeated(one.source);
      if (this.depth === 0) this.note(repeated === one.source ? one.char : undefined);
      source += repeated;
      if (this.at === from) throw new RegexSyntax('invalid', 'syntax error');
    }
    return source;
  }

  /** Keeps the longest run of plain characters outside groups. */
  private note(char: string | undefined): void {
    if (char !== undefined) this.run += char;
    else this.endRun();
  }

  private endRun(): void {
    if (this.run.length > this.literal.length) this.literal = this.run;
    this.run = '';
  }

  private one(): { source: string; char?: string } {
    const char = this.next();
    switch (char) {
      case '.':
        return { source: `[^${NEVER}]` };
      case '^':
        return { source: START };
      case '$':
        return { source: END };
      case '[':
        return { source: this.set() };
      case '(':
        return { source: this.group() };
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
      case '{':
        throw new RegexSyntax('invalid', 'repetition operator missing expression');
      default:
        if (isLineEnd(char)) throw this.lineEnd();
        return { source: quote(char), char };
    }
  }

  private group(): string {
    if (this.peek() === '?') {
      const named = /^\?P?<([A-Za-z_][\w.[\]]*)>/.exec(this.pattern.slice(this.at));
      if (named?.[1] !== undefined) {
        if (this.names.has(named[1])) throw new RegexSyntax('invalid', 'duplicate capture group name');
        this.names.add(named[1]);
        this.at += named[0].length;
      } else if (this.pattern.startsWith('?:', this.at)) this.at += 2;
      else if (/^\?<?[=!]/.test(this.pattern.slice(this.at)))
        throw new RegexSyntax('invalid', 'look-around is not supported');
      else
        throw new RegexSyntax('unsupported', 'flags inside a pattern need ripgrep (but `(?i)` at its begin)');
    }
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new RegexSyntax('invalid', 'too many nested groups');
    const inner = this.alternatives();
    this.depth -= 1;
    if (this.next() !== ')') throw new RegexSyntax('invalid', 'unclosed group');
    return `(?:${inner})`;
  }

  /** Adds the repetitions that follow. Each one after the first repeats a repetition. */
  private repeated(source: string): string {
    let all = source;
    for (;;) {
      const char = this.peek();
      let one: string;
      if (char === '*' || char === '+' || char === '?') {
        this.at += 1;
        one = char;
      } else if (char === '{') {
        const counted = /^\{ *(\d+) *(?:(,) *(\d*) *)?\}/.exec(this.pattern.slice(this.at));
        if (counted === null)
          throw new RegexSyntax('invalid', 'repetition quantifier expects a valid decimal');
        const [whole, low = '', comma, high = ''] = counted;
        if (high !== '' && Number(high) < Number(low))
          throw new RegexSyntax('invalid', 'invalid repetition count range');
        if (Math.max(Number(low), Number(high)) > MAX_REPEATS)
          throw new RegexSyntax('invalid', 'compiled regex exceeds size limit');
        this.at += whole.length;
        one = `{${low}${comma === undefined ? '' : `,${high}`}}`;
      } else return all;
      if (this.peek() === '?') {
        this.at += 1;
        one += '?';
      }
      all = `(?:${all})${one}`;
    }
  }

  private escape(): { source: string; char?: string } {
    const char = this.next();
    if (char === '') throw new RegexSyntax('invalid', 'incomplete escape sequence');
    if (char === 'b') {
      for (const [word, source] of [
        ['{start}', WORD_START],
        ['{end}', WORD_END],
      ] as const)
        if (this.pattern.startsWith(word, this.at)) {
          this.at += word.length;
          return { source };
        }
      if (this.peek() === '{') throw new RegexSyntax('unsupported', 'this kind of \\b needs ripgrep');
      return { source: BOUNDARY };
    }
    if (char === 'B') return { source: NO_BOUNDARY };
    if (char === '<') return { source: WORD_START };
    if (char === '>') return { source: WORD_END };
    if (char === 'A' || char === 'z')
      throw new RegexSyntax('unsupported', `\\${char} needs ripgrep; use ^ or $`);
    const inside = this.classEscape(char);
    if (inside !== null) return { source: inside.negated ? `[^${inside.set}${NEVER}]` : `[${inside.set}]` };
    const literal = this.character(char);
    if (isLineEnd(literal)) throw this.lineEnd();
    return { source: quote(literal), char: literal };
  }

  private classEscape(char: string): { set: string; negated: boolean } | null {
    const lower = char.toLowerCase();
    if ('dws'.includes(lower)) return { set: CLASSES[lower] ?? '', negated: char !== lower };
    if (lower !== 'p') return null;
    const named = /^(?:\{(\^?)([A-Za-z0-9_ -]+)(?:[=:]([A-Za-z0-9_ -]+))?\}|([A-Z]))/.exec(
      this.pattern.slice(this.at),
    );
    if (named === null) throw new RegexSyntax('unsupported', 'this Unicode class needs ripgrep');
    this.at += named[0].length;
    const [, caret = '', name = '', value, short] = named;
    return { set: unicodeClass(short ?? name, value), negated: (char === 'P') !== (caret === '^') };
  }

  /** The character for an escape that is not a class. */
  private character(char: string): string {
    const code = CONTROL[char];
    if (code !== undefined) return String.fromCodePoint(code);
    const digits = { x: 2, u: 4, U: 8 }[char];
    if (digits !== undefined) {
      const found =
        /^\{([0-9A-Fa-f]{1,8})\}/.exec(this.pattern.slice(this.at)) ??
        new RegExp(`^([0-9A-Fa-f]{${digits}})`).exec(this.pattern.slice(this.at));
      const point = Number.parseInt(found?.[1] ?? '', 16);
      if (found === null || !(point <= 0x10ffff) || (point >= 0xd800 && point <= 0xdfff))
        throw new RegexSyntax('invalid', 'hexadecimal escape is not a character');
      this.at += found[0].length;
      return String.fromCodePoint(point);
    }
    if (!/^[!-/:-@[-`{-~ ]$/.test(char)) throw new RegexSyntax('invalid', 'unrecognized escape sequence');
    return char;
  }

  /**
   * ripgrep rejects it too. With several choices, though, it first merges them into one class and removes the line ending.
   */
  private lineEnd(): RegexSyntax {
    return this.pattern.includes('|')
      ? new RegexSyntax('unsupported', 'a line end beside other choices needs ripgrep')
      : new RegexSyntax('invalid', 'a line end is not allowed in a regex');
  }

  private set(): string {
    const { negated, inner } = this.setBody();
    if (inner === '' && !negated) throw this.lineEnd();
    if (negated) return `[^${inner}${NEVER}]`;
    // A nested negation may add a line ending.
    return /\[\^|\\P\{/.test(inner) ? `(?:(?![${NEVER}])[${inner}])` : `[${inner}]`;
  }

  /** After the `[`. Sets may contain sets, and be subtracted or intersected. */
  private setBody(): { negated: boolean; inner: string } {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new RegexSyntax('invalid', 'too many nested groups');
    const negated = this.peek() === '^';
    if (negated) this.at += 1;
    let parts: string[] = [];
    while (this.peek() === '-') parts.push(quote(this.next()));
    if (parts.length === 0 && this.peek() === ']') parts.push(quote(this.next()));
    let before = '';
    for (;;) {
      const char = this.next();
      if (char === '') throw new RegexSyntax('invalid', 'unclosed character class');
      if (char === ']') break;
      if ((char === '&' || char === '-') && this.peek() === char) {
        this.at += 1;
        this.nestsSets = true;
        before = `[${before}[${parts.join('')}]]${char}${char}`;
        parts = [];
      } else parts.push(this.setPart(char));
    }
    this.depth -= 1;
    const last = parts.join('');
    const inner = before === '' ? last : `[${before}[${last}]]`;
    return { negated: negated && before === '', inner: negated && before !== '' ? `[^${inner}]` : inner };
  }

  private setPart(char: string): string {
    const rest = this.pattern.slice(this.at);
    if (char === '[') {
      const posix = /^:(\^?)([a-z]+):\]/.exec(rest);
      const set = posix === null ? undefined : POSIX[posix[2] ?? ''];
      if (posix !== null && set !== undefined) {
        this.at += posix[0].length;
        return posix[1] === '^' ? this.nested(`^${set}`) : set;
      }
      const { negated, inner } = this.setBody();
      return this.nested(`${negated ? '^' : ''}${inner}`);
    }
    if (char === '~' && rest.startsWith('~'))
      throw new RegexSyntax('unsupported', 'this operation on classes needs ripgrep');
    const low = this.setCharacter(char);
    if (low.set !== undefined) return low.set;
    // A line contains no line endings.
    if (!/^-[^\]-]/.test(this.pattern.slice(this.at))) return isLineEnd(low.char) ? '' : quote(low.char);
    this.at += 1;
    const high = this.setCharacter(this.next());
    if (high.set !== undefined) throw new RegexSyntax('invalid', 'invalid character class range');
    const [from, to] = [low.char.codePointAt(0) ?? 0, high.char.codePointAt(0) ?? 0];
    if (from > to) throw new RegexSyntax('invalid', 'invalid character class range');
    return withoutLineEnds(from, to);
  }

  private nested(inner: string): string {
    this.nestsSets = true;
    return `[${inner}]`;
  }

  private setCharacter(char: string): { char: string; set?: undefined } | { set: string } {
    if (char !== '\\') return { char };
    const escaped = this.next();
    if (escaped === '') throw new RegexSyntax('invalid', 'incomplete escape sequence');
    if ('AzbB<>'.includes(escaped)) throw new RegexSyntax('invalid', 'an assertion in a class');
    const inside = this.classEscape(escaped);
    if (inside === null) return { char: this.character(escaped) };
    if (!inside.negated) return { set: inside.set };
    const property = /^\\p\{[^}]*\}$/.test(inside.set);
    return { set: property ? inside.set.replace('\\p', () => '\\P') : this.nested(`^${inside.set}`) };
  }

  private peek(): string {
    const point = this.pattern.codePointAt(this.at);
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  private next(): string {
    const char = this.peek();
    this.at += char.length;
    return char;
  }
}

const isLineEnd = (char: string) => char === '\n' || char === '\r';

/** Any character as itself, inside and outside a class. */
function quote(char: string): string {
  if (/^[A-Za-z0-9_]$/.test(char)) return char;
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
