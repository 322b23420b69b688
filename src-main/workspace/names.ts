import { systemPath, textOfLatin1 } from '../base/path-names';

const SLASH = 47;
const BACKSLASH = 92;
/** Bytes that there is room for at first, and names. */
const ROOM = 64 * 1024;

/** Each byte in lower case, where it is a letter of ASCII. */
const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));
/** The bit of each byte: one for each of a to z, four for the digits, one for all that is not ASCII. */
const BIT = Int32Array.from({ length: 256 }, (_, byte) => {
  const lower = LOWER[byte] ?? 0;
  if (lower >= 97 && lower <= 122) return 1 << (lower - 97);
  if (byte >= 48 && byte <= 57) return 1 << (26 + ((byte - 48) % 4));
  return byte > 127 ? 1 << 30 : 0;
});

/** Which letters a text has, as bits: what lacks one of them does not hold the text. */
export function lettersOf(text: Uint8Array): number {
  let bits = 0;
  for (const byte of text) bits |= BIT[byte] ?? 0;
  return bits;
}

/**
 * A text in lower case, as many bytes long as it was: a character whose lower case is longer or shorter stays, so that
 * places in the one are places in the other.
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
 * Names of files as they come, prepared for being looked through: all in one buffer, each ended by a zero. A million
 * strings would take three times the memory, and seconds to make.
 */
export class Names {
  /** Names that are whole. */
  count = 0;
  /** As they are, and in lower case. */
  private bytes: Buffer = Buffer.allocUnsafeSlow(ROOM);
  lower: Buffer = Buffer.allocUnsafeSlow(ROOM);
  /** Where each begins; of `count`: where the next will. Its zero is one before the next. */
  starts = new Uint32Array(ROOM / 32);
  letters = new Int32Array(ROOM / 32);
  private used = 0;
  /** Letters of the name that is not whole yet. */
  private bits = 0;

  /** `backslashes`: they divide folders, as on Windows. */
  constructor(private readonly backslashes = false) {}

  /** As if nothing had been added. */
  clear(): void {
    this.count = 0;
    this.used = 0;
    this.bits = 0;
  }

  /** Adds what a program put out: names that stand one after another. The last one may go on in the next part. */
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

  /** The names of what is right below a directory (with `/`, empty for the top): files, and directories with files. */
  below(directory: string): Set<string> {
    const { bytes, starts, count } = this;
    const prefix = Buffer.from(systemPath(directory === '' ? '' : `${directory}/`));
    const found = new Set<string>();
    // Names that stand one after another are often of one directory.
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

  /** Most names are ASCII, in which nothing is escaped. */
  private textAt(from: number, to: number): string {
    if (this.backslashes) return this.bytes.toString('utf8', from, to);
    return textOfLatin1(this.bytes.toString('latin1', from, to));
  }

  /** The name that began last is whole: `at` is the place of its zero. */
  private end(at: number, bits: number): void {
    const begin = this.starts[this.count] ?? 0;
    if ((bits & (1 << 30)) !== 0) {
      const small = folded(this.bytes.toString('utf8', begin, at));
      // A name that is no UTF-8 has no lower case.
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
