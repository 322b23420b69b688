import { z } from 'zod';
import type { ErrorCode, ErrorText, ErrorValues } from './errors';
import { ErrorKind } from './shared/error-kind';
import { ReasonValue } from './shared/reasons';

const Text = z.object({
  code: z.string(),
  values: z.record(z.string(), ReasonValue).optional(),
});

/** Older versions stored an English sentence instead of a code: it is shown unchanged. */
const fromProse = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'message' in error && !('code' in error)
    ? { ...error, code: 'prose', values: { text: error.message } }
    : error;

/**
 * An error: a code with the values for its text. `fail` and `appError` create it. `src-renderer/i18n/errors.ts` provides the
 * text in the person's language.
 */
export const AppError = z.preprocess(
  fromProse,
  Text.extend({
    kind: ErrorKind,
    /** The cause, in our own words. */
    cause: Text.optional(),
    /** The raw text behind the error (a provider's response, a stack), shown collapsed. Never contains a secret. */
    detail: z.string().optional(),
    /** Seconds to wait before retrying, if the other side specified them. */
    retryAfterSeconds: z.number().optional(),
  }).brand<'AppError'>(),
);
export type AppError = z.infer<typeof AppError>;

/** The same as text in one language. */
export interface ErrorInWords {
  kind: ErrorKind;
  /** For a form that shows the error at its field. */
  code?: string | undefined;
  /** What the error is about, by the names of its code: a form marks that one of several fields. */
  values?: AppError['values'];
  message: string;
  detail?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

export type Result<T, E = AppError> = { ok: true; value: T } | { ok: false; error: E };

/** A command's result, as a window receives it. */
export type Answer<T> = Result<T, ErrorInWords>;

export const ok = <T, E = AppError>(value: T): Result<T, E> => ({ ok: true, value });

interface Behind {
  cause?: ErrorText | undefined;
  detail?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/** An error from an existing error text. */
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
