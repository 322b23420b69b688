/** Bytes of a character that is not printable ASCII: in the C locale each byte is a character of its own. */
const OTHER = '[^ -~]{1,4}';
const ANY = '.{1,4}';
const CLASSES: Record<string, string> = {
  d: `([0-9]|${OTHER})`,
  w: `([A-Za-z0-9_]|${OTHER})`,
  s: `([[:space:]]|${OTHER})`,
  D: `(${ANY})`,
  W: `(${ANY})`,
  S: `(${ANY})`,
};
const CONTROL: Record<string, string> = { t: '\t', f: '\f', v: '\v', a: '\x07' };
/** Longer expressions are slow in some versions of `grep`. */
const MAX_LENGTH = 10_000;

/**
 * An extended regular expression of POSIX for the C locale that finds every line that the expression (Rust syntax) finds, and
 * maybe more. Null for what has none, such as flags inside, and for expressions that would find every line.
 */
export function posixRegex(pattern: string): string | null {
  const ignoreCase = pattern.startsWith('(?i)');
  try {
    const parser = new Parser(pattern, ignoreCase ? 4 : 0, ignoreCase);
    const source = parser.whole();
    return parser.isSelective && source.length <= MAX_LENGTH ? source : null;
  } catch (thrown) {
    if (thrown instanceof NoEquivalent) return null;
    throw thrown;
  }
}

class NoEquivalent extends Error {}

class Parser {
  /** The expression needs a certain character. */
  isSelective = false;

  constructor(
    private readonly pattern: string,
    private at: number,
    private readonly ignoreCase: boolean,
  ) {}

  whole(): string {
    const choices = this.alternatives();
    if (this.at < this.pattern.length || choices.includes('')) throw new NoEquivalent();
    return choices.join('|');
  }

  private alternatives(): string[] {
    const choices = [this.sequence()];
    while (this.peek() === '|') {
      this.at += 1;
      choices.push(this.sequence());
    }
    return choices;
  }

  private sequence(): string {
    let source = '';
    while (this.at < this.pattern.length && this.peek() !== '|' && this.peek() !== ')') {
      const atom = this.atom();
      source += atom === '' ? this.unrepeated() : atom + this.repetition();
    }
    return source;
  }

  /** One atom, in parentheses if it is longer than one character. Empty for a position. */
  private atom(): string {
    const char = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0);
    this.at += char.length;
    if (char === '^' || char === '$') return '';
    if (char === '.') return `(${ANY})`;
    if (char === '(') return this.group();
    if (char === '[') return this.set();
    if (char === '\\') return this.escape();
    if ('*+?{'.includes(char)) throw new NoEquivalent();
    return this.literal(char);
  }

  private group(): string {
    const kind = /^\?(?:P?<[A-Za-z_]\w*>|:)/.exec(this.pattern.slice(this.at))?.[0];
    if (kind === undefined && this.peek() === '?') throw new NoEquivalent();
    this.at += kind?.length ?? 0;
    const choices = this.alternatives();
    if (this.peek() !== ')') throw new NoEquivalent();
    this.at += 1;
    // What an empty alternative means is not defined.
    const inner = choices.filter((one) => one !== '').join('|');
    if (inner === '') return '';
    return choices.includes('') ? `((${inner})?)` : `(${inner})`;
  }

  private escape(): string {
    const char = this.peek() ?? '';
    this.at += 1;
    if (char === 'b' || char === 'B') {
      if (this.peek() === '{') throw new NoEquivalent();
      return '';
    }
    const known = CLASSES[char];
    if (known !== undefined) return known;
    const control = CONTROL[char];
    if (control !== undefined) return this.literal(control);
    if (/[\p{L}\p{N}<>]/u.test(char) || char === '') throw new NoEquivalent();
    return this.literal(char);
  }

  /** A set of printable ASCII stays as it is. Any other may contain every character. */
  private set(): string {
    const simple = /^((?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9 _.,;:!@#%/"'=+*?(){}$|<>`])+)\]/.exec(
      this.pattern.slice(this.at),
    );
    if (simple?.[1] !== undefined) {
      this.at += simple[0].length;
      this.isSelective = true;
      const letters = this.ignoreCase ? bothCases(simple[1]) : simple[1];
      return this.ignoreCase ? `([${letters}]|${OTHER})` : `[${letters}]`;
    }
    let depth = 1;
    if (this.peek() === '^') this.at += 1;
    // A bracket at the start is a member.
    if (this.peek() === ']') this.at += 1;
    while (depth > 0) {
      const char = this.peek();
      if (char === undefined) throw new NoEquivalent();
      this.at += char === '\\' ? 2 : 1;
      if (char === '[') depth += 1;
      if (char === ']') depth -= 1;
    }
    return `(${ANY})`;
  }

  private literal(char: string): string {
    this.isSelective = true;
    if (!this.ignoreCase) return char.length > 1 || char > '~' ? `(${char})` : plain(char);
    // Letters outside ASCII may be the same in another case: `K` and the sign for Kelvin.
    if (!/^[ -~]$/.test(char)) return `(${OTHER})`;
    if (/[A-Za-z]/.test(char)) return `([${char.toLowerCase()}${char.toUpperCase()}]|${OTHER})`;
    return plain(char);
  }

  /** At least as many repetitions: limits of counts differ between versions of `grep`. */
  private repetition(): string {
    const found = /^(?:[*+?]|\{(\d+)(,\d*)?\})\??/.exec(this.pattern.slice(this.at));
    if (found === null) {
      if (this.peek() === '{') throw new NoEquivalent();
      return '';
    }
    this.at += found[0].length;
    if (/^[*+?{]/.test(this.peek() ?? '')) throw new NoEquivalent();
    const [text, least] = found;
    if (least !== undefined) return Number(least) > 0 ? '+' : '*';
    return text.charAt(0);
  }

  private unrepeated(): string {
    if (/^[*+?{]/.test(this.peek() ?? '')) throw new NoEquivalent();
    return '';
  }

  private peek(): string | undefined {
    return this.pattern[this.at];
  }
}

function plain(char: string): string {
  if (char === '\\' || char === '^') return `\\${char}`;
  return /[.[\](){}*+?|$]/.test(char) ? `[${char}]` : char;
}

/** Ranges stay ranges: `a-c` becomes `a-ca-cA-C`. */
function bothCases(members: string): string {
  const isMixed = /[a-z]-[A-Z0-9]|[A-Z]-[a-z0-9]|[0-9]-[A-Za-z]/.test(members);
  if (isMixed) throw new NoEquivalent();
  return `${members.toLowerCase()}${members.toUpperCase()}`;
}
