import type { ErrorCode, ErrorValues } from '@contract/errors';
import type { Entry, NamesIn } from './types';

/** A text for every code. */
export type ErrorTexts = Readonly<Record<ErrorCode, Entry>>;

/** The codes whose text has another `{name}` in it than the code has values for, or lacks one. */
type Misfits<T extends ErrorTexts> = {
  [C in ErrorCode]: [NamesIn<T[C]>, keyof ErrorValues[C]] extends [keyof ErrorValues[C], NamesIn<T[C]>]
    ? never
    : C;
}[ErrorCode];

/** The texts of codes that there are not. */
type Strangers<T> = Exclude<keyof T, ErrorCode>;

/** Does not compile for texts with a misfit; the message names its code. */
export const wordsForErrors = <const T extends ErrorTexts>(
  texts: T & ([Misfits<T> | Strangers<T>] extends [never] ? unknown : { misfit: Misfits<T> | Strangers<T> }),
): T => texts;
