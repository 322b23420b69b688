import type { AppError, Result } from '../../contract/result';
import { AcpRefusal } from '../../harness/acp';
import { failureText } from '../print';

/** Returns the value, or throws the app's error in the protocol's terms. */
export function expectOk<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw refusalOf(result.error);
}

export function refusalOf(error: AppError): AcpRefusal {
  const { kind } = error;
  return new AcpRefusal(
    kind === 'not_found' || kind === 'invalid' ? kind : 'failed',
    failureText(error).trimEnd(),
  );
}
