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
/**
 * What went wrong, for programs. Backends return `invalid` (a wrong argument), `not_found`, `denied`, `conflict` (it exists
 * already, or others keep changing it), `stale` (it changed since it was read), `binary` (not a text), `special` (a directory, or
 * not a regular file), `too_large`, `timeout`, `unsupported`, `storage` (a disk or store failed), `network`, `rate_limited` and
 * `folder_gone` (the root is missing). The others are for models and the app.
 */
export type ErrorKind = z.infer<typeof ErrorKind>;
