import type { ReasonCode, ReasonValues } from '@contract/shared/reasons';
import type { Entry, NamesIn } from './types';

/** A text for every code. */
export type ReasonTexts = Readonly<Record<ReasonCode, Entry>>;

/** The codes whose text uses a `{name}` without a value, or lacks one that has a value. */
type Misfits<T extends ReasonTexts> = {
  [C in ReasonCode]: [NamesIn<T[C]>, keyof ReasonValues[C]] extends [keyof ReasonValues[C], NamesIn<T[C]>]
    ? never
    : C;
}[ReasonCode];

/** Rejects texts with a misfit at compile time; the message names the code. */
export const wordsForReasons = <const T extends ReasonTexts>(
  texts: T & ([Misfits<T>] extends [never] ? unknown : { misfit: Misfits<T> }),
): T => texts;
