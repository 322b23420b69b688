/** `latin1`: each byte is a character. */
export type OutputEncoding = 'utf8' | 'latin1';

/** The head and the tail of an output, in bytes of UTF-8. The middle is counted and dropped. */
export class HeadAndTail {
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  private tail: Buffer[] = [];
  private tailBytes = 0;
  private total = 0;

  constructor(private readonly maxBytes: number) {}

  push(bytes: Buffer): void {
    this.total += bytes.length;
    const half = Math.ceil(this.maxBytes / 2);
    const room = half - this.headBytes;
    if (room > 0) {
      this.head.push(bytes.subarray(0, room));
      this.headBytes += Math.min(room, bytes.length);
    }
    const rest = bytes.subarray(Math.max(0, room));
    if (rest.length === 0) return;
    this.tail.push(rest);
    this.tailBytes += rest.length;
    const limit = this.maxBytes - half;
    for (let first = this.tail[0]; first !== undefined && this.tailBytes - first.length >= limit; ) {
      this.tail.shift();
      this.tailBytes -= first.length;
      first = this.tail[0];
    }
  }

  end(encoding: OutputEncoding = 'utf8'): { text: string; truncated: boolean } {
    const head = Buffer.concat(this.head);
    const tail = Buffer.concat(this.tail);
    if (this.total <= this.maxBytes)
      return { text: Buffer.concat([head, tail]).toString(encoding), truncated: false };
    const kept = fromCharacter(tail.subarray(tail.length - (this.maxBytes - head.length)));
    const left = this.total - head.length - kept.length;
    // Leaves out a character that is cut in two.
    const begin =
      encoding === 'utf8' ? new TextDecoder().decode(head, { stream: true }) : head.toString(encoding);
    return { text: `${begin}\n[… ${left} bytes left out …]\n${kept.toString(encoding)}`, truncated: true };
  }
}

/** Drops the rest of a character that started earlier. */
function fromCharacter(bytes: Buffer): Buffer {
  let at = 0;
  while (at < Math.min(4, bytes.length) && ((bytes[at] ?? 0) & 0b1100_0000) === 0b1000_0000) at += 1;
  return bytes.subarray(at);
}
