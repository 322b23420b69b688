/** In characters. A longer pattern is an attack or a mistake. */
export const MAX_PATTERN = 4096;
/** Maximum states of the automaton. Limits time and memory for any braces, since nothing is expanded. */
const MAX_STATES = 8192;
/** Maximum number of texts that the braces of a pattern are expanded to, for testing by comparison. */
const MAX_TEXTS = 32;

/** A state: consumes one character and continues, forks without consuming, or accepts. */
type Step =
  | { kind: 'char'; char: string; next: number }
  | { kind: 'set'; test: (char: string) => boolean; next: number }
  | { kind: 'fork'; next: number[] }
  | { kind: 'end' };

/** What is wrong with a pattern; a failure of the backend protocol as it is. */
export interface GlobProblem {
  error: string;
  kind: 'invalid' | 'denied' | 'too_large';
}

const failure = (kind: GlobProblem['kind'], error: string): GlobProblem => ({ error, kind });

export interface GlobMatcher {
  /** `path` is relative to the searched directory, with `/` and without a leading one. */
  matches(path: string): boolean;
  /** Whether the pattern names a name with a leading dot, so that hidden files have to be searched. */
  wantsHidden: boolean;
  /** Whether it matches below any folder with a leading dot except `.git`. */
  entersHidden: boolean;
  /** Whether anything below a directory (relative, no trailing `/`) could match, for operations on the whole directory. */
  mayMatchBelow(directory: string): boolean;
}

/**
 * Gives globs ripgrep's meaning on every backend: without `/`, a base name at any depth; with `/`, relative to the searched
 * directory, even with a leading `/`. `*` and `?` stay within a name, `**` crosses names. `[a-z]`, `[!a]` and `{a,b}` work
 * (also nested, without number ranges), and `\` escapes the next character. Names with a leading dot match only if the
 * pattern has that dot. Matching takes linear time: it runs an automaton and never backtracks.
 *
 * `dot`: names with a leading dot match like others, for rules that must not miss them. `hiddenFolders`: without `/` and `**`,
 * files below folders with a leading dot match too, except below `.git`. `ignoreCase`: matching is
 * case-insensitive, for names on systems that are. Errors: `invalid` for an empty or unclosed pattern, `denied` for `..`,
 * `too_large` beyond the limits above.
 */
