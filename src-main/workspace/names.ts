import { systemPath, textOfLatin1 } from '../base/path-names';

const SLASH = 47;
const BACKSLASH = 92;
/** Initial capacity in bytes. The capacity for names follows from it. */
const ROOM = 64 * 1024;

/** Each byte in lowercase if it is an ASCII letter. */
const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));
/** The bit of each byte: one for each of a to z, four for the digits, one for everything that is not ASCII. */
const BIT = Int32Array.from({ length: 256 }, (_, byte) => {
  const lower = LOWER[byte] ?? 0;
  if (lower >= 97 && lower <= 122) return 1 << (lower - 97);
  if (byte >= 48 && byte <= 57) return 1 << (26 + ((byte - 48) % 4));
  return byte > 127 ? 1 << 30 : 0;
});

/** The characters of a text as bits. A name that lacks one of the bits cannot contain the text. */
export function letterBits(text: Uint8Array): number {
  let bits = 0;
  for (const byte of text) bits |= BIT[byte] ?? 0;
  return bits;
}

/**
 * The text in lowercase with the same length in bytes: a character whose lowercase is longer or shorter stays unchanged, so
 * that positions match in both.
 */
export function folded(text: string): Buffer {
  let lower = '';
  for (const character of text) {
    const small = character.toLowerCase();
    lower += Buffer.byteLength(small) === Buffer.byteLength(character) ? small : character;
  }
  return Buffer.from(lower);
}

/**
 * File names as they arrive, prepared for searching: all in one buffer, each terminated by a zero. A million strings would
 * take three times the memory, and seconds to create.
 */
export class Names {
  /** Number of complete names. */
  count = 0;
  /** The original names, and the lowercase ones. */
  private bytes: Buffer = Buffer.allocUnsafeSlow(ROOM);
  lower: Buffer = Buffer.allocUnsafeSlow(ROOM);
  /**
   * Start of each name; at index `count`, the start of the next one. The terminating zero is one byte before the next start.
   */
  starts = new Uint32Array(ROOM / 32);
  letters = new Int32Array(ROOM / 32);
  private used = 0;
  /** Bits of the name that is not complete yet. */
  private bits = 0;

  /** `backslashes`: they separate folders, as on Windows. */
  constructor(private readonly backslashes = false) {}

  /** Resets it to the empty state. */
  clear(): void {
    this.count = 0;
    this.used = 0;
    this.bits = 0;
  }

  /** Adds program output that contains consecutive names. The last name may continue in the next part. */
  add(part: Uint8Array): void {
    this.bytes = withRoom(this.bytes, this.used, part.length);
    this.lower = withRoom(this.lower, this.used, part.length);
    this.bytes.set(part, this.used);
    const { bytes, lower, backslashes } = this;
    let { used, bits } = this;
    const end = used + part.length;
    for (; used < end; used += 1) {
      let byte = bytes[used] ?? 0;
      if (backslashes && byte === BACKSLASH) {
        byte = SLASH;
        bytes[used] = byte;
      }
      lower[used] = LOWER[byte] ?? 0;
      bits |= BIT[byte] ?? 0;
      if (byte !== 0) continue;
      this.end(used, bits);
      bits = 0;
    }
    this.used = used;
    this.bits = bits;
  }

  at(index: number): string {
    return this.textAt(this.starts[index] ?? 0, (this.starts[index + 1] ?? 1) - 1);
  }

  /** The direct children of a directory (with `/`, empty for the root): files, and directories that contain files. */
  below(directory: string): Set<string> {
    const { bytes, starts, count } = this;
    const prefix = Buffer.from(systemPath(directory === '' ? '' : `${directory}/`));
    const found = new Set<string>();
    // Consecutive names are often in the same directory.
    let [from, to] = [0, 0];
    for (let index = 0; index < count; index += 1) {
      const begin = starts[index] ?? 0;
      const end = (starts[index + 1] ?? 1) - 1;
      let at = 0;
      while (at < prefix.length && bytes[begin + at] === prefix[at]) at += 1;
      if (at < prefix.length) continue;
      const first = begin + at;
      let last = first;
      while (last < end && bytes[last] !== SLASH) last += 1;
      let same = 0;
      if (last - first === to - from)
        while (from + same < to && bytes[first + same] === bytes[from + same]) same += 1;
      if (to > from && same === to - from) continue;
      found.add(this.textAt(first, last));
      [from, to] = [first, last];
    }
    return found;
  }

  *[Symbol.iterator](): Generator<string> {
    for (let index = 0; index < this.count; index += 1) yield this.at(index);
  }

  /** Most names are ASCII, where nothing is escaped. */
  private textAt(from: number, to: number): string {
    if (this.backslashes) return this.bytes.toString('utf8', from, to);
    return textOfLatin1(this.bytes.toString('latin1', from, to));
  }

  /** Completes the last name; `at` is the position of its zero. */
  private end(at: number, bits: number): void {
    const begin = this.starts[this.count] ?? 0;
    if ((bits & (1 << 30)) !== 0) {
      const small = folded(this.bytes.toString('utf8', begin, at));
      // A name that is not UTF-8 has no lowercase form.
      if (small.length === at - begin) this.lower.set(small, begin);
    }
    if (this.count + 2 > this.starts.length) {
      const starts = new Uint32Array(this.starts.length * 2);
      starts.set(this.starts);
      this.starts = starts;
      const letters = new Int32Array(starts.length);
      letters.set(this.letters);
      this.letters = letters;
    }
    this.letters[this.count] = bits;
    this.count += 1;
    this.starts[this.count] = at + 1;
  }
}

function withRoom(buffer: Buffer, used: number, more: number): Buffer {
  if (used + more <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, used + more));
  larger.set(buffer.subarray(0, used));
  return larger;
}
