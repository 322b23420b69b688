import { setTimeout as later, setImmediate as nextRound } from 'node:timers/promises';

/** Milliseconds of reading contents before other work gets a turn. */
const FILL_FOR = 8;

/** The files of a first scan whose contents are read after it, a little at a time. `done`: all were read. */
export class PendingContents {
  isDone = false;
  private queue: string[] = [];
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly read: (path: string) => void,
    private readonly done: () => void,
  ) {}

  add(path: string): void {
    this.queue.push(path);
  }

  start(): void {
    this.running = this.run();
    this.running.catch(() => undefined);
  }

  async wait(waitMs: number): Promise<void> {
    const timer = new AbortController();
    const late = later(waitMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([this.running.catch(() => undefined), late]);
    timer.abort();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running.catch(() => undefined);
  }

  private async run(): Promise<void> {
    for (let at = 0; at < this.queue.length && !this.isStopped; ) {
      const until = performance.now() + FILL_FOR;
      for (; at < this.queue.length && performance.now() < until; at += 1) this.read(this.queue[at] ?? '');
      await nextRound();
    }
    this.queue = [];
    if (this.isStopped) return;
    this.isDone = true;
    this.done();
  }
}
