import { ThreadId } from '../contract/ids';
import { fail, ok, type Result } from '../contract/result';
import type { Storage } from '../storage';
import { keepLease } from './turns/keep-lease';
import { explainSaving } from './window/run-errors';

/** Represents the host itself among the leases of threads. */
const HOST_LEASE = ThreadId.parse('host');

export interface HostLease {
  /**
   * Only the first host on a data folder cleans up after earlier runs. Another one, such as the headless command beside the
   * app, must not mistake a running app's files for leftovers.
   */
  isFirst: boolean;
  release(): void;
}

type Report = (where: string, error: unknown) => void;

/**
 * Takes the data folder's lease, if nobody holds it, and keeps it until it is released. It is the first write at startup.
 * Errors: `storage` if nothing can be written.
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
