import { fail } from './result';
import type { ErrorKind } from './shared/error-kind';

/** The window's error code for each kind of backend failure. */
const CODES = {
  not_found: 'file_gone',
  denied: 'file_denied',
  conflict: 'file_exists',
  stale: 'file_stale',
  binary: 'file_not_text',
  special: 'file_special',
  too_large: 'file_too_large',
  timeout: 'file_timeout',
  cancelled: 'file_stopped',
  unsupported: 'file_unsupported',
  storage: 'file_storage',
  invalid: 'file_path_refused',
  network: 'file_offline',
} as const satisfies Partial<Record<ErrorKind, string>>;

const isCoded = (kind: ErrorKind): kind is keyof typeof CODES => Object.hasOwn(CODES, kind);

/** Kinds whose code says all that the original text says. */
const TOLD: ReadonlySet<ErrorKind> = new Set([
  'not_found',
  'conflict',
  'stale',
  'binary',
  'special',
  'too_large',
  'cancelled',
]);

/** A backend's failure is written for the model. The person gets its kind and path; the original text only if it says more. */
export const fileFailure = (
  path: string,
  { kind = 'not_found', error }: { kind?: ErrorKind | undefined; error?: string | undefined },
) => fail(kind, isCoded(kind) ? CODES[kind] : 'file_failed', { path }, TOLD.has(kind) ? undefined : error);
