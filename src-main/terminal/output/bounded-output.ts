import { TOOLS } from '../../harness/tools/catalogue';
import { grouped } from './grouped';
import { type KeptOutput, megabytes } from './output-file';
import { PlainText, plainText } from './plain-text';

/** Raw units kept for each byte of the tail. Colors and redrawn lines take space but are not visible in the result. */
const RAW_PER_TAIL_BYTE = 8;
/** Bytes reserved for the note between head and tail, not counting the path in it. */
const NOTE_BYTES = 220;

/** Receives the complete output when it does not fit. */
export interface Spill {
  /** True once it accepts no more text. */
  readonly isDone: boolean;
  write(text: string): void;
}

/**
 * The output of one command for the model, as plain text. Output that fits in `maxBytes` of UTF-8 stays whole; longer output
 * becomes its head and tail with a note between them. Memory stays within about 10 x `maxBytes`, no matter how much is
 * pushed. `spill` receives output that does not fit, complete and as plain text.
 */
export class BoundedOutput {
  /** Plain text from the start, until it exceeds `maxBytes`. */
  private front: string[] = [];
  private frontBytes = 0;
  private spilled = false;
  private readonly frontText = new PlainText((text) => {
    if (this.spilled) {
      this.spill?.write(text);
      return;
    }
    this.front.push(text);
    this.frontBytes += Buffer.byteLength(text);
  });
  /** The last raw chunks. */
  private back: string[] = [];
  private backUnits = 0;
  private readonly keepUnits: number;
  private units = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly spill?: Spill,
  ) {
    this.keepUnits = Math.max(4_096, maxBytes * RAW_PER_TAIL_BYTE);
  }

  push(chunk: string): void {
    this.units += chunk.length;
    if (this.spilled ? this.spill?.isDone === false : !this.overflowed) this.frontText.push(chunk);
    if (this.spill !== undefined && !this.spilled && this.overflowed) this.startSpilling(this.spill);
    this.back.push(chunk);
    this.backUnits += chunk.length;
    while (this.backUnits - (this.back[0]?.length ?? 0) >= this.keepUnits) {
      this.backUnits -= this.back.shift()?.length ?? 0;
    }
  }

  private startSpilling(spill: Spill): void {
    this.spilled = true;
    // The result uses this head. A first line that is still incomplete is added to both the head and the spill when it is
    // complete.
    this.unfinishedHead = this.frontText.current;
    spill.write(this.front.join(''));
  }
  private unfinishedHead = '';

  private get overflowed(): boolean {
    return this.frontBytes + this.frontText.unfinished > this.maxBytes;
  }

  /**
   * Passes the last line to `spill`. Call it once after the last push, before `finish`. Returns true if the output did not
   * fit.
   */
  end(): boolean {
    this.frontText.end();
    if (!this.spilled && this.spill !== undefined && this.frontBytes > this.maxBytes) {
      this.startSpilling(this.spill);
    }
    return this.spilled || this.frontBytes > this.maxBytes;
  }

  /** Returns the result. `kept` describes the spilled file and the path for reading it. */
  finish(kept?: KeptOutput & { path: string }): { text: string; truncated: boolean } {
    const isLong = this.end();
    const front = this.front.join('') + this.unfinishedHead;
    if (!isLong) return { text: front, truncated: false };

    const room = Math.max(0, this.maxBytes - NOTE_BYTES - Buffer.byteLength(kept?.path ?? ''));
    const head = firstBytes(front, Math.floor(room / 2));
    const tail = this.tail(Math.ceil(room / 2));
    const left = this.units - head.length - tail.length;
    const note = `[… about ${grouped(left)} characters left out; ${whereabouts(kept)} …]`;
    return { text: `${head}\n${note}\n${tail}`, truncated: true };
  }

  /**
   * Returns the tail. It converts as little of the raw text as possible, because converting all of it would block the
   * process. Starting at a line end, the plain text does not depend on what was printed before.
   */
  private tail(bytes: number): string {
    const raw = this.back.join('').slice(-this.keepUnits);
    for (let units = 2 * bytes + 4_096; units < raw.length; units *= 4) {
      const lineEnd = raw.indexOf('\n', raw.length - units);
      const text = lineEnd < 0 ? '' : plainText(raw.slice(lineEnd + 1));
      // One character more than fits, because `lastBytes` checks it.
      if (text.length > bytes) return lastBytes(text, bytes);
    }
    return lastBytes(plainText(raw), bytes);
  }
}

function whereabouts(kept: (KeptOutput & { path: string }) | undefined): string {
  if (kept === undefined) return 'the start and the end are complete';
  if (kept.problem !== undefined) return `they could not be kept in a file: ${kept.problem.slice(0, 80)}`;
  const what = kept.isWhole ? 'the whole output is' : `its first ${megabytes(kept.bytes)} are`;
  return `${what} in ${kept.path}: read it in pages with ${TOOLS.readFile.name}, or search it with ${TOOLS.grep.name}`;
}

/** The first whole characters that fit. Cuts at a line end if there is one in the second half. */
function firstBytes(text: string, bytes: number): string {
  const all = Buffer.from(text.slice(0, bytes + 1));
  let end = Math.min(bytes, all.length);
  while (end > 0 && isContinuation(all[end])) end -= 1;
  const lineEnd = all.lastIndexOf(10, end - 1);
  return all.subarray(0, lineEnd > bytes / 2 ? lineEnd : end).toString();
}

/** The last whole characters that fit. Starts after a line end if there is one in the first half. */
function lastBytes(text: string, bytes: number): string {
  const all = Buffer.from(text.slice(-(bytes + 1)));
  let start = Math.max(0, all.length - bytes);
  while (start < all.length && isContinuation(all[start])) start += 1;
  const lineEnd = all.indexOf(10, start);
  return all.subarray(lineEnd >= 0 && lineEnd - start < bytes / 2 ? lineEnd + 1 : start).toString();
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;
