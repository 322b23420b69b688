import { z } from 'zod';
import { ErrorKind } from './shared/error-kind';

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
