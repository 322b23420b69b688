/** UTF-16 units kept for each terminal: several thousand full lines, and small enough to send in one message. */
const RECORD_UNITS = 2_000_000;
/** Initial capacity in units; it doubles up to the maximum. */
const FIRST_UNITS = 16_384;
/** How far to search for a line end at the start of a cut record, so that it does not start inside an escape sequence. */
const SEEK_LINE_WITHIN = 4_096;
const BYTES = 2;

/**
 * The last part of a terminal's output, for windows that attach later. Offsets are UTF-16 units since the start. It is a
 * ring of bytes outside the heap: as strings, each piece of a flood would age in the heap before it is dropped.
 */
export class Recorder {
  private ring: Buffer;
  private written = 0;

  constructor(private readonly capacity = RECORD_UNITS) {
    this.ring = Buffer.alloc(Math.min(FIRST_UNITS, capacity) * BYTES);
  }

  /** Total units written. */
  get end(): number {
    return this.written;
  }

  push(text: string): void {
    const kept = text.length > this.capacity ? text.slice(-this.capacity) : text;
    this.written += text.length - kept.length;
    this.makeRoom(kept.length);
    const at = this.written % this.room;
    const first = Math.min(kept.length, this.room - at);
    this.ring.write(kept.slice(0, first), at * BYTES, 'utf16le');
    if (first < kept.length) this.ring.write(kept.slice(first), 0, 'utf16le');
    this.written += kept.length;
  }

  /** The kept output and the offset at which it starts. */
  snapshot(): { offset: number; data: string } {
    let data = this.since(0);
    if (data.length < this.written) {
      const lineEnd = data.slice(0, SEEK_LINE_WITHIN).indexOf('\n');
      if (lineEnd >= 0) data = data.slice(lineEnd + 1);
      else if (/^[\udc00-\udfff]/.test(data)) data = data.slice(1);
    }
    return { offset: this.written - data.length, data };
  }

  /** Output from `offset` on, if still available. */
  since(offset: number): string {
    const units = Math.min(Math.max(0, this.written - offset), this.written, this.room);
    const at = (this.written - units) % this.room;
    const first = Math.min(units, this.room - at);
    return (
      this.ring.toString('utf16le', at * BYTES, (at + first) * BYTES) +
      this.ring.toString('utf16le', 0, (units - first) * BYTES)
    );
  }

  private get room(): number {
    return this.ring.length / BYTES;
  }

  /** Until the ring reaches its full size nothing was overwritten, so the data starts at its front. */
  private makeRoom(units: number): void {
    const wanted = Math.min(this.capacity, this.written + units);
    if (wanted <= this.room) return;
    const next = Buffer.alloc(Math.min(this.capacity, Math.max(wanted, this.room * 2)) * BYTES);
    this.ring.copy(next);
    this.ring = next;
  }
}