export function compileGlob(
  pattern: string,
  options: { dot?: boolean; hiddenFolders?: boolean; ignoreCase?: boolean } = {},
): GlobMatcher | GlobProblem {
  if (pattern === '') return failure('invalid', 'Glob pattern cannot be empty');
  if (pattern.length > MAX_PATTERN)
    return failure('too_large', `Glob pattern is too long (at most ${MAX_PATTERN} characters)`);
  if (pattern.split(/[\\/]/).includes('..'))
    return failure('denied', `Path traversal not allowed in glob pattern: ${pattern.slice(0, 120)}`);
  const anchored = pattern.includes('/');
  const cased = options.ignoreCase === true ? (text: string) => text.toLowerCase() : (text: string) => text;
  const body = cased(pattern.replace(/^(\.\/|\/)+/, ''));
  const compiled = new Compiler(body === '' ? '**' : body).compile();
  if ('error' in compiled) return compiled;
  const dot = options.dot ?? false;
  const automaton = { ...compiled, dot };
  const test = simpleTest(compiled.tokens, dot) ?? ((text: string) => accepts(automaton, text));
  const wantsHidden = /(^|[/{,])\\?\./.test(body) || /(^|[/{,])\[[^!^\]]*\./.test(body);
  const entersHidden = !anchored && !body.includes('**') && options.hiddenFolders === true;
  const isLeftOut = entersHidden ? isInGit : hasHiddenFolder;
  return {
    wantsHidden,
    entersHidden,
    matches: (path) =>
      test(cased(anchored ? path : path.slice(path.lastIndexOf('/') + 1))) &&
      (anchored || dot || !isLeftOut(path)),
    mayMatchBelow: (directory) =>
      !anchored || directory === '' || walk(automaton, cased(`${directory}/`)).length > 0,
  };
}

/**
 * A test of whole paths by the pattern alone: no base names and no rule about leading dots. An unclosed `[` stands for
 * itself. Ignore files use it.
 */
export function compileRule(pattern: string): ((path: string) => boolean) | GlobProblem {
  if (pattern.length > MAX_PATTERN) return failure('too_large', 'Ignore rule is too long');
  const compiled = new Compiler(pattern, true).compile();
  if ('error' in compiled) return compiled;
  const automaton = { ...compiled, dot: true };
  return simpleTest(compiled.tokens, true) ?? ((path) => accepts(automaton, path));
}

class Compiler {
  private readonly steps: Step[] = [];
  private at = 0;
  /** Position of the last escaped character. */
  private escaped = -1;

  constructor(
    private readonly pattern: string,
    private readonly literalUnclosed = false,
  ) {}

  compile(): { steps: Step[]; start: number; tokens: Token[] } | GlobProblem {
    try {
      const tokens = this.parse(0);
      const end = this.add({ kind: 'end' });
      return { start: this.build(tokens, end), steps: this.steps, tokens };
    } catch (thrown) {
      if (thrown instanceof GlobSyntaxError) return failure(thrown.kind, thrown.message);
      throw thrown;
    }
  }

  private parse(depth: number): Token[] {
    if (depth > 64) throw new GlobSyntaxError('too_large', 'Glob pattern nests too many braces');
    const tokens: Token[] = [];
    while (this.at < this.pattern.length) {
      const char = this.pattern.charAt(this.at);
      if (depth > 0 && (char === ',' || char === '}')) break;
      this.at += 1;
      tokens.push(this.token(char, depth));
    }
    return tokens;
  }

  private token(char: string, depth: number): Token {
    switch (char) {
      case '*':
        return this.stars(depth);
      case '?':
        return { kind: 'one' };
      case '[':
        return this.set();
      case '{':
        return this.braces(depth);
      case '\\':
        if (this.at >= this.pattern.length)
          throw new GlobSyntaxError('invalid', 'Glob pattern ends in a lone \\');
        this.escaped = this.at;
        this.at += 1;
        return { kind: 'char', char: this.pattern.charAt(this.at - 1) };
      default:
        return { kind: 'char', char };
    }
  }

  /** `**` crosses names only as a whole name: `**` + `/`, `/` + `**`. Otherwise it is `*`. */
  private stars(depth: number): Token {
    const from = this.at - 1;
    while (this.pattern.charAt(this.at) === '*') this.at += 1;
    const previous = this.pattern.charAt(from - 1);
    // A brace or a comma starts a name only if it is not itself a character to match.
    const isBrace = depth > 0 && '{,'.includes(previous) && this.escaped !== from - 1;
    const before = from === 0 || previous === '/' || isBrace;
    const after = this.pattern.charAt(this.at);
    if (this.at - from === 2 && before) {
      if (after === '/') {
        this.at += 1;
        return { kind: 'folders' };
      }
      if (after === '' || (depth > 0 && (after === ',' || after === '}'))) return { kind: 'rest' };
    }
    return { kind: 'star' };
  }

  private set(): Token {
    const opened = this.at;
    let negated = false;
    if ('!^'.includes(this.pattern.charAt(this.at)) && this.at < this.pattern.length) {
      negated = true;
      this.at += 1;
    }
    const ranges: [string, string][] = [];
    for (let first = true; ; first = false) {
      const char = this.pattern.charAt(this.at);
      if (char === '' && this.literalUnclosed) {
        this.at = opened;
        return { kind: 'char', char: '[' };
      }
      if (char === '')
        throw new GlobSyntaxError('invalid', 'Glob pattern has an unclosed [; write \\[ for the character');
      if (char === ']' && !first) break;
      this.at += 1;
      const next = this.pattern.charAt(this.at + 1);
      if (this.pattern.charAt(this.at) === '-' && next !== ']' && next !== '') {
        if (next < char)
          throw new GlobSyntaxError('invalid', `Glob pattern has an invalid range: ${char}-${next}`);
        ranges.push([char, next]);
        this.at += 2;
      } else ranges.push([char, char]);
    }
    this.at += 1;
    return {
      kind: 'set',
      test: (char) => char !== '/' && ranges.some(([low, high]) => char >= low && char <= high) !== negated,
    };
  }

  private braces(depth: number): Token {
    const choices: Token[][] = [];
    for (;;) {
      const choice = this.parse(depth + 1);
      // As in ripgrep, an empty choice does not count.
      if (choice.length > 0) choices.push(choice);
      const char = this.pattern.charAt(this.at);
      this.at += 1;
      if (char === '}') return { kind: 'choice', choices };
      if (char !== ',')
        throw new GlobSyntaxError('invalid', 'Glob pattern has an unclosed {; write \\{ for the character');
    }
  }

  private add(step: Step): number {
    if (this.steps.length >= MAX_STATES)
      throw new GlobSyntaxError('too_large', 'Glob pattern is too complex');
    this.steps.push(step);
    return this.steps.length - 1;
  }

  /** Builds from the end, so that each state knows its successor. Loops are closed afterwards. */
  private build(tokens: Token[], end: number): number {
    let next = end;
    for (const token of [...tokens].reverse()) next = this.buildOne(token, next);
    return next;
  }

  private buildOne(token: Token, next: number): number {
    switch (token.kind) {
      case 'char':
        return this.add({ kind: 'char', char: token.char, next });
      case 'one':
        return this.add({ kind: 'set', test: (char) => char !== '/', next });
      case 'set':
        return this.add({ kind: 'set', test: token.test, next });
      case 'star':
        return this.loop((char) => char !== '/', next);
      case 'rest':
        return this.loop(() => true, next);
      case 'folders': {
        // Nothing, or anything that ends with a slash.
        const slash = this.add({ kind: 'char', char: '/', next });
        const through = this.loop(() => true, slash);
        return this.add({ kind: 'fork', next: [next, through] });
      }
      case 'choice':
        return token.choices.length === 0
          ? next
          : this.add({ kind: 'fork', next: token.choices.map((choice) => this.build(choice, next)) });
    }
  }

  private loop(test: (char: string) => boolean, next: number): number {
    const targets = [next];
    const fork = this.add({ kind: 'fork', next: targets });
    targets.push(this.add({ kind: 'set', test, next: fork }));
    return fork;
  }
}

type Token =
  | { kind: 'char'; char: string }
  | { kind: 'one' | 'star' | 'rest' | 'folders' }
  | { kind: 'set'; test: (char: string) => boolean }
  | { kind: 'choice'; choices: Token[][] };

/** The texts that a pattern of only characters and braces stands for. Null for other patterns, and for too many texts. */
function textsOf(tokens: Token[]): string[] | null {
  let texts = [''];
  for (const token of tokens) {
    let next: string[];
    if (token.kind === 'char') next = [token.char];
    else if (token.kind === 'choice' && token.choices.length > 0) {
      next = [];
      for (const choice of token.choices) {
        const inner = textsOf(choice);
        if (inner === null) return null;
        next.push(...inner);
      }
    } else return null;
    if (texts.length * next.length > MAX_TEXTS) return null;
    texts = texts.flatMap((text) => next.map((more) => text + more));
  }
  return texts;
}

/**
 * Tests the most common patterns by comparing ends of strings: an optional folder, an optional `**` + `/`, then a name, or
 * an optional start, `*` and an end. Null for all other patterns.
 */
function simpleTest(tokens: Token[], dot: boolean): ((text: string) => boolean) | null {
  const deepAt = tokens.findIndex((token) => token.kind === 'folders');
  const deep = deepAt >= 0;
  const folders = deep ? textsOf(tokens.slice(0, deepAt)) : [''];
  const last = tokens.slice(deepAt + 1);
  const starAt = last.findIndex((token) => token.kind === 'star');
  const star = starAt >= 0;
  const heads = star ? textsOf(last.slice(0, starAt)) : [''];
  const ends = textsOf(last.slice(starAt + 1));
  const [folder] = folders ?? [];
  const [head] = heads ?? [];
  if (folder === undefined || folders?.length !== 1 || ends === null) return null;
  if (head === undefined || heads?.length !== 1 || head.includes('/')) return null;
  if ((star || deep) && ends.some((end) => end.includes('/'))) return null;
  return (text) => {
    if (!ends.some((end) => text.endsWith(end)) || !text.startsWith(folder)) return false;
    if (!star && !deep) return ends.includes(text);
    const slash = text.lastIndexOf('/');
    const name = slash + 1;
    if (name < folder.length || (!deep && slash >= 0)) return false;
    const room = text.length - name - head.length;
    const fits = ends.some((end) => (star ? room >= end.length : room === end.length) && text.endsWith(end));
    if (!fits || !text.startsWith(head, name)) return false;
    // The star does not match a leading dot: the pattern must have the dot, or the name must be exactly the end.
    const isOwn = head !== '' || ends.some((end) => room === end.length && text.endsWith(end));
    if (!isOwn && !dot && text.charAt(name) === '.') return false;
    return dot || !deep || !hasHiddenFolder(folder === '' ? text : text.slice(folder.length));
  };
}

class GlobSyntaxError extends Error {
  constructor(
    readonly kind: 'invalid' | 'too_large',
    message: string,
  ) {
    super(message);
  }
}

interface Automaton {
  steps: Step[];
  start: number;
  dot: boolean;
}

function accepts(automaton: Automaton, text: string): boolean {
  return walk(automaton, text).some((at) => automaton.steps[at]?.kind === 'end');
}

/**
 * The states of the automaton after `text`. None if nothing with this start can match. Unless `dot`, only a step that names
 * a leading dot (`char`) consumes it, never `*`, `?`, `**` or a set.
 */
function walk({ steps, start, dot }: Automaton, text: string): number[] {
  const seen = new Int32Array(steps.length).fill(-1);
  let current = close(steps, [start], seen, 0);
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    const hidden = !dot && char === '.' && (i === 0 || text.charAt(i - 1) === '/');
    const moved: number[] = [];
    for (const at of current) {
      const step = steps[at];
      if (step?.kind === 'char' && step.char === char) moved.push(step.next);
      else if (step?.kind === 'set' && !hidden && step.test(char)) moved.push(step.next);
    }
    if (moved.length === 0) return [];
    current = close(steps, moved, seen, i + 1);
  }
  return current;
}

/** All states reachable without consuming a character. `seen` holds the position at which a state was last reached. */
function close(steps: Step[], from: number[], seen: Int32Array, position: number): number[] {
  const reached: number[] = [];
  const open = from;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen[at] === position) continue;
    seen[at] = position;
    const step = steps[at];
    if (step?.kind === 'fork') open.push(...step.next);
    else reached.push(at);
  }
  return reached;
}

const hasHiddenFolder = (path: string): boolean =>
  (path.startsWith('.') || path.includes('/.')) && /(^|\/)\.[^/]*\//.test(path);

const isInGit = (path: string): boolean => path.startsWith('.git/') || path.includes('/.git/');

/** Whether any name of a relative path starts with a dot. */
export const isHidden = (path: string): boolean => /(^|\/)\./.test(path);
