import type { ThreadId } from '../../contract/ids';
import type { Storage } from '../../storage';

/** Milliseconds between heartbeats for other processes on the same data. */
const HEARTBEAT = 10_000;

type Report = (where: string, error: unknown) => void;

/**
 * Renews an acquired lease until the returned function is called, which releases it. Neither throws: a full disk must not
 * stop us, and the lease expires once this process has exited.
 */
export function keepLease(
  storage: Pick<Storage, 'leases' | 'lock'>,
  threadId: ThreadId,
  report: Report,
): () => void {
  const { leases, lock } = storage;
  const renew = async () => {
    await lock.wait(HEARTBEAT / 2);
    if (!isReleased) despiteDisk(() => leases.heartbeat(threadId), report);
  };
  let isReleased = false;
  const heartbeat = setInterval(() => void renew(), HEARTBEAT);
  heartbeat.unref();
  return () => {
    isReleased = true;
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
