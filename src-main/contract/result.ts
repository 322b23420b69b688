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

export const AppError = z.object({
  kind: ErrorKind,
  /** What happened, what is safe and what to do next, in words for the person. */
  message: z.string(),
  /** The raw text behind it (a provider's answer, a stack), shown folded. Never holds a secret. */
  detail: z.string().optional(),
  /** Seconds to wait before trying again, where the other side said so. */
  retryAfterSeconds: z.number().optional(),
});
export type AppError = z.infer<typeof AppError>;

export type Result<T> = { ok: true; value: T } | { ok: false; error: AppError };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });

export const fail = (kind: ErrorKind, message: string, detail?: string): { ok: false; error: AppError } => ({
  ok: false,
  error: detail === undefined ? { kind, message } : { kind, message, detail },
});
