/** UTF-16 units kept of each terminal: several thousand full lines, and little enough to send in one message. */
export const RECORD_UNITS = 2_000_000;
/** Smaller chunks are joined, so that typing does not make millions of entries. */
const JOIN_BELOW = 8_192;
/** How far the beginning of a cut record is searched for a line end, so that it does not begin inside an escape sequence. */
const SEEK_LINE_WITHIN = 4_096;

/** The last part of what a terminal printed, for windows that attach later. Offsets are UTF-16 units since it began. */
export class Recorder {
  private chunks: string[] = [];
  private kept = 0;
  private written = 0;

  constructor(private readonly capacity = RECORD_UNITS) {}

  /** Units written in all. */
  get end(): number {
    return this.written;
  }

  push(text: string): void {
    if (text === '') return;
    const last = this.chunks.at(-1);
    if (last !== undefined && last.length < JOIN_BELOW) this.chunks[this.chunks.length - 1] = last + text;
    else this.chunks.push(text);
    this.written += text.length;
    this.kept += text.length;
    while (this.kept - (this.chunks[0]?.length ?? 0) >= this.capacity) {
      this.kept -= this.chunks.shift()?.length ?? 0;
    }
  }

  /** What is kept, and the offset at which it begins. */
  snapshot(): { offset: number; data: string } {
    let data = this.chunks.join('');
    if (data.length > this.capacity) data = data.slice(-this.capacity);
    if (data.length < this.written) {
      const lineEnd = data.slice(0, SEEK_LINE_WITHIN).indexOf('\n');
      if (lineEnd >= 0) data = data.slice(lineEnd + 1);
      else if (/^[\udc00-\udfff]/.test(data)) data = data.slice(1);
    }
    return { offset: this.written - data.length, data };
  }
}
