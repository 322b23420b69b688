import type { Reason } from '@contract/shared/reasons';
import { fill, type Language } from './fill';
import type { Entry } from './types';

/** Converts reasons to text. */
export interface ReasonWords {
  /** One reason, as a clause after a command: `it deletes files`. */
  clause(reason: Reason): string;
  /** The same where it stands alone: `It deletes files`. A program's name keeps its case: `sh runs a program`. */
  heading(reason: Reason): string;
  /** Reasons as separate sentences: `It deletes files.` */
  sentences(reasons: readonly Reason[]): string;
}

/** Whole sentences: they end with a period, or contain one. */
const IS_SENTENCE = /[.。…]$|\. |。/;
const ENDS = /[.。…!?！？]$/;

/**
 * Converts reasons to text with the strings of one language, by code. Later lists replace strings of earlier ones. They are
 * not joined, which would take longer than reading all of them.
 */
export function reasonWords(
  language: Language,
  ...texts: readonly Readonly<Record<string, Entry>>[]
): ReasonWords {
  const textOf = ({ code }: Reason): Entry =>
    texts.findLast((list) => Object.hasOwn(list, code))?.[code] ?? code;
  const filled = (value: NonNullable<Reason['values']>[string]): string | number => {
    if (typeof value !== 'object') return value;
    return 'code' in value ? clause(value) : sentences(value);
  };
  const clause = (reason: Reason): string => {
    const values = Object.entries(reason.values ?? {}).map(([name, value]) => [name, filled(value)] as const);
    return fill(language, textOf(reason), Object.fromEntries(values));
  };
  const heading = (reason: Reason): string => {
    const said = clause(reason);
    if (AS_THEY_ARE.has(reason.code)) return said;
    return language === 'en' && /^[a-z]/.test(String(textOf(reason))) ? capitalized(said) : said;
  };
  const sentence = (reason: Reason): string => {
    const text = textOf(reason);
    if (AS_THEY_ARE.has(reason.code) || (typeof text === 'string' && IS_SENTENCE.test(text)))
      return clause(reason);
    const capital = heading(reason);
    return ENDS.test(capital) ? capital : `${capital}${language === 'en' ? '.' : '。'}`;
  };
  const sentences = (reasons: readonly Reason[]): string =>
    reasons.map(sentence).join(language === 'en' ? ' ' : '');
  return { clause, heading, sentences };
}

/** Text that is not ours, and texts that models know from the published package. */
const AS_THEY_ARE: ReadonlySet<string> = new Set([
  'prose',
  'external',
  'permission_denied',
  'path_read_denied',
  'path_write_denied',
]);

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
