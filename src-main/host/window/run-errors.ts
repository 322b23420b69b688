import { isBusyError } from '../../base/sqlite/sqlite-error';
import type { ErrorText } from '../../contract/errors';
import { errorText } from '../../contract/errors';
import { type AppError, appError } from '../../contract/result';
import type { ErrorKind } from '../../contract/shared/error-kind';

/** Maximum number of causes inspected: nested wrapping is legal, but not endless. */
const DEEPEST = 8;

/** Explains run errors that do not come from the provider; null for all others. */
export function explainRun(error: unknown): AppError | null {
  let cause = error;
  for (let depth = 0; depth < DEEPEST && cause instanceof Error; depth++) {
    const known = knownOf(cause);
    if (known !== null) return appError(...known, { detail: cause.message.slice(0, 1_000) });
    cause = cause.cause;
  }
  return null;
}

/** Explains disk errors of a window's command; null for all other errors. */
export function explainSaving(error: unknown): AppError | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (isBusyError(error))
    return appError('storage', errorText('not_saved_locked'), { detail: error.message.slice(0, 1_000) });
  if (!/^(?:SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)|ENOSPC$|EDQUOT$|EROFS$)/.test(String(error.code)))
    return null;
  return appError('storage', errorText('not_saved'), { detail: error.message.slice(0, 1_000) });
}

function knownOf(error: Error): [ErrorKind, ErrorText] | null {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('SQLITE_') || code === 'ENOSPC' || code === 'EROFS')
    return ['storage', errorText('run_not_saved')];
  switch (error.name) {
    case 'RefusedError':
      return ['refused', errorText('model_declined')];
    case 'ContextTooSmallError':
      return ['context_overflow', errorText('thread_does_not_fit')];
    case 'ProfileError':
      return ['invalid', errorText('instructions_name_unknown_tool')];
    case 'UnusableCallsError':
      return ['provider', errorText('unusable_calls')];
    case 'GraphRecursionError':
      return ['provider', errorText('too_many_steps')];
    default:
      return null;
  }
}
