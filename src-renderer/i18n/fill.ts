import type { Entry } from './types';

export type Language = 'en' | 'zh';

interface Formats {
  plurals: Intl.PluralRules;
  numbers: Intl.NumberFormat;
}

const made = new Map<Language, Formats>();

/** Created when the first number is shown: it takes as long as loading a tenth of the agent. */
function formats(language: Language): Formats {
  const known = made.get(language);
  if (known !== undefined) return known;
  const first = { plurals: new Intl.PluralRules(language), numbers: new Intl.NumberFormat(language) };
  made.set(language, first);
  return first;
}

/** A text with its values filled in. A `{name}` without a value stays, so that the mistake is visible. */
export function fill(
  language: Language,
  entry: Entry,
  values: Readonly<Record<string, string | number>>,
): string {
  const text = typeof entry === 'string' ? entry : entry[plural(language, values.count)];
  return text.replace(/\{(\w+)\}/g, (whole, slot: string) => {
    const value = values[slot];
    return value === undefined
      ? whole
      : typeof value === 'number'
        ? formats(language).numbers.format(value)
        : value;
  });
}

const plural = (language: Language, count: string | number | undefined) =>
  typeof count === 'number' && formats(language).plurals.select(count) === 'one' ? 'one' : 'other';
