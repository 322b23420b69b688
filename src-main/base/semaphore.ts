/** Lets at most `places` tasks run at the same time. Further ones wait, the longest first. */
export class Semaphore {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly places: number) {}

  /** Takes a place, immediately if there is one. Cancel: rejects with the signal's reason, and takes none. */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.taken < this.places) {
      this.taken += 1;
      return;
    }
    let next = () => {};
    let stop = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        next = resolve;
        stop = () => reject(signal?.reason);
        signal?.addEventListener('abort', stop, { once: true });
        this.waiting.add(next);
      });
    } finally {
      this.waiting.delete(next);
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Gives a place back, or to the task that has waited longest. */
  leave(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.taken -= 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
