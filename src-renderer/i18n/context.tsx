import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { WordsProvider } from '../ui';
import { en } from './en';
import { type Formats, formats } from './formats';
import { type Language, type Translate, translator } from './translate';
import { zh } from './zh';

interface Speech {
  t: Translate;
  formats: Formats;
}

const speechIn = (language: Language): Speech => ({
  t: translator(language),
  formats: formats(language),
});

const Context = createContext<Speech>(speechIn('en'));

/** Everything below speaks `language`. Without it (component tests) it is English. */
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

/** Durations, sizes and times in the person's language. */
export const useFormats = (): Formats => useContext(Context).formats;
