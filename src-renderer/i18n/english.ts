import type { RehearsedCall } from '@contract/outcome';
import { errors } from './en/errors';
import { forModel } from './en/for-model';
import { outcome } from './en/outcome';
import { reasons } from './en/reasons';
import { fill } from './fill';
import { reasonWords } from './reason-words';
import { rehearsalKey } from './rehearsal-keys';

// Without the other languages, which `errors.ts` has: the agent loads only what its first turn needs.

/** Reasons in English, for a person at the headless command or in an editor: the same texts as in the window. */
export const english = reasonWords('en', errors, reasons);

/** Reasons in English, for the model. */
export const englishForModel = reasonWords('en', errors, reasons, forModel);

/** What became of a command that ran in a throwaway layer, in English: `kept 2 files`. */
export const rehearsedInEnglish = (call: RehearsedCall): string =>
  fill('en', outcome[rehearsalKey(call)], { count: call.paths });
