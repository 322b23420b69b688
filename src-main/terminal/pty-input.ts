/** Bytes of UTF-8 that wait for a program that does not read; what is typed beyond them is refused. */
const LONGEST_QUEUE = 1024 * 1024;
/** Milliseconds between looks at whether the program has read and there is room again. */
const LOOK_EVERY = 10;
/** What Ctrl C sends. */
const INTERRUPT = '\x03';

/**
 * What is typed into a terminal, on its way to the program. The kernel holds about 64 KB for a program that does not
 * read; a stream's own writing then waits inside the event loop and holds the whole process up for good. Here each write
 * takes what fits, and the rest is tried again later.
 */
export class PtyInput {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  /** `write` never waits: it answers how many bytes were taken, 0 where there is no room, and throws when nobody is there. */
  constructor(private readonly write: (data: Buffer) => number) {}

  /** False where so much waits already that this was not taken. After `close` everything is taken and goes nowhere. */
  push(text: string): boolean {
    if (this.closed || text === '') return true;
    // Whoever interrupts does not want the rest of what they pasted to be read any more.
    if (text === INTERRUPT) this.clear();
    const data = Buffer.from(text);
    if (this.waitingBytes + data.length > LONGEST_QUEUE) return false;
    this.waiting.push(data);
    this.waitingBytes += data.length;
    if (this.timer === undefined) this.flush();
    return true;
  }

  /** The terminal is gone: nothing is written any more. */
  close(): void {
    this.closed = true;
    this.clear();
  }

  private clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
    this.waitingBytes = 0;
  }

  private flush(): void {
    this.timer = undefined;
    for (let [first] = this.waiting; first !== undefined; [first] = this.waiting) {
      let taken: number;
      try {
        taken = this.write(first);
      } catch {
        // The program ended; that is told by its end.
        this.close();
        return;
      }
      this.waitingBytes -= taken;
      if (taken === first.length) this.waiting.shift();
      else {
        this.waiting[0] = first.subarray(taken);
        this.timer = setTimeout(() => this.flush(), LOOK_EVERY);
        return;
      }
    }
  }
}
