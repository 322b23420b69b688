import { textOfLatin1 } from './path-names';

/** Bytes of a hash in the usual kind of repository. */
export const SHA1 = 20;
/** The same where a repository uses longer hashes. */
export const SHA256 = 32;
const HEADER = 12;
/** Bytes of an entry before its hash. */
const FACTS = 40;
/** Where an entry has its mode. */
const MODE = 24;

/** One file's entry in git's index. Most callers need few of its fields, so each is read on demand. */
export class IndexEntry {
  constructor(
    /** Relative to the repository's root, with `/`. */
    readonly path: string,
    private readonly bytes: Buffer,
    private readonly start: number,
    private readonly flagsAt: number,
  ) {}

  get mtimeSeconds(): number {
    return this.bytes.readUInt32BE(this.start + 8);
  }

  get mtimeNanoseconds(): number {
    return this.bytes.readUInt32BE(this.start + 12);
  }

  get mode(): number {
    return this.bytes.readUInt32BE(this.start + MODE);
  }

  /** Bytes in the working tree, modulo 2^32. */
  get size(): number {
    return this.bytes.readUInt32BE(this.start + 36);
  }

  /** Hash of the blob, in hexadecimal. */
  get hash(): string {
    return this.bytes.toString('hex', this.start + FACTS, this.flagsAt);
  }

  /** Above 0 during an unresolved merge. */
  get stage(): number {
    return (this.flags >> 12) & 3;
  }

  /** The person told git not to check this file. */
  get isPutAside(): boolean {
    const isExtended = (this.flags & 0x4000) !== 0;
    return (
      (this.flags & 0x8000) !== 0 ||
      (isExtended && (this.bytes.readUInt16BE(this.flagsAt + 2) & 0x4000) !== 0)
    );
  }

  /** Zeroes everything but mode, hash, flags and name in a copy of the index. */
  clearStat(copy: Buffer): void {
    copy.fill(0, this.start, this.start + MODE);
    copy.fill(0, this.start + MODE + 4, this.start + FACTS);
  }

  private get flags(): number {
    return this.bytes.readUInt16BE(this.flagsAt);
  }
}

/**
 * Parses versions 2 to 4 of git's format (gitformat-index). Null for any other version, and for a damaged or split index.
 */
export function parseIndex(bytes: Buffer, hashLength: number): IndexEntry[] | null {
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return null;
  const end = bytes.length - hashLength;
  const entries: IndexEntry[] = [];
  let at = HEADER;
  let before: Buffer = Buffer.alloc(0);
  for (let n = 0; n < count; n += 1) {
    const start = at;
    if (start + FACTS + hashLength + 2 > end) return null;
    const flagsAt = start + FACTS + hashLength;
    let nameAt = flagsAt + ((bytes.readUInt16BE(flagsAt) & 0x4000) !== 0 ? 4 : 2);
    let kept: Buffer = Buffer.alloc(0);
    if (version === 4) {
      // Names share a prefix with the previous one: this many bytes are removed from its end.
      let cut = 0;
      for (let more = true, first = true; more; first = false) {
        const byte = bytes[nameAt];
        if (byte === undefined) return null;
        cut = (first ? 0 : (cut + 1) * 128) + (byte & 0x7f);
        more = (byte & 0x80) !== 0;
        nameAt += 1;
      }
      kept = before.subarray(0, Math.max(0, before.length - cut));
    }
    const zero = bytes.indexOf(0, nameAt);
    if (zero < 0 || zero > end) return null;
    const name =
      version === 4 ? Buffer.concat([kept, bytes.subarray(nameAt, zero)]) : bytes.subarray(nameAt, zero);
    before = name;
    // Entries are padded with one to eight zeros, except in version 4.
    at = version === 4 ? zero + 1 : start + Math.ceil((zero + 1 - start) / 8) * 8;
    entries.push(new IndexEntry(textOfLatin1(name.toString('latin1')), bytes, start, flagsAt));
  }
  // The rest of a split index is in another file.
  if (bytes.toString('latin1', at, at + 4) === 'link') return null;
  return entries;
}

/**
 * Whether two indexes of one version differ only in times, device, owner and size of the files, and so in the checksum at the
 * end: git renews those while it reads.
 */
export function differsInStatOnly(one: Buffer, other: Buffer, hashLength: number): boolean {
  const sides = [one, other].map((bytes) => {
    const entries = parseIndex(bytes, hashLength);
    if (entries === null) return null;
    const bare = Buffer.from(bytes.subarray(0, bytes.length - hashLength));
    for (const entry of entries) entry.clearStat(bare);
    return bare;
  });
  const [before, after] = sides;
  return before != null && after != null && before.equals(after);
}
