import type { AppError, ErrorInWords } from '@contract/result';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { WordsProvider } from '../ui';
import { en } from './en';
import { errorIn, REASONS } from './errors';
import type { Language } from './fill';
import { type Formats, formats } from './formats';
import type { ReasonWords } from './reason-words';
import { type Translate, translator } from './translate';
import { zh } from './zh';

interface Speech {
  language: Language;
  t: Translate;
  formats: Formats;
  reasons: ReasonWords;
  error: (error: AppError) => ErrorInWords;
}

const speechIn = (language: Language): Speech => ({
  language,
  t: translator(language),
  formats: formats(language),
  reasons: REASONS[language],
  error: (error) => errorIn(language, error),
});

const Context = createContext<Speech>(speechIn('en'));

/** Everything below uses `language`. Without it (component tests) it is English. */
export const LanguageProvider = ({ language, children }: { language: Language; children: ReactNode }) => {
  const speech = useMemo(() => speechIn(language), [language]);
  return (
    <Context value={speech}>
      <WordsProvider words={language === 'zh' ? zh.ui : en.ui}>{children}</WordsProvider>
    </Context>
  );
};

/** `const t = useT(); t('chat.send')` */
export const useT = (): Translate => useContext(Context).t;

/** Why something asks, is denied or runs, in the person's language. */
export const useReasons = (): ReasonWords => useContext(Context).reasons;

/** An error from an event. Errors that answer a call are already in the person's language. */
export const useErrorWords = (): ((error: AppError) => ErrorInWords) => useContext(Context).error;

/** For `Intl`, where `useFormats` has no format for it. */
export const useLanguage = (): Language => useContext(Context).language;

/** Durations, sizes and times in the person's language. */
export const useFormats = (): Formats => useContext(Context).formats;
