import type { Clock } from '../routines/clock';

/** A clock that stands still until a test moves it. */
export class MovedClock implements Clock {
  private at: number;
  private timers: { at: number; work: () => void }[] = [];

  constructor(at: string) {
    this.at = Date.parse(at);
  }

  now(): number {
    return this.at;
  }

  after(ms: number, work: () => void): () => void {
    const timer = { at: this.at + ms, work };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  }

  /** Lets the time pass: in the last minute, timers run in order, each at its time; before that, nothing is due. */
  pass(to: string): void {
    const end = Date.parse(to);
    if (this.at < end - 60_000) this.jump(new Date(end - 60_000).toISOString());
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.timers = this.timers.filter((one) => one !== next);
      this.at = Math.max(this.at, next.at);
      next.work();
    }
    this.at = end;
  }

  /** The clock jumps, forward or back, and no timer has run in between: sleep, or a changed clock. */
  jump(to: string): void {
    this.at = Date.parse(to);
    const [next] = this.timers;
    this.timers = [];
    next?.work();
  }
}
