// Text from a model, a file or a server goes through packages whose time and stack grow with the depth, or the square, of
// some patterns. Each limit is far above what people write and far below what blocks the window.

/** UTF-16 units of one block, without its code. */
const MAX_BLOCK = 100_000;
/** Nested quotes and lists. */
const MAX_CONTAINERS = 24;
/** Nested brackets. */
const MAX_BRACKETS = 32;
/** Links and pictures. */
const MAX_LINKS = 2_000;
/** Emphasis characters, per block and in a row. */
const MAX_EMPHASIS = 6_000;
const MAX_EMPHASIS_RUN = 64;
/** Consecutive backticks. */
const MAX_TICKS = 64;
/** Columns of a table row, and cells in total. */
const MAX_COLUMNS = 200;
const MAX_CELLS = 10_000;
const MAX_FOOTNOTES = 300;
/** Dollar signs of formulas, and characters that may start a URL or a tag. */
const MAX_SIGNS = 2_000;
/** Characters without a space, if some of them could be part of an email address. */
const MAX_WORD = 4_000;

/** Nodes of a parsed block, and their depth. */
const MAX_NODES = 40_000;
const MAX_DEPTH = 80;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const OWN_PICTURE = /data:image\/[a-z]{1,8};base64,[a-z0-9+/=]*/gi;

/** Whether a block can be parsed and rendered without blocking the window. Takes one pass over any text. */
export function isDrawable(block: string): boolean {
  const count = { length: 0, cells: 0, footnotes: 0, inline: new InlineCount() };
  const lists: number[] = [];
  let fence: string | undefined;
  for (const whole of block.split('\n')) {
    const mark = FENCE.exec(whole)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && whole.trim() === mark) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const line = whole.includes('data:image/') ? whole.replace(OWN_PICTURE, '') : whole;
    count.length += line.length;
    if (count.length > MAX_BLOCK || containersOf(line, lists) > MAX_CONTAINERS) return false;
    if (line.trim() === '') count.inline.endParagraph();
    if (!count.inline.add(line)) return false;
    const columns = occurrences(line, '|', MAX_CELLS);
    count.cells += columns;
    count.footnotes += occurrences(line, '[^', MAX_FOOTNOTES + 1);
    if (columns > MAX_COLUMNS || count.cells > MAX_CELLS || count.footnotes > MAX_FOOTNOTES) return false;
  }
  return true;
}

/** How many quotes and lists contain a line. Updates `lists`, the columns of the open lists. */
function containersOf(line: string, lists: number[]): number {
  let depth = 0;
  let at = 0;
  let indent = 0;
  for (; at < line.length && depth <= MAX_CONTAINERS; at += 1) {
    const sign = line[at] ?? '';
    if (sign === ' ' || sign === '\t') {
      indent += sign === '\t' ? 4 : 1;
      continue;
    }
    const item = sign === '>' ? sign : itemAt(line, at);
    if (item === null) break;
    depth += 1;
    if (sign !== '>') {
      while ((lists.at(-1) ?? -1) >= indent) lists.pop();
      lists.push(indent);
    }
    at += item.length - 1;
    indent += item.length;
  }
  // Text at the left edge closes the lists; a blank line does not.
  if (depth === 0 && indent === 0 && at < line.length) lists.length = 0;
  return Math.max(depth, lists.length);
}

/** The list item marker at this position; null for anything else. */
function itemAt(line: string, at: number): string | null {
  const sign = line[at] ?? '';
  const isEnd = (place: number) => place >= line.length || line[place] === ' ' || line[place] === '\t';
  if (sign === '-' || sign === '*' || sign === '+') return isEnd(at + 1) ? sign : null;
  let end = at;
  while (end < at + 9 && (line[end] ?? '') >= '0' && (line[end] ?? '') <= '9') end += 1;
  const isItem = end > at && (line[end] === '.' || line[end] === ')') && isEnd(end + 1);
  return isItem ? line.slice(at, end + 1) : null;
}

/** Counts the patterns that make the inline parser backtrack. */
class InlineCount {
  private links = 0;
  private emphasis = 0;
  private signs = 0;
  private brackets = 0;
  private word = 0;
  private wordSigns = 0;

  /** False if a limit is exceeded. */
  add(line: string): boolean {
    let ticks = 0;
    let run = 0;
    this.endWord();
    for (let at = 0; at < line.length; at += 1) {
      const sign = line[at] ?? '';
      ticks = sign === '`' ? ticks + 1 : 0;
      const isEmphasis = sign === '*' || sign === '_' || sign === '~';
      run = isEmphasis ? run + 1 : 0;
      if (isEmphasis) this.emphasis += 1;
      else this.see(sign, line[at + 1]);
      const isRule = run > MAX_EMPHASIS_RUN && run === at + 1 && new Set(line).size === 1;
      if (ticks > MAX_TICKS || (run > MAX_EMPHASIS_RUN && !isRule) || this.isOver()) return false;
    }
    return true;
  }

  endParagraph(): void {
    this.brackets = 0;
  }

  private see(sign: string, next: string | undefined): void {
    switch (sign) {
      case '[':
        this.brackets += 1;
        break;
      case ']':
        this.brackets = Math.max(0, this.brackets - 1);
        if (next === '(' || next === '[') this.links += 1;
        break;
      case '$':
      case '<':
      case '&':
      case '@':
        this.signs += 1;
        break;
      case ' ':
      case '\t':
        this.endWord();
        return;
      default:
    }
    this.word += 1;
    if (sign === '.' || sign === '-' || sign === '+' || sign === '@') this.wordSigns += 1;
  }

  private endWord(): void {
    this.word = 0;
    this.wordSigns = 0;
  }

  private isOver(): boolean {
    return (
      this.links > MAX_LINKS ||
      this.emphasis > MAX_EMPHASIS ||
      this.signs > MAX_SIGNS ||
      this.brackets > MAX_BRACKETS ||
      (this.word > MAX_WORD && this.wordSigns > MAX_EMPHASIS_RUN)
    );
  }
}

function occurrences(text: string, what: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(what); at !== -1 && count <= most; at = text.indexOf(what, at + what.length))
    count += 1;
  return count;
}

interface Tree {
  children?: readonly Tree[];
}

/** Throws if a parsed block is too deep or too large to render: the later steps recurse once per level. */
export function remarkLimits() {
  return (tree: Tree): void => {
    const waiting: [Tree, number][] = [[tree, 0]];
    let seen = 0;
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const [{ children = [] }, depth] = one;
      seen += 1;
      if (depth > MAX_DEPTH || seen > MAX_NODES)
        throw new Error('This text is too deeply nested to be drawn.');
      for (const child of children) waiting.push([child, depth + 1]);
    }
  };
}
