export { LanguageProvider, useErrorWords, useFormats, useReasons, useT } from './context';
export { type Key, languageFor, listed, type Translate, translator } from './translate';
