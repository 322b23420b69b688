import type { AppError } from '@contract/result';
import type { Language } from './fill';
import { knownIn } from './said';
import { translator } from './translate';

/**
 * An error of the main process, which speaks English, in the person's language: word for word where its words are in the catalogue,
 * else what its kind comes to, with the words themselves behind.
 */
export function errorIn(language: Language, error: AppError): AppError {
  if (language === 'en') return error;
  const words = knownIn(language, error.message);
  if (words !== undefined) return { ...error, message: words };
  const t = translator(language);
  return {
    ...error,
    message: t('errors.said', { words: t(`errors.${error.kind}`), original: error.message }),
  };
}
