import type { Entry } from './types';

export type Language = 'en' | 'zh';

const plurals: Record<Language, Intl.PluralRules> = {
  en: new Intl.PluralRules('en'),
  zh: new Intl.PluralRules('zh'),
};
const numbers: Record<Language, Intl.NumberFormat> = {
  en: new Intl.NumberFormat('en'),
  zh: new Intl.NumberFormat('zh'),
};

/** A text with its values filled in. A `{name}` without a value stays, so that the mistake is visible. */
export function fill(
  language: Language,
  entry: Entry,
  values: Readonly<Record<string, string | number>>,
): string {
  const text = typeof entry === 'string' ? entry : entry[plural(language, values.count)];
  return text.replace(/\{(\w+)\}/g, (whole, slot: string) => {
    const value = values[slot];
    return value === undefined ? whole : typeof value === 'number' ? numbers[language].format(value) : value;
  });
}

const plural = (language: Language, count: string | number | undefined) =>
  typeof count === 'number' && plurals[language].select(count) === 'one' ? 'one' : 'other';
