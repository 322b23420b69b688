import { errorIn } from '../../../src-renderer/i18n/errors';
import type { Answer, Result } from '../result';

/** What a window would show of an answer, in English. */
export const inWords = <T>(result: Result<T>): Answer<T> =>
  result.ok ? result : { ok: false, error: errorIn('en', result.error) };
