const A = 97;
const Z = 122;
const ZERO = 48;
const NINE = 57;

/** Which letters a text in lower case has: a bit for each of a to z, five more for all else. */
export function lettersOf(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= A && code <= Z) bits |= 1 << (code - A);
    else if (code >= ZERO && code <= NINE) bits |= 1 << (26 + ((code - ZERO) % 4));
    else if (code > 127) bits |= 1 << 30;
  }
  return bits;
}

/** Names of files as they come, made ready for being looked through. */
export class Names {
  readonly names: string[] = [];
  readonly lower: string[] = [];
  letters = new Int32Array(1024);

  /** Adds names that stand one after another, each ended by a zero. */
  add(text: string): void {
    const folded = text.toLowerCase();
    const names = text.split('\0');
    const lower = folded === text ? names : folded.split('\0');
    // What follows the last zero is empty.
    for (let at = 0; at < names.length - 1; at += 1) {
      const name = lower[at] ?? '';
      if (this.names.length === this.letters.length) {
        const larger = new Int32Array(this.letters.length * 2);
        larger.set(this.letters);
        this.letters = larger;
      }
      this.letters[this.names.length] = lettersOf(name);
      this.names.push(names[at] ?? '');
      this.lower.push(name);
    }
  }
}
