import type { AppError } from '@contract/result';
import { type Language, translator } from './translate';
import { known } from './zh/errors';

/**
 * An error of the main process, which speaks English, in the person's language: word for word where it is a usual one,
 * else what its kind comes to, with the words themselves behind.
 */
export function errorIn(language: Language, error: AppError): AppError {
  if (language === 'en') return error;
  const exact = known[error.message];
  if (exact !== undefined) return { ...error, message: exact };
  const t = translator(language);
  return {
    ...error,
    message: t('errors.said', { words: t(`errors.${error.kind}`), original: error.message }),
  };
}
