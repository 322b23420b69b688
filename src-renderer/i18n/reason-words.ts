import type { Reason } from '@contract/shared/reasons';
import { fill, type Language } from './fill';
import type { ReasonTexts } from './reason-texts';

/** Converts reasons to text. */
export interface ReasonWords {
  /** One reason, as a clause after a command: `it deletes files`. */
  clause(reason: Reason): string;
  /** Reasons as separate sentences: `It deletes files.` */
  sentences(reasons: readonly Reason[]): string;
}

/** Whole sentences: they end with a period, or contain one. */
const IS_SENTENCE = /[.。…]$|\. |。/;
const ENDS = /[.。…!?！？]$/;

/** Converts reasons to text with the strings of one language. */
export function reasonWords(language: Language, texts: ReasonTexts): ReasonWords {
  const textOf = ({ code }: Reason) => (Object.hasOwn(texts, code) ? texts[code] : code);
  const clause = (reason: Reason): string => {
    const values = Object.entries(reason.values ?? {}).map(
      ([name, value]) => [name, typeof value === 'object' ? clause(value) : value] as const,
    );
    return fill(language, textOf(reason), Object.fromEntries(values));
  };
  const sentence = (reason: Reason): string => {
    const text = textOf(reason);
    const said = clause(reason);
    if (AS_THEY_ARE.has(reason.code) || (typeof text === 'string' && IS_SENTENCE.test(text))) return said;
    const begun = language === 'en' && /^[a-z]/.test(String(text)) ? capitalized(said) : said;
    return ENDS.test(begun) ? begun : `${begun}${language === 'en' ? '.' : '。'}`;
  };
  return {
    clause,
    sentences: (reasons) => reasons.map(sentence).join(language === 'en' ? ' ' : ''),
  };
}

/** Text that is not ours, and texts that models know from the published package. */
const AS_THEY_ARE: ReadonlySet<string> = new Set(['prose', 'external', 'permission_denied']);

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
