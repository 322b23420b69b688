import type { IDisposable, IMarker, Terminal } from '@xterm/xterm';

/** A command of the person's own shell, from its marks (OSC 133). */
export interface Block {
  id: number;
  /** As its shell reports it, or as shown on screen. */
  command: string;
  /** Milliseconds since 1970; undefined if the shell does not report it. */
  startedAt: number | undefined;
  endedAt: number | undefined;
  /** Undefined while it runs. */
  exitCode: number | undefined;
}

/** Maximum number of blocks; older ones remain in the scrollback as text. */
const MAX_BLOCKS = 200;

interface Kept {
  block: Block;
  /** The row where its prompt ends and its command starts. */
  prompt: IMarker;
  /** The first row of its output. */
  output: IMarker;
  /** The row below its output; undefined while it runs. */
  end: IMarker | undefined;
}

/**
 * Follows the marks of one shell. Only marks with its `mark` count, so that printed text cannot pass for a successful
 * command. Blocks disappear with their lines.
 */
export class Blocks {
  private kept: Kept[] = [];
  /** `x`: the column where its command starts; undefined if the end of the prompt was not reported. */
  private prompt: { marker: IMarker; x: number | undefined } | undefined;
  private nextId = 1;
  private readonly handler: IDisposable;

  constructor(
    private readonly terminal: Terminal,
    private readonly mark: string,
    /** A command started or ended; `row` is a marker for its icon. */
    private readonly onChanged: (block: Block, row: IMarker) => void = () => undefined,
  ) {
    this.handler = terminal.parser.registerOscHandler(133, (data) => {
      this.take(data);
      return true;
    });
  }

  /** Newest first. */
  list(): Block[] {
    return this.kept.map(({ block }) => block).toReversed();
  }

  /** Whether the shell waits for a command. */
  get isAtPrompt(): boolean {
    return this.prompt !== undefined;
  }

  /** The block on a row of the scrollback (0-based). */
  at(row: number): Block | undefined {
    return this.kept.findLast(({ prompt, end }) => prompt.line <= row && row < (end?.line ?? Infinity))
      ?.block;
  }

  /** The row (0-based) of its command; undefined if it is no longer kept. */
  rowOf(id: number): number | undefined {
    return this.find(id)?.prompt.line;
  }

  /** The part of its output that is still in the scrollback. */
  output(id: number): string {
    const kept = this.find(id);
    if (!kept) return '';
    const { baseY, cursorY } = this.terminal.buffer.normal;
    return this.text(kept.output.line, kept.end?.line ?? baseY + cursorY + 1);
  }

  /** Called when all lines except the cursor's are gone. */
  cleared(): void {
    if (this.prompt) this.prompt = { ...this.prompt, marker: this.here() };
  }

  /** Called when the whole screen is rewritten. */
  reset(): void {
    this.kept = [];
    this.prompt = undefined;
  }

  dispose(): void {
    this.handler.dispose();
  }

  private find(id: number): Kept | undefined {
    return this.kept.find(({ block }) => block.id === id);
  }

  private take(data: string): void {
    const [kind, mark, ...rest] = data.split(';');
    // A program on the alternate screen has no lines that stay.
    if (mark !== this.mark || this.terminal.buffer.active.type !== 'normal') return;
    // If the person's own files set the prompt after it was marked, its end is not reported, but its start is.
    if (kind === 'A') this.prompt = { marker: this.here(), x: undefined };
    else if (kind === 'B') this.prompt = { marker: this.here(), x: this.terminal.buffer.active.cursorX };
    else if (kind === 'C')
      this.begin(timeOf(rest[0]), rest[1]?.replace(/%(25|3B|0A|09)/g, decodeURIComponent));
    else if (kind === 'D') this.end(Number(rest[0]), timeOf(rest[1]));
  }

  /** `told`: the command, if its shell reports it. */
  private begin(startedAt: number | undefined, told?: string): void {
    const { prompt } = this;
    this.prompt = undefined;
    if (!prompt || prompt.marker.isDisposed || (prompt.x ?? told) === undefined) return;
    const output = this.here();
    const command = (told ?? this.text(prompt.marker.line, output.line, prompt.x)).trim();
    const block = { id: this.nextId, command, startedAt, endedAt: undefined, exitCode: undefined };
    this.nextId += 1;
    const kept: Kept = { block, prompt: prompt.marker, output, end: undefined };
    this.kept = [...this.kept, kept].slice(-MAX_BLOCKS);
    prompt.marker.onDispose(() => {
      this.kept = this.kept.filter((one) => one !== kept);
    });
    this.onChanged(block, prompt.marker);
  }

  private end(exitCode: number, endedAt: number | undefined): void {
    const last = this.kept.at(-1);
    if (!last || last.end !== undefined || !Number.isInteger(exitCode)) return;
    // The last output may have no line end.
    last.end = this.here(this.terminal.buffer.active.cursorX > 0 ? 1 : 0);
    last.block = { ...last.block, exitCode, endedAt };
    this.onChanged(last.block, last.prompt);
  }

  private here(below = 0): IMarker {
    return this.terminal.registerMarker(below);
  }

  /** The text from row `from` to before `to`, the first row from column `x` on; wrapped rows are joined. */
  private text(from: number, to: number, x = 0): string {
    const { normal } = this.terminal.buffer;
    let text = '';
    for (let row = Math.max(0, from); row < to; row += 1) {
      const line = normal.getLine(row);
      if (line === undefined) break;
      const isJoined = normal.getLine(row + 1)?.isWrapped === true && row + 1 < to;
      text += line.translateToString(!isJoined, row === from ? x : 0) + (isJoined ? '' : '\n');
    }
    return text.trimEnd();
  }
}

/** Converts seconds since 1970, with a point or a comma depending on the person's locale, to milliseconds. */
function timeOf(text = ''): number | undefined {
  const seconds = Number.parseFloat(text.replace(',', '.'));
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}
