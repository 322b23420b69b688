import { because, type Reason, type Reasons } from '../../contract/shared/reasons';
import { whyOf } from '../problem';

/** The HTTP status in an error of the SDK, read without loading the SDK. */
function statusOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'UnauthorizedError') return 401;
  return 'status' in error ? error.status : undefined;
}

/** The server does not recognize our credentials. */
export const isUnknown = (error: unknown): boolean => statusOf(error) === 401;

/** `lost`: how the connection ended. With 401 or 403, an HTTP server rejects our headers or their absence. */
export function whyNotStarted(error: unknown, lost: Reason | undefined): Reasons {
  const status = statusOf(error);
  if (status === 401 || status === 403) return [because('mcp_key_refused')];
  return lost === undefined ? whyOf(error) : [lost];
}
