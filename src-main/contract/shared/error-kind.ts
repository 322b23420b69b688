import { z } from 'zod';

/**
 * What can go wrong for a person or a model, by what they can do about it.
 * `internal` is ours: a bug that was caught at a border.
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
