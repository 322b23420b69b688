export { LanguageProvider, useFormats, useLanguage, useT } from './context';
export type { Formats } from './formats';
export { type Key, type Language, languageFor, type Translate } from './translate';
