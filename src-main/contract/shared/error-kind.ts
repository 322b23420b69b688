import { z } from 'zod';

/**
 * Errors for a person or a model, grouped by possible reactions. `internal` is our fault: a bug that was caught at a
 * boundary.
 */
export const ErrorKind = z.enum([
  'invalid',
  'not_found',
  'denied',
  'conflict',
  'stale',
  'binary',
  'special',
  'too_large',
  'timeout',
  'cancelled',
  'unsupported',
  'storage',
  'folder_gone',
  'no_key',
  'bad_key',
  'network',
  'rate_limited',
  'overloaded',
  'stream_cut',
  'context_overflow',
  'refused',
  'spending_limit',
  'no_price',
  'provider',
  'internal',
]);
export type ErrorKind = z.infer<typeof ErrorKind>;
