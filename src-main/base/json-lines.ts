import { parseJson } from './limited-json';

/** 1-based. */
export interface TextPosition {
  line: number;
  column: number;
}

type Path = readonly PropertyKey[];

const SPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none in its strings
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** Thrown where a text stops being JSON. */
class Fault {
  constructor(readonly at: number) {}
}

/** Reads JSON for the positions of its values, which `JSON.parse` does not tell. */
class JsonReader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly onValue: (path: Path, at: number) => void,
  ) {}

  /** Throws a `Fault`. */
  read(): void {
    // A byte order mark.
    if (this.text.startsWith('\uFEFF')) this.at = 1;
    this.value([]);
    if (this.at < this.text.length) throw new Fault(this.at);
  }

  private value(path: Path): void {
    this.take(SPACE);
    this.onValue(path, this.at);
    if (this.next('{')) this.object(path);
    else if (this.next('[')) this.list(path);
    else if (this.take(STRING) === null && this.take(SCALAR) === null) throw new Fault(this.at);
    this.take(SPACE);
  }

  private object(path: Path): void {
    this.take(SPACE);
    if (this.next('}')) return;
    do {
      this.take(SPACE);
      const key = this.expected(this.take(STRING));
      this.take(SPACE);
      this.expected(this.next(':') || null);
      this.value([...path, nameOf(key)]);
    } while (this.next(','));
    this.expected(this.next('}') || null);
  }

  private list(path: Path): void {
    this.take(SPACE);
    if (this.next(']')) return;
    let index = 0;
    do this.value([...path, index++]);
    while (this.next(','));
    this.expected(this.next(']') || null);
  }

  private expected<T>(found: T | null): T {
    if (found === null) throw new Fault(this.at);
    return found;
  }

  private next(character: string): boolean {
    const isThere = this.text[this.at] === character;
    if (isThere) this.at += 1;
    return isThere;
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    this.at += found?.length ?? 0;
    return found;
  }
}

/** A name without its quotes and escapes. */
function nameOf(quoted: string): string {
  const read = parseJson(quoted, { maxBytes: Number.POSITIVE_INFINITY });
  return 'value' in read ? String(read.value) : quoted;
}

/** Where a text stops being JSON. Null: it is valid. Its depth must be limited, see `parseJson`. */
export function jsonFault(text: string): TextPosition | null {
  try {
    new JsonReader(text, () => undefined).read();
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return positionAt(text, error.at);
  }
}

/** The line (1-based) of a value in valid JSON. If the value is missing, that of what should have it. */
export function jsonLine(text: string, path: Path): number {
  let [deepest, at] = [-1, 0];
  new JsonReader(text, (found, start) => {
    if (found.length <= deepest || found.some((name, index) => String(name) !== String(path[index]))) return;
    [deepest, at] = [found.length, start];
  }).read();
  return positionAt(text, at).line;
}

function positionAt(text: string, at: number): TextPosition {
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
