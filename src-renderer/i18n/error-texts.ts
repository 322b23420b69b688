import type { ErrorCode, ErrorValues } from '@contract/errors';
import type { Entry, NamesIn } from './types';

/** A text for every code. */
export type ErrorTexts = Readonly<Record<ErrorCode, Entry>>;

/** The codes whose text uses a `{name}` without a value, or lacks one that has a value. */
type Misfits<T extends ErrorTexts> = {
  [C in ErrorCode]: [NamesIn<T[C]>, keyof ErrorValues[C]] extends [keyof ErrorValues[C], NamesIn<T[C]>]
    ? never
    : C;
}[ErrorCode];

/** Texts for codes that do not exist. */
type Strangers<T> = Exclude<keyof T, ErrorCode>;

/** Rejects texts with a misfit at compile time; the message names the code. */
export const wordsForErrors = <const T extends ErrorTexts>(
  texts: T & ([Misfits<T> | Strangers<T>] extends [never] ? unknown : { misfit: Misfits<T> | Strangers<T> }),
): T => texts;
