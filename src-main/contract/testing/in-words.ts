import { errorIn } from '../../../src-renderer/i18n/errors';
import type { Answer, Result } from '../result';

/** A window's English text for an answer. */
export const inWords = <T>(result: Result<T>): Answer<T> =>
  result.ok ? result : { ok: false, error: errorIn('en', result.error) };
