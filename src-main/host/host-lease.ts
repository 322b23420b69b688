import { ThreadId } from '../contract/ids';
import { fail, ok, type Result } from '../contract/result';
import type { Storage } from '../storage';
import { keepLease } from './turns/keep-lease';
import { explainSaving } from './window/run-errors';

/** Stands for the host itself among the leases of threads. */
const HOST_LEASE = ThreadId.parse('host');

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
    return fail('storage', 'data_folder_unwritable', {}, known.detail);
  }
  return ok({ isFirst, release: isFirst ? keepLease(storage, HOST_LEASE, report) : () => undefined });
}
