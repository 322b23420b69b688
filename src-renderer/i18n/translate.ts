import { en } from './en';
import type { Entry, NamesIn } from './types';
import { zh } from './zh';

export type Language = 'en' | 'zh';
type En = typeof en;

/** `feature.name` of every text. */
export type Key = { [F in keyof En]: `${F}.${keyof En[F] & string}` }[keyof En];
type Text<K> = K extends `${infer F}.${infer N}`
  ? F extends keyof En
    ? N extends keyof En[F]
      ? En[F][N]
      : never
    : never
  : never;

/** The values for the `{names}` in a text: none where it has none, all of them where it has some. */
export type Params<K extends Key> = [NamesIn<Text<K>>] extends [never]
  ? []
  : [values: Record<NamesIn<Text<K>>, string | number>];

export type Translate = <K extends Key>(key: K, ...values: Params<K>) => string;

const catalogues: Record<Language, Record<string, Record<string, Entry>>> = { en, zh };
const plurals: Record<Language, Intl.PluralRules> = {
  en: new Intl.PluralRules('en'),
  zh: new Intl.PluralRules('zh'),
};

/** Says texts in `language`. A `{name}` without a value stays as it is, so that the slip is seen. */
export function translator(language: Language): Translate {
  const numbers = new Intl.NumberFormat(language);
  return (key, ...[values]) => {
    const [feature = '', name = ''] = key.split('.');
    const entry = catalogues[language][feature]?.[name] ?? key;
    const given: Record<string, string | number> = values ?? {};
    const text = typeof entry === 'string' ? entry : entry[plural(language, given.count)];
    return text.replace(/\{(\w+)\}/g, (whole, slot: string) => {
      const value = given[slot];
      return value === undefined ? whole : typeof value === 'number' ? numbers.format(value) : value;
    });
  };
}

/** Names one after the other, as the language divides them. */
export const listed = (t: Translate, names: readonly string[]): string => names.join(t('app.comma'));

const plural = (language: Language, count: string | number | undefined) =>
  typeof count === 'number' && plurals[language].select(count) === 'one' ? 'one' : 'other';

/** The language to speak: the one chosen in the settings, else the system's where it is one of ours. */
export function languageFor(setting: 'system' | Language, system: string): Language {
  if (setting !== 'system') return setting;
  return system.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
