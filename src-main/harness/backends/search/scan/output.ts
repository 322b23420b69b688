import { SENT_COLUMNS } from '../search-records';
import type { ScanOutput } from './job';

/** Bytes sent at a time. */
const BLOCK = 64 * 1024;
const NEWLINE = 10;

/** Collects output into blocks. */
export class Records {
  private block = Buffer.allocUnsafeSlow(BLOCK);
  private used = 0;
  done = false;

  constructor(private readonly output: ScanOutput) {}

  /** `path` holds bytes, one per character. */
  name(path: string): void {
    const bytes = Buffer.from(path, 'latin1');
    const at = this.room(bytes.length + 1);
    bytes.copy(this.block, at);
    this.block[at + bytes.length] = 0;
  }

  /** `text` without its line ending. */
  line(path: Buffer, number: number, text: Uint8Array): void {
    const shown = text.length > SENT_COLUMNS ? text.subarray(0, SENT_COLUMNS) : text;
    const count = `${number}:`;
    let at = this.room(path.length + 1 + count.length + shown.length + 1);
    at += path.copy(this.block, at);
    this.block[at] = 0;
    at += 1 + this.block.write(count, at + 1, 'latin1');
    this.block.set(shown, at);
    this.block[at + shown.length] = NEWLINE;
  }

  flush(): void {
    if (this.used === 0 || this.done) return;
    this.done = !this.output.write(this.block.subarray(0, this.used));
    this.block = Buffer.allocUnsafeSlow(BLOCK);
    this.used = 0;
  }

  private room(bytes: number): number {
    if (this.used + bytes > this.block.length) this.flush();
    if (bytes > this.block.length) this.block = Buffer.allocUnsafeSlow(bytes);
    const at = this.used;
    this.used += bytes;
    return at;
  }
}
