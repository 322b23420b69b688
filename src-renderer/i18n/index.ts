export { LanguageProvider, useFormats, useT } from './context';
export { type Key, languageFor, type Translate } from './translate';
