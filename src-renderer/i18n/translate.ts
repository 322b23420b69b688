import { en } from './en';
import { fill, type Language } from './fill';
import type { Entry, NamesIn } from './types';
import { zh } from './zh';

type En = typeof en;

/** The `feature.name` of every text. */
export type Key = { [F in keyof En]: `${F}.${keyof En[F] & string}` }[keyof En];
type Text<K> = K extends `${infer F}.${infer N}`
  ? F extends keyof En
    ? N extends keyof En[F]
      ? En[F][N]
      : never
    : never
  : never;

/** The values for the `{names}` in a text: none if it has none, otherwise all of them. */
export type Params<K extends Key> = [NamesIn<Text<K>>] extends [never]
  ? []
  : [values: Record<NamesIn<Text<K>>, string | number>];

export type Translate = <K extends Key>(key: K, ...values: Params<K>) => string;

const catalogues: Record<Language, Record<string, Record<string, Entry>>> = { en, zh };

/** Translates to `language`. A `{name}` without a value stays, so that the mistake is visible. */
export const translator =
  (language: Language): Translate =>
  (key, ...[values]) => {
    const [feature = '', name = ''] = key.split('.');
    return fill(language, catalogues[language][feature]?.[name] ?? key, values ?? {});
  };

/** Joins names with the separator of the language. */
export const listed = (t: Translate, names: readonly string[]): string => names.join(t('app.comma'));

/** The language to use: the one chosen in the settings, else the system language if it is supported. */
export function languageFor(setting: 'system' | Language, system: string): Language {
  if (setting !== 'system') return setting;
  return system.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
