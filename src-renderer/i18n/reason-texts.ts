import type { ReasonCode, ReasonValues } from '@contract/shared/reasons';
import type { Entry, NamesIn } from './types';

/** A text for every code. */
export type ReasonTexts = Readonly<Record<ReasonCode, Entry>>;

/** The codes whose text has another `{name}` in it than the code has values for, or lacks one. */
type Misfits<T extends ReasonTexts> = {
  [C in ReasonCode]: [NamesIn<T[C]>, keyof ReasonValues[C]] extends [keyof ReasonValues[C], NamesIn<T[C]>]
    ? never
    : C;
}[ReasonCode];

/** Does not compile for texts with a misfit; the message names its code. */
export const wordsForReasons = <const T extends ReasonTexts>(
  texts: T & ([Misfits<T>] extends [never] ? unknown : { misfit: Misfits<T> }),
): T => texts;
