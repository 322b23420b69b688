import type { ThreadId } from '../../contract/ids';
import type { Storage } from '../../storage';

/** Milliseconds between heartbeats for other processes on the same data. */
const HEARTBEAT = 10_000;

type Report = (where: string, error: unknown) => void;

/**
 * Renews an acquired lease until the returned function is called, which releases it. Neither throws: a full disk must not
 * stop us, and the lease expires once this process has exited.
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
