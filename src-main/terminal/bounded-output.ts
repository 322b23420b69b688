import { PlainText } from './plain-text';

/** Raw units kept for each byte of the tail: colours and redrawn lines take room that the reader never sees. */
const RAW_PER_TAIL_BYTE = 8;
/** Bytes set aside for the note between head and tail. */
const NOTE_BYTES = 160;

/**
 * What one command printed, for the model: plain text, whole where it fits `maxBytes` of UTF-8, else its head and its
 * tail with a note between them. Memory stays within about 10 x `maxBytes`, however much is pushed.
 */
export class BoundedOutput {
  /** Plain text from the start, until it is longer than `maxBytes`. */
  private front: string[] = [];
  private frontBytes = 0;
  private readonly frontText = new PlainText((text) => {
    this.front.push(text);
    this.frontBytes += Buffer.byteLength(text);
  });
  /** The last raw chunks. */
  private back: string[] = [];
  private backUnits = 0;
  private readonly keepUnits: number;
  private units = 0;

  constructor(private readonly maxBytes: number) {
    this.keepUnits = Math.max(4_096, maxBytes * RAW_PER_TAIL_BYTE);
  }

  push(chunk: string): void {
    this.units += chunk.length;
    if (!this.overflowed) this.frontText.push(chunk);
    this.back.push(chunk);
    this.backUnits += chunk.length;
    while (this.backUnits - (this.back[0]?.length ?? 0) >= this.keepUnits) {
      this.backUnits -= this.back.shift()?.length ?? 0;
    }
  }

  private get overflowed(): boolean {
    return this.frontBytes + this.frontText.unfinished > this.maxBytes;
  }

  /** Call once, after the last push. */
  finish(): { text: string; truncated: boolean } {
    this.frontText.end();
    const front = this.front.join('');
    if (this.frontBytes <= this.maxBytes) return { text: front, truncated: false };

    const room = Math.max(0, this.maxBytes - NOTE_BYTES);
    const head = firstBytes(front, Math.floor(room / 2));
    const tail = lastBytes(plain(this.back.join('').slice(-this.keepUnits)), Math.ceil(room / 2));
    const left = this.units - head.length - tail.length;
    const note = `[… about ${left.toLocaleString('en-US')} characters left out here; the start and the end are complete …]`;
    return { text: `${head}\n${note}\n${tail}`, truncated: true };
  }
}

function plain(raw: string): string {
  const parts: string[] = [];
  const text = new PlainText((part) => parts.push(part));
  text.push(raw);
  text.end();
  return parts.join('');
}

/** The first whole characters that fit, ending with a whole line where a line end is in the second half. */
function firstBytes(text: string, bytes: number): string {
  const all = Buffer.from(text.slice(0, bytes + 1));
  let end = Math.min(bytes, all.length);
  while (end > 0 && isContinuation(all[end])) end -= 1;
  const lineEnd = all.lastIndexOf(10, end - 1);
  return all.subarray(0, lineEnd > bytes / 2 ? lineEnd : end).toString();
}

/** The last whole characters that fit, beginning with a whole line where a line end is in the first half. */
function lastBytes(text: string, bytes: number): string {
  const all = Buffer.from(text.slice(-(bytes + 1)));
  let start = Math.max(0, all.length - bytes);
  while (start < all.length && isContinuation(all[start])) start += 1;
  const lineEnd = all.indexOf(10, start);
  return all.subarray(lineEnd >= 0 && lineEnd - start < bytes / 2 ? lineEnd + 1 : start).toString();
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;
