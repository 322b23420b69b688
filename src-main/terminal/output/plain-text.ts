/** One control sequence or control character. Tabs and line feeds are text. An OSC string never contains a line feed. */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
  /\x1b(?:\[([0-?]*)[ -/]*([@-~])|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[PX^_][^\x1b\n]*\x1b\\|[ -/]*[0-~])|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** Colors and other styles, which do not change the text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const STYLES = /\x1b\[[0-9;:]*m/g;
/** A sequence that is cut off by the end of the text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const CUT_SHORT = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)$/;
/** UTF-16 units; a longer unfinished sequence is treated as text. */
const MAX_SEQUENCE_LENGTH = 16_384;
/** UTF-16 units; a longer line is passed on in pieces, so that an endless line does not exhaust memory. */
const MAX_LINE_LENGTH = 1_000_000;

/**
 * Turns terminal output into the text that a reader saw: no colors, no cursor movement, `\n` line ends, and only the final
 * state of a redrawn line (a progress bar). Chunks may be cut anywhere. Movement between lines is not followed, so programs
 * that repaint several lines leave every frame.
 */
export class PlainText {
  private held = '';
  private readonly line = new LineUnits();
  private column = 0;

  constructor(private readonly emit: (text: string) => void) {}

  /** UTF-16 units of the unfinished line. */
  get unfinished(): number {
    return this.line.length;
  }

  /** The unfinished line in its current state. */
  get current(): string {
    return this.line.text;
  }

  push(chunk: string): void {
    this.take(chunk);
    if (this.line.length > MAX_LINE_LENGTH && this.column === this.line.length) {
      this.endLine('');
    }
  }

  private take(chunk: string): void {
    let text = this.held + chunk;
    this.held = '';
    // Most control sequences are colors, and this is many times faster than parsing each sequence.
    if (text.includes('\x1b')) text = text.replace(STYLES, '');
    if (this.column === this.line.length && isPlain(text)) {
      text = text.replaceAll('\r\n', '\n');
      if (!text.includes('\r')) {
        this.append(text);
        return;
      }
    }
    const lastEscape = text.lastIndexOf('\x1b');
    if (lastEscape >= 0 && text.length - lastEscape < MAX_SEQUENCE_LENGTH) {
      // A string sequence may end in ESC \, so the cut may start one escape before the last.
      const cut = CUT_SHORT.exec(text.slice(Math.max(0, text.lastIndexOf('\x1b', lastEscape - 1))));
      if (cut) {
        this.held = cut[0];
        text = text.slice(0, text.length - cut[0].length);
      }
    }
    this.interpret(text);
  }

  /** Emits the last line if it has no line end. */
  end(): void {
    this.held = '';
    if (this.line.length > 0) this.endLine('');
    this.column = 0;
  }

  /** Passes on the line with what follows it. */
  private endLine(rest: string): void {
    this.emit(this.line.text + rest);
    this.line.cut(0);
    this.column = 0;
  }

  private append(text: string): void {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) this.endLine(text.slice(0, end));
    this.line.put(this.line.length, text.slice(end));
    this.column = this.line.length;
  }

  private interpret(text: string): void {
    let at = 0;
    for (const match of text.matchAll(CONTROL)) {
      this.write(text.slice(at, match.index));
      at = match.index + match[0].length;
      const [sequence, parameters, final] = match;
      if (sequence === '\r') this.column = 0;
      else if (sequence === '\b') this.column = Math.max(0, this.column - 1);
      else if (final === 'K') this.eraseInLine(parameters ?? '');
      else if (final === 'G')
        this.column = Math.min(this.line.length, Math.max(1, Number(parameters) || 1) - 1);
    }
    this.write(text.slice(at));
  }

  private eraseInLine(parameters: string): void {
    if (parameters === '' || parameters === '0') this.line.cut(this.column);
    else if (parameters === '2') {
      this.line.cut(0);
      this.column = 0;
    }
  }

  private write(text: string): void {
    const lineEnd = text.indexOf('\n');
    this.draw(lineEnd < 0 ? text : text.slice(0, lineEnd));
    if (lineEnd < 0) return;
    this.endLine('\n');
    this.append(text.slice(lineEnd + 1));
  }

  private draw(text: string): void {
    this.line.put(this.column, text);
    this.column += text.length;
  }
}

/** Bytes of an empty line's space. A longer one is given back with its line. */
const LINE_SPACE = 512;

/** A line that is written in place: a program may redraw one character of a long line thousands of times. */
class LineUnits {
  length = 0;
  private space = Buffer.alloc(LINE_SPACE);

  get text(): string {
    return this.space.toString('utf16le', 0, 2 * this.length);
  }

  /** Writes over what is there, from a place within the line or at its end. */
  put(at: number, text: string): void {
    this.length = Math.max(this.length, at + text.length);
    if (2 * this.length > this.space.length) {
      const more = Buffer.alloc(4 * this.length);
      this.space.copy(more, 0, 0, 2 * at);
      this.space = more;
    }
    this.space.write(text, 2 * at, 'utf16le');
  }

  cut(length: number): void {
    this.length = length;
    if (length === 0 && this.space.length > LINE_SPACE) this.space = Buffer.alloc(LINE_SPACE);
  }
}

/** Converts a complete text to plain text. */
export function plainText(raw: string): string {
  const parts: string[] = [];
  const text = new PlainText((part) => parts.push(part));
  text.push(raw);
  text.end();
  return parts.join('');
}

/** A cheap check for the usual case: only text and line ends. */
function isPlain(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
  return !/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/.test(text);
}
