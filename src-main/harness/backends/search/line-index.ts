import type { BigIntStats } from 'node:fs';
import { setNewest } from '../../../contract/shared/set-newest';
import { statMark } from '../disk/atomic-write';

/** Bytes between two known places, and bytes read at once while counting lines. */
export const STRIDE = 512 * 1024;
/** Maximum number of files whose lines are remembered, each with at most `MAX_MARKS` numbers: 8 MB in all. */
const MAX_FILES = 64;
const MAX_MARKS = 16_384;
/** Smaller files, in bytes, are simply read again. */
const WORTH_KEEPING = STRIDE;
/** Milliseconds in which a file may change again without its times showing it, because the file system's clock ticks. */
const CLOCK_TICK = 50;

/** Roughly where lines start in one state of one file: the number of line endings before each multiple of `stride`. */
export class LineIndex {
  /** `ends[k]`: number of line endings before byte `k * stride`. */
  private readonly ends: number[] = [0];
  private readonly stride: number;
  /** Lines of the whole file, once its end has been read. */
  total: number | undefined;

  constructor(size: number) {
    this.stride = STRIDE * Math.max(1, Math.ceil(size / STRIDE / MAX_MARKS));
  }

  /** The last known place before the start of a line (0-based). */
  before(line: number): { position: number; ends: number } {
    let low = 0;
    let high = this.ends.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.ends[middle] ?? 0) < line) low = middle;
      else high = middle - 1;
    }
    return this.at(low);
  }

  /** The last known place at or before a byte. */
  upTo(position: number): { position: number; ends: number } {
    return this.at(Math.min(this.ends.length - 1, Math.floor(position / this.stride)));
  }

  /** Records the number of line endings before a place. Has no effect unless it is the next place. */
  note(position: number, ends: number): void {
    if (position === this.ends.length * this.stride) this.ends.push(ends);
  }

  private at(mark: number): { position: number; ends: number } {
    return { position: mark * this.stride, ends: this.ends[mark] ?? 0 };
  }
}

/** The indexes of the most recently read files, each for one state of its file: any change makes a new one. */
export class LineIndexes {
  private readonly kept = new Map<string, LineIndex>();

  /** The index of an open file. `now`: milliseconds, as `Date.now`. */
  of(stat: BigIntStats, now = Date.now()): LineIndex {
    const size = Number(stat.size);
    const changed = Number(stat.ctimeNs / 1_000_000n);
    if (size < WORTH_KEEPING || Math.abs(now - changed) < CLOCK_TICK) return new LineIndex(size);
    return this.ofVersion(statMark(stat), size);
  }

  /** The index of a version of a file that never changes. */
  ofVersion(key: string, size: number): LineIndex {
    const index = this.kept.get(key) ?? new LineIndex(size);
    setNewest(this.kept, key, index, MAX_FILES);
    return index;
  }

  /** Drops what was recorded while the file was changing. */
  forget(stat: BigIntStats): void {
    this.kept.delete(statMark(stat));
  }
}
