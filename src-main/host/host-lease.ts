import { ThreadId } from '../contract/ids';
import { fail, ok, type Result } from '../contract/result';
import type { Storage } from '../storage';
import { explainSaving } from './window/run-errors';

/** Stands for the host itself among the leases of threads. */
const HOST_LEASE = ThreadId.parse('host');
/** Milliseconds between signs of life, for other processes on the same data. */
const HEARTBEAT = 10_000;

export interface HostLease {
  /**
   * The first host on a data folder looks after what earlier runs left; another one, such as the headless command beside
   * the app, must not take what belongs to a running app for left-overs.
   */
  isFirst: boolean;
  release(): void;
}

type Report = (where: string, error: unknown) => void;

/**
 * Holds the data folder's lease, where nobody else does, until it is released. It is the first that is written at a
 * start. Errors: `storage` where nothing can be.
 */
export function holdLease(storage: Storage, report: Report): Result<HostLease> {
  let isFirst: boolean;
  try {
    isFirst = storage.leases.acquire(HOST_LEASE).ok;
  } catch (error) {
    const known = explainSaving(error);
    if (known === null) throw error;
    return fail(
      'storage',
      'Nothing can be written to the data folder. Make sure that the disk has space and can be written to, then start Deepdesk again.',
      known.detail,
    );
  }
  return ok({ isFirst, release: isFirst ? keepLease(storage, HOST_LEASE, report) : () => undefined });
}

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
