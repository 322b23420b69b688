import type { AppError } from '../../contract/result';

/** Causes looked through; an error may be wrapped, but not for ever. */
const DEEPEST = 8;

/** Errors of a run that are not the provider's, in words for the person; null for all others. */
export function explainRun(error: unknown): AppError | null {
  let cause = error;
  for (let depth = 0; depth < DEEPEST && cause instanceof Error; depth++) {
    const words = wordsOf(cause);
    if (words !== null) return { ...words, detail: cause.message.slice(0, 1_000) };
    cause = cause.cause;
  }
  return null;
}

/** What a disk does to a command of the window, in words for the person; null for what is no fault of it. */
export function explainSaving(error: unknown): AppError | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (!/^(?:SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)|ENOSPC$|EDQUOT$|EROFS$)/.test(String(error.code)))
    return null;
  return {
    kind: 'storage',
    message:
      'Deepdesk could not save this to its data folder, and did not do it. Make sure that the disk has space and can be written to, then try again.',
    detail: error.message.slice(0, 1_000),
  };
}

function wordsOf(error: Error): Pick<AppError, 'kind' | 'message'> | null {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('SQLITE_') || code === 'ENOSPC' || code === 'EROFS') {
    return {
      kind: 'storage',
      message:
        'Deepdesk could not save to its data folder, so the agent was stopped. What was saved before is kept. Make sure that the disk has space and can be written to, then retry.',
    };
  }
  switch (error.name) {
    case 'RefusedError':
      return {
        kind: 'refused',
        message:
          'The model declined to answer this. Your message is kept, and no step of the answer was run. Put it in other words, or choose another model.',
      };
    case 'ContextTooSmallError':
      return {
        kind: 'context_overflow',
        message:
          'This thread does not fit the model any more, even when it is compacted. Nothing was lost. Choose a model with a larger context window, or begin a new thread.',
      };
    case 'ProfileError':
      return {
        kind: 'invalid',
        message:
          'Your instructions for this model name a tool that the agent does not have, so nothing was sent. Correct them in the settings, under Instructions, then retry.',
      };
    case 'UnusableCallsError':
      return {
        kind: 'provider',
        message:
          'The model asked several times in a row for calls that cannot be run, so the agent was stopped. Nothing was lost. Retry, or choose another model.',
      };
    case 'GraphRecursionError':
      return {
        kind: 'provider',
        message:
          'The agent took as many steps as one turn may have and did not come to an end, so it was stopped. What it did is kept. Retry to let it go on, or tell it what to do differently.',
      };
    default:
      return null;
  }
}
