/**
 * UTF-16 units that wait to be taken for a window's screen, at which a terminal is made to wait too, and at which it may
 * go on. A window takes all that waits at once and works at it while the next comes. Fewer would be drawn in more frames,
 * and frames are what a flood costs; more would keep a key's echo waiting.
 */
export const PAUSE_ABOVE = 500_000;
export const RESUME_BELOW = 300_000;
/** Milliseconds without a sign of life after which a window no longer holds a terminal up. */
export const STALLED_AFTER = 5_000;

/**
 * Who looks at a terminal and how far each has taken it for its screen. A terminal waits for the slowest of those that
 * are alive; with nobody looking it never waits. A viewer that stays silent for `STALLED_AFTER` while the terminal waits
 * is left out (it gets no data) until it acknowledges again; it then sees a gap in the offsets and attaches again.
 */
export class Flow {
  private readonly viewers = new Map<string, { acked: number; live: boolean }>();
  private stall: NodeJS.Timeout | undefined;
  private waiting = false;

  constructor(private readonly set: { pause(): void; resume(): void }) {}

  /** Somebody gets the data. */
  get watched(): boolean {
    for (const viewer of this.viewers.values()) if (viewer.live) return true;
    return false;
  }

  get attached(): boolean {
    return this.viewers.size > 0;
  }

  /** `end`: offset up to which the viewer was handed everything. */
  attach(viewer: string, end: number): void {
    this.viewers.set(viewer, { acked: end, live: true });
  }

  detach(viewer: string, end: number): void {
    this.viewers.delete(viewer);
    this.weigh(end);
  }

  /** The viewer has taken everything before `offset`; offsets beyond `end` or behind earlier ones count for nothing. */
  ack(viewer: string, offset: number, end: number): void {
    const state = this.viewers.get(viewer);
    if (!state) return;
    state.acked = state.live ? Math.max(state.acked, Math.min(offset, end)) : end;
    state.live = true;
    this.restartStall(end);
    this.weigh(end);
  }

  /** Call after data was handed out up to `end`. */
  weigh(end: number): void {
    let behind = 0;
    for (const { acked, live } of this.viewers.values()) if (live) behind = Math.max(behind, end - acked);
    if (!this.waiting && behind > PAUSE_ABOVE) {
      this.waiting = true;
      this.set.pause();
      this.restartStall(end);
    } else if (this.waiting && behind <= RESUME_BELOW) this.release();
  }

  /** The terminal has ended: nothing waits any more. */
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
