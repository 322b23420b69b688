/**
 * Splits a stream of bytes into lines of at most `limit` bytes. Each byte is copied once, no matter how the stream is cut.
 */
export class LineReader {
  private parts: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly limit: number,
    private readonly onLine: (line: string) => void,
  ) {}

  /** Returns false if a line exceeds the limit. Reading cannot continue after that. */
  push(chunk: Buffer): boolean {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, from);
      const part = chunk.subarray(from, end === -1 ? chunk.length : end);
      if (this.size + part.length > this.limit) {
        this.parts = [];
        return false;
      }
      this.parts.push(part);
      this.size += part.length;
      if (end === -1) return true;
      const line = Buffer.concat(this.parts, this.size).toString('utf8');
      this.parts = [];
      this.size = 0;
      this.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
      from = end + 1;
    }
  }
}

/** Number of lines, and UTF-16 units of each, kept of a server's output outside the protocol. */
const KEPT = { lines: 20, units: 500 };

/** The last lines of a text that arrives in pieces. */
export class LastLines {
  private lines: string[] = [];
  private open = '';

  push(text: string): void {
    const [first = '', ...rest] = text.split(/\r?\n/);
    this.open = `${this.open}${first}`.slice(0, KEPT.units);
    for (const line of rest) {
      this.keep(this.open);
      this.open = line.slice(0, KEPT.units);
    }
  }

  /** Oldest first, without empty lines. */
  all(): string[] {
    return this.open.trim() === '' ? [...this.lines] : [...this.lines, this.open].slice(-KEPT.lines);
  }

  private keep(line: string): void {
    if (line.trim() === '') return;
    this.lines = [...this.lines, line].slice(-KEPT.lines);
  }
}
