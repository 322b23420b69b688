/**
 * UTF-16 units pending for a window at which the terminal is paused, and at which it resumes. A window takes everything
 * pending in one step and processes it while the next part arrives. A lower limit would draw more frames, and frames are the
 * main cost of a flood. A higher limit would delay the echo of a key.
 */
export const PAUSE_ABOVE = 500_000;
export const RESUME_BELOW = 300_000;
/** Milliseconds without an acknowledgment after which a window no longer pauses a terminal. */
export const STALLED_AFTER = 5_000;

/**
 * The viewers of a terminal and how far each has processed the output. A terminal waits for the slowest viewer that is
 * alive; without viewers it never waits. A viewer that stays silent for `STALLED_AFTER` while the terminal waits gets no
 * data until it acknowledges again. It then sees a gap in the offsets and attaches again.
 */
export class Flow {
  private readonly viewers = new Map<string, { acked: number; live: boolean }>();
  private stall: NodeJS.Timeout | undefined;
  private waiting = false;

  constructor(private readonly set: { pause(): void; resume(): void }) {}

  /** True if any viewer gets the data. */
  get watched(): boolean {
    for (const viewer of this.viewers.values()) if (viewer.live) return true;
    return false;
  }

  get attached(): boolean {
    return this.viewers.size > 0;
  }

  /** `end`: the offset up to which the viewer has received everything. */
  attach(viewer: string, end: number): void {
    this.viewers.set(viewer, { acked: end, live: true });
  }

  detach(viewer: string, end: number): void {
    this.viewers.delete(viewer);
    this.weigh(end);
  }

  /** The viewer has processed everything before `offset`. Offsets beyond `end` or below earlier ones are ignored. */
  ack(viewer: string, offset: number, end: number): void {
    const state = this.viewers.get(viewer);
    if (!state) return;
    state.acked = state.live ? Math.max(state.acked, Math.min(offset, end)) : end;
    state.live = true;
    this.restartStall(end);
    this.weigh(end);
  }

  /** Call it after sending data up to `end`. */
  weigh(end: number): void {
    let behind = 0;
    for (const { acked, live } of this.viewers.values()) if (live) behind = Math.max(behind, end - acked);
    if (!this.waiting && behind > PAUSE_ABOVE) {
      this.waiting = true;
      this.set.pause();
      this.restartStall(end);
    } else if (this.waiting && behind <= RESUME_BELOW) this.release();
  }

  /** The terminal has exited: nothing waits any more. */
  release(): void {
    clearTimeout(this.stall);
    if (!this.waiting) return;
    this.waiting = false;
    this.set.resume();
  }

  private restartStall(end: number): void {
    clearTimeout(this.stall);
    if (!this.waiting) return;
    this.stall = setTimeout(() => {
      for (const viewer of this.viewers.values()) if (end - viewer.acked > RESUME_BELOW) viewer.live = false;
      this.weigh(end);
    }, STALLED_AFTER);
  }
}
