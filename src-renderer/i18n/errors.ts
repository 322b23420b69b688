import type { ErrorText } from '@contract/errors';
import type { AppError, ErrorInWords } from '@contract/result';
import { optional } from '@contract/shared/optional';
import { errors as en } from './en/errors';
import { providers as enProviders } from './en/providers';
import { reasons as enReasons } from './en/reasons';
import { fill, type Language } from './fill';
import { type ReasonWords, reasonWords } from './reason-words';
import type { Entry } from './types';
import { errors as zh } from './zh/errors';
import { providers as zhProviders } from './zh/providers';
import { reasons as zhReasons } from './zh/reasons';

/** An error may be the reason of something, and a reason the cause of an error. */
const TEXTS: Readonly<Record<Language, Readonly<Record<string, Entry>>>> = {
  en: { ...en, ...enReasons },
  zh: { ...zh, ...zhReasons },
};

/** Reasons in the language of the person. */
export const REASONS: Readonly<Record<Language, ReasonWords>> = {
  en: reasonWords('en', TEXTS.en),
  zh: reasonWords('zh', TEXTS.zh),
};

/** The text of a code. An unknown code from a newer version is shown as it is. */
export const errorWords = (language: Language, { code, values = {} }: ErrorText): string => {
  const texts = TEXTS[language];
  const text = Object.hasOwn(texts, code) ? texts[code] : undefined;
  if (text === undefined) return fill(language, texts.unknown ?? code, { code });
  const own = Object.entries(values).map(([name, value]) => {
    if (name === 'provider') return [name, providerName(language, value)];
    if (typeof value !== 'object') return [name, value];
    return [name, REASONS[language].sentences('code' in value ? [value] : value)];
  });
  return fill(language, text, Object.fromEntries(own));
};

const PROVIDERS: Readonly<Record<Language, Readonly<Record<string, Entry>>>> = {
  en: enProviders,
  zh: zhProviders,
};

/** The name of a provider by its id. Older versions stored the name. */
export const providerName = (language: Language, id: unknown): string =>
  String(Object.hasOwn(PROVIDERS[language], String(id)) ? PROVIDERS[language][String(id)] : id);

/** An error as the person reads it: in the window, in system dialogs, and, in English, on the command line. */
export const errorIn = (language: Language, error: AppError): ErrorInWords => {
  const { kind, code, cause, detail, retryAfterSeconds } = error;
  const behind = [cause === undefined ? undefined : errorWords(language, cause), detail].filter(Boolean);
  return {
    kind,
    code,
    message: errorWords(language, error),
    ...(behind.length === 0 ? {} : { detail: behind.join('\n\n') }),
    ...optional({ retryAfterSeconds }),
  };
};

/** In English, for the model, the log and the headless command: the same texts as in the window. */
export const inEnglish = (error: AppError): string => errorWords('en', error);
