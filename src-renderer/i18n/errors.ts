import type { ErrorText } from '@contract/errors';
import type { AppError, ErrorInWords } from '@contract/result';
import { errors as en } from './en/errors';
import { reasons as enReasons } from './en/reasons';
import type { ErrorTexts } from './error-texts';
import { fill, type Language } from './fill';
import { type ReasonWords, reasonWords } from './reason-words';
import { errors as zh } from './zh/errors';
import { reasons as zhReasons } from './zh/reasons';

const TEXTS: Readonly<Record<Language, ErrorTexts>> = { en, zh };
const REASONS: Readonly<Record<Language, ReasonWords>> = {
  en: reasonWords('en', enReasons),
  zh: reasonWords('zh', zhReasons),
};

/** The text of a code. An unknown code from a newer version is shown as it is. */
export const errorWords = (language: Language, { code, values = {} }: ErrorText): string => {
  const texts = TEXTS[language];
  const own = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? REASONS[language].sentences(value) : value,
  ]);
  return isCode(texts, code)
    ? fill(language, texts[code], Object.fromEntries(own))
    : fill(language, texts.unknown, { code });
};

const isCode = <T extends object>(texts: T, code: PropertyKey): code is keyof T => Object.hasOwn(texts, code);

/** An error as the person reads it: in the window, in system dialogs, and, in English, on the command line. */
export const errorIn = (language: Language, error: AppError): ErrorInWords => {
  const { kind, cause, detail, retryAfterSeconds } = error;
  const behind = [cause === undefined ? undefined : errorWords(language, cause), detail].filter(Boolean);
  return {
    kind,
    message: errorWords(language, error),
    ...(behind.length === 0 ? {} : { detail: behind.join('\n\n') }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
};

/** In English, for the model, the log and the headless command: the same texts as in the window. */
export const inEnglish = (error: AppError): string => errorWords('en', error);
