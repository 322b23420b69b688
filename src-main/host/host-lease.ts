import { isBusyError } from '../base/sqlite/sqlite-error';
import { ThreadId } from '../contract/ids';
import { fail, ok, type Result } from '../contract/result';
import type { Storage } from '../storage';
import { PERSON_WAITS } from '../storage/database/write-lock';
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
 * Takes the data folder's lease, if nobody holds it, and keeps it until it is released. It is the first write at startup,
 * so it waits for another program's write to `file`, the database. Errors: `storage` if nothing can be written.
 */
export async function holdLease(storage: Storage, file: string, report: Report): Promise<Result<HostLease>> {
  let isFirst: boolean;
  await storage.lock.wait(PERSON_WAITS);
  try {
    isFirst = storage.leases.acquire(HOST_LEASE).ok;
  } catch (error) {
    const known = explainSaving(error);
    if (known === null) throw error;
    if (isBusyError(error)) return fail('storage', 'database_busy', { file }, known.detail);
    return fail('storage', 'data_folder_unwritable', {}, known.detail);
  }
  return ok({ isFirst, release: isFirst ? keepLease(storage, HOST_LEASE, report) : () => undefined });
}
