export { LanguageProvider, useErrorWords, useFormats, useLanguage, useReasons, useT } from './context';
export { modelTestWords } from './model-test-words';
export { rehearsalKeys } from './rehearsal-keys';
export { type Key, languageFor, listed, type Translate, translator } from './translate';
