import type { ThreadId } from '../../contract/ids';
import type { Storage } from '../../storage';

/** Milliseconds between signs of life, for other processes on the same data. */
const HEARTBEAT = 10_000;

type Report = (where: string, error: unknown) => void;

/**
 * Gives signs of life of a lease that was acquired, until the answer is called, which gives it back. Neither throws: what
 * a full disk keeps is no longer held against us, nor against others once this process has ended.
 */
export function keepLease(storage: Pick<Storage, 'leases'>, threadId: ThreadId, report: Report): () => void {
  const { leases } = storage;
  const heartbeat = setInterval(() => despiteDisk(() => leases.heartbeat(threadId), report), HEARTBEAT);
  heartbeat.unref();
  return () => {
    clearInterval(heartbeat);
    despiteDisk(() => leases.release(threadId), report);
  };
}

function despiteDisk(work: () => void, report: Report): void {
  try {
    work();
  } catch (error) {
    report('lease', error);
  }
}
