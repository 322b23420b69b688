import type { Clock } from '../clock';

/** Milliseconds that a call takes at most, however much progress it reports. */
const MAX_DURATION = 60 * 60_000;
/** Part of the limit within which it starts again once: each start is a timer, and servers may report anything in a loop. */
const TOO_SOON = 1 / 20;

/** The time limit of a call. It starts again with each sign of progress, and does not run while the person is asked. */
export class CallLimit {
  private readonly controller = new AbortController();
  private current: AbortSignal | undefined;
  private startedAt = 0;
  private questions = 0;

  constructor(
    private readonly clock: Clock,
    private readonly milliseconds: number,
  ) {
    if (milliseconds < MAX_DURATION) this.abortWith(clock.limit(MAX_DURATION), () => true);
    this.restart();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(): void {
    const since = this.clock.now() - this.startedAt;
    const isTooSoon = since >= 0 && since < this.milliseconds * TOO_SOON;
    if (this.questions > 0 || (isTooSoon && this.current !== undefined)) return;
    this.startedAt += since;
    const limit = this.clock.limit(this.milliseconds);
    this.current = limit;
    this.abortWith(limit, () => this.current === limit);
  }

  /** Runs the work without the limit. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.questions += 1;
    this.current = undefined;
    try {
      return await work();
    } finally {
      this.questions -= 1;
      this.restart();
    }
  }

  private abortWith(limit: AbortSignal, isMeant: () => boolean): void {
    const abort = () => {
      if (isMeant()) this.controller.abort(limit.reason);
    };
    limit.addEventListener('abort', abort, { once: true });
  }
}
