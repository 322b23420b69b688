export { LanguageProvider, useErrorWords, useFormats, useLanguage, useReasons, useT } from './context';
export { modelTestWords } from './model-test-words';
export { naming } from './naming';
export { rehearsalKey } from './rehearsal-keys';
export { type Key, languageFor, listed, type Translate, translator } from './translate';
