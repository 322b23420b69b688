/** Bytes of UTF-8 that may be pending for a program that does not read. Further input is rejected. */
const MAX_QUEUE_BYTES = 1024 * 1024;
/** Milliseconds between checks for free space after the program has read. */
const LOOK_EVERY = 10;
/** What Ctrl C sends. */
const INTERRUPT = '\x03';

/**
 * Queues typed input for the program. The kernel buffers about 64 KB for a program that does not read. After that, a write
 * through a stream blocks the event loop, and with it the whole process, for good. Here each write sends what fits, and the
 * rest is retried later.
 */
export class PtyInput {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  /**
   * `write` never blocks. It returns the number of bytes taken, 0 if there is no space, and throws if the program is gone.
   */
  constructor(private readonly write: (data: Buffer) => number) {}

  /** Returns false if too much input is pending and this was rejected. After `close`, input is accepted and dropped. */
  push(text: string): boolean {
    if (this.closed || text === '') return true;
    // Somebody who interrupts does not want the program to read the rest of a paste.
    if (text === INTERRUPT) this.clear();
    const data = Buffer.from(text);
    if (this.waitingBytes + data.length > MAX_QUEUE_BYTES) return false;
    this.waiting.push(data);
    this.waitingBytes += data.length;
    if (this.timer === undefined) this.flush();
    return true;
  }

  /** The terminal is gone: nothing more is written. */
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
        // The program has exited; its exit event reports that.
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
