import type { DataJob } from '../../storage/data-jobs/data-jobs';
import { doDataJob } from '../../storage/data-jobs/data-service';

type Options = Parameters<typeof doDataJob>[1];

/** Work on all data that is running, so that quitting can ask about it and wait until its files are removed. */
export class RunningDataJobs {
  private readonly closing = new AbortController();
  private readonly running = new Map<Promise<unknown>, DataJob['kind']>();

  get isBackingUp(): boolean {
    return [...this.running.values()].includes('backup');
  }

  /** As `doDataJob`. */
  async run<J extends DataJob>(job: J, { signal, ...rest }: Options) {
    const work = doDataJob(job, { signal: AbortSignal.any([signal, this.closing.signal]), ...rest });
    this.running.set(work, job.kind);
    return work.finally(() => this.running.delete(work));
  }

  /** Cancels what is running. Resolves when none of its files is left. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled(this.running.keys());
  }
}
