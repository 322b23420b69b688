import { isTurnOver, yieldToEventLoop } from '../../base/yield-to-event-loop';
import { type Failure, failure, systemCode } from './failure';

/** The store's own errors (a server that is away, a full disk) as a value; bugs are thrown again. */
export async function answered<T>(path: string, work: () => Promise<T>): Promise<T | Failure> {
  try {
    // A store in this process may answer without ever waiting, however often it is asked.
    if (isTurnOver()) await yieldToEventLoop();
    return await work();
  } catch (thrown) {
    return storeFailure(path, thrown);
  }
}

export function storeFailure(path: string, thrown: unknown): Failure {
  if (!isStoreError(thrown)) throw thrown;
  return failure('storage', `The store failed for '${path}' (${thrown.message}). Try again later.`);
}

/** Databases and sockets give their errors a code; the driver of Postgres leaves it out where a connection breaks. */
const isStoreError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error &&
  thrown.name !== 'AbortError' &&
  (systemCode(thrown) !== '' || /^(Connection terminated|timeout exceeded)/.test(thrown.message));
