export { errorIn } from './errors';
export { LanguageProvider, useFormats, useT } from './context';
export { type Key, languageFor, type Translate, translator } from './translate';
