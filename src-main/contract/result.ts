import { z } from 'zod';
import type { ErrorCode, ErrorText, ErrorValues } from './errors';
import { ErrorKind } from './shared/error-kind';
import { Reasons } from './shared/reasons';

const Text = z.object({
  code: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number(), Reasons])).optional(),
});

/** Older versions kept an English sentence in place of a code: it is shown as it was written. */
const fromProse = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'message' in error && !('code' in error)
    ? { ...error, code: 'prose', values: { text: error.message } }
    : error;

/**
 * What went wrong: a code with the values that stand in its words. `fail` and `appError` make it; who shows it asks
 * `src-renderer/i18n/errors.ts` for the words, in the language of the person.
 */
export const AppError = z.preprocess(
  fromProse,
  Text.extend({
    kind: ErrorKind,
    /** What is behind it, in words of ours. */
    cause: Text.optional(),
    /** The raw text behind it (a provider's answer, a stack), shown folded. Never holds a secret. */
    detail: z.string().optional(),
    /** Seconds to wait before trying again, where the other side said so. */
    retryAfterSeconds: z.number().optional(),
  }).brand<'AppError'>(),
);
export type AppError = z.infer<typeof AppError>;

/** The same in the words of one language. */
export interface ErrorInWords {
  kind: ErrorKind;
  message: string;
  detail?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

export type Result<T, E = AppError> = { ok: true; value: T } | { ok: false; error: E };

/** What a window gets of a command. */
export type Answer<T> = Result<T, ErrorInWords>;

export const ok = <T, E = AppError>(value: T): Result<T, E> => ({ ok: true, value });

interface Behind {
  cause?: ErrorText | undefined;
  detail?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/** An error of a text that is there already. */
export const appError = (kind: ErrorKind, text: ErrorText, behind: Behind = {}): AppError => {
  const entries = Object.entries({ ...text, ...behind }).filter(([, value]) => value !== undefined);
  return { kind, ...Object.fromEntries(entries) } as AppError;
};

/** `fail('not_found', 'thread_gone')`, `fail('storage', 'file_unwritten', { path }, String(error))` */
export const fail = <C extends ErrorCode>(
  kind: ErrorKind,
  code: C,
  ...[values, detail]: keyof ErrorValues[C] extends never
    ? [values?: ErrorValues[C], detail?: string | undefined]
    : [values: ErrorValues[C], detail?: string | undefined]
): { ok: false; error: AppError } => ({
  ok: false,
  error: appError(kind, { code, values }, { detail }),
});
