export { LanguageProvider, useErrorWords, useFormats, useReasons, useSaid, useT } from './context';
export { errorIn } from './errors';
export { type Key, languageFor, listed, type Translate, translator } from './translate';
