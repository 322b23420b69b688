import { isTurnOver, yieldToEventLoop } from '../../../base/yield-to-event-loop';
import { type Failure, failure, systemCode } from '../failure';

/** Turns the store's own errors (an unreachable server, a full disk) into values. Bugs are rethrown. */
export async function answered<T>(path: string, work: () => Promise<T>): Promise<T | Failure> {
  try {
    // A store in this process may never wait, however often it is called.
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

/** The same for a change that was sent: it may have been carried out although its answer is missing. */
export function changeFailure(path: string, thrown: unknown): Failure {
  const failed = storeFailure(path, thrown);
  if (!isUnanswered(thrown)) return failed;
  const { message } = thrown as Error;
  return failure(
    'storage',
    `The store failed for '${path}' (${message}). It is not known whether the change was stored: read again before repeating it.`,
  );
}

const isUnanswered = (thrown: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(systemCode(thrown)) ||
  (thrown instanceof Error &&
    /^(Connection terminated unexpectedly|Query read timeout)/.test(thrown.message));

/** Errors of databases and sockets have a code. The Postgres driver omits it when a connection breaks. */
const isStoreError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error &&
  thrown.name !== 'AbortError' &&
  (systemCode(thrown) !== '' ||
    /^(Connection terminated|timeout exceeded|Query read timeout|Cannot use a pool)/.test(thrown.message));
